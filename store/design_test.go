package store

import (
	"encoding/json"
	"testing"

	"stockroom/store/table"
)

func TestDesignJSON_HasEveryEntity(t *testing.T) {
	text, err := DesignJSON()
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]json.RawMessage
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	var patterns []string
	if err := json.Unmarshal(read["accessPatterns"], &patterns); err != nil || len(patterns) != len(Patterns) {
		t.Errorf("got %d patterns, %v, want %d", len(patterns), err, len(Patterns))
	}
	for i := range Definitions {
		d := &Definitions[i]
		var system map[string]map[string]map[string]any
		if err := json.Unmarshal(read[SystemOf(d)], &system); err != nil {
			t.Fatal(err)
		}
		entity := system[d.Table.PK.String()][d.Table.SK.String()]
		if entity["entityType"] != d.Type {
			t.Errorf("entityType at %s, %s: got %v, want %s", d.Table.PK, d.Table.SK, entity["entityType"], d.Type)
		}
		for n := 1; n <= table.IndexCount; n++ {
			pk, sk := table.KeyAttributes(table.IndexName(n))
			if k := d.Index[n]; !k.PK.IsZero() && (entity[pk] != k.PK.String() || entity[sk] != k.SK.String()) {
				t.Errorf("keys of %s in %s: got %v, %v, want %s, %s", d.Type, table.IndexName(n), entity[pk], entity[sk], k.PK, k.SK)
			}
		}
	}
}

func TestPatternsFor(t *testing.T) {
	for entity, want := range map[string]struct {
		system, pattern string
	}{
		"order":         {onlineShop, "getOrdersByStatusForDateRange"},
		"orderItem":     {onlineShop, "getProductByOrderId"},
		"warehouseItem": {onlineShop, "getLowStock"},
		"event":         {backOffice, "getEventsByDay"},
		"settings":      {backOffice, "getSettings"},
	} {
		d, _ := schema.Definition(entity)
		found := false
		for _, p := range PatternsFor(d) {
			found = found || p.Name == want.pattern
		}
		if SystemOf(d) != want.system || !found {
			t.Errorf("%s: got system %s, found by %s = %v; want system %s, true", entity, SystemOf(d), want.pattern, found, want.system)
		}
	}
	order, _ := schema.Definition("order")
	for _, p := range PatternsFor(order) {
		if p.Name == "getProductByOrderId" || p.Name == "getCustomers" {
			t.Errorf("PatternsFor(order) has %s, which does not find orders", p.Name)
		}
	}
}
