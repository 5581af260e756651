package store

import (
	"encoding/json"
	"testing"

	"stockroom/store/table"
)

// TestDesignHoldsEveryEntity reads the design back and looks for each entity
// where its keys are.
func TestDesignHoldsEveryEntity(t *testing.T) {
	text, err := DesignJSON()
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]json.RawMessage
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	var questions []string
	if err := json.Unmarshal(read["accessPatterns"], &questions); err != nil || len(questions) != len(Patterns) {
		t.Errorf("%d questions, %v, want %d", len(questions), err, len(Patterns))
	}
	for i := range Definitions {
		d := &Definitions[i]
		var system map[string]map[string]map[string]any
		if err := json.Unmarshal(read[SystemOf(d)], &system); err != nil {
			t.Fatal(err)
		}
		entity := system[d.Table.PK.String()][d.Table.SK.String()]
		if entity["entityType"] != d.Type {
			t.Errorf("under %s, %s there is %v, want %s", d.Table.PK, d.Table.SK, entity["entityType"], d.Type)
		}
		for n := 1; n <= table.IndexCount; n++ {
			pk, sk := table.KeyAttributes(table.IndexName(n))
			if k := d.Index[n]; !k.PK.IsZero() && (entity[pk] != k.PK.String() || entity[sk] != k.SK.String()) {
				t.Errorf("%s of %s is %v, %v", table.IndexName(n), d.Type, entity[pk], entity[sk])
			}
		}
	}
}

func TestEntitiesKnowWhoAsksForThem(t *testing.T) {
	for entity, want := range map[string]struct {
		system, asked string
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
			found = found || p.Name == want.asked
		}
		if SystemOf(d) != want.system || !found {
			t.Errorf("%s belongs to %s, asked by %s: %v", entity, SystemOf(d), want.asked, found)
		}
	}
	order, _ := schema.Definition("order")
	for _, p := range PatternsFor(order) {
		if p.Name == "getProductByOrderId" || p.Name == "getCustomers" {
			t.Errorf("%s does not find orders", p.Name)
		}
	}
}
