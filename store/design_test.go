package store_test

import (
	"encoding/json"
	"testing"

	"stockroom/store"
	"stockroom/store/table"
)

func TestDesignJSON_HasEveryEntity(t *testing.T) {
	text, err := store.DesignJSON()
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]json.RawMessage
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	var patterns []string
	if err := json.Unmarshal(read["accessPatterns"], &patterns); err != nil || len(patterns) != len(store.Patterns) {
		t.Errorf("got %d patterns, %v, want %d", len(patterns), err, len(store.Patterns))
	}
	for i := range store.Definitions {
		d := &store.Definitions[i]
		var system map[string]map[string]map[string]any
		if err := json.Unmarshal(read[store.SystemOf(d)], &system); err != nil {
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
		"order":         {"online shop", "getOrdersByStatusForDateRange"},
		"orderItem":     {"online shop", "getProductByOrderId"},
		"warehouseItem": {"online shop", "getLowStock"},
		"event":         {"back office", "getEventsByDay"},
		"settings":      {"back office", "getSettings"},
	} {
		d := definition(t, entity)
		found := false
		for _, p := range store.PatternsFor(d) {
			found = found || p.Name == want.pattern
		}
		if store.SystemOf(d) != want.system || !found {
			t.Errorf("%s: got system %s, found by %s = %v; want system %s, true", entity, store.SystemOf(d), want.pattern, found, want.system)
		}
	}
	order := definition(t, "order")
	for _, p := range store.PatternsFor(order) {
		if p.Name == "getProductByOrderId" || p.Name == "getCustomers" {
			t.Errorf("got %s in PatternsFor(order), want only patterns that find orders", p.Name)
		}
	}
}

func definition(t *testing.T, entityType string) *store.Definition {
	t.Helper()
	for i := range store.Definitions {
		if store.Definitions[i].Type == entityType {
			return &store.Definitions[i]
		}
	}
	t.Fatalf("got no definition of %s, want one", entityType)
	return nil
}
