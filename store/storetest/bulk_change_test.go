package storetest_test

import (
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestBulkChanges_HideOtherPlaces reads bulk changes of an admin with the admin's access
// token for one warehouse. The list and the single changes must not contain shipments from
// all warehouses, reminders of rentals at all stores, or changes of another warehouse.
func TestBulkChanges_HideOtherPlaces(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx, near, far := t.Context(), []string{store.WarehouseScope + "near"}, []string{store.WarehouseScope + "far"}
		all := []*store.BulkChange{
			{ID: "01KBA0000000000000000000A1", Kind: store.BulkShip},
			{ID: "01KBA0000000000000000000A2", Kind: store.BulkRentalReminder},
			{ID: "01KBA0000000000000000000A3", Kind: store.BulkReorderPoint, WarehouseID: "far"},
			{ID: "01KBA0000000000000000000A4", Kind: store.BulkTransfer, WarehouseID: "near", SourceID: "far", Places: near},
			{ID: "01KBA0000000000000000000A5", Kind: store.BulkShip, SourceID: "far", Places: far},
			{ID: "01KBA0000000000000000000B1", Kind: store.BulkShip, SourceID: "near", Places: near},
			{ID: "01KBA0000000000000000000B2", Kind: store.BulkReorderPoint, WarehouseID: "near"},
			{ID: "01KBA0000000000000000000B3", Kind: store.BulkTransfer, WarehouseID: "near", Places: near},
			{ID: "01KBA0000000000000000000B4", Kind: store.BulkPrice, Percent: "5"},
		}
		entities := make([]store.Entity, len(all))
		for i, b := range all {
			b.By, b.State, b.Created, b.Updated, b.Expires, b.Version = "admin", store.BulkDone, storetest.Now, storetest.Now, storetest.Now.AddDate(0, 1, 0), 1
			entities[i] = b
		}
		if loaded, err := s.Load(ctx, entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		token := s.As(&store.User{Name: "admin", Role: store.Manager, Warehouses: []string{"near"}})
		var listed []string
		for b, err := range store.Each(func(p store.Page) (store.List[store.BulkChange], error) { return token.BulkChanges(ctx, p) }) {
			if err != nil {
				t.Fatal(err)
			}
			listed = append(listed, b.ID)
		}
		for _, b := range all {
			visible := strings.HasPrefix(b.ID[24:], "B")
			if got := slices.Contains(listed, b.ID); got != visible {
				t.Errorf("%s %s: got listed %v, want %v", b.ID, b.Kind, got, visible)
			}
			if _, err := token.BulkChange(ctx, b.ID); visible && err != nil || !visible && store.KindOf(err) != store.NotFound {
				t.Errorf("%s %s: got %v, want visible %v", b.ID, b.Kind, err, visible)
			}
		}
	})
}

// TestBulkChange_ManagerWithoutPlaces checks that managers without warehouses or stores
// cannot prepare bulk changes that they could not see.
func TestBulkChange_ManagerWithoutPlaces(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		loadPlaces(t, s)
		for kind, want := range map[store.BulkKind]string{
			store.BulkShip: "No warehouses are assigned to you.", store.BulkDelivery: "No warehouses are assigned to you.",
			store.BulkTransfer: "No warehouses are assigned to you.", store.BulkRentalReminder: "No stores are assigned to you.",
		} {
			b := store.BulkChange{Kind: kind, Due: storetest.Day(2026, 12, 1)}
			a := s.As(&store.User{Name: "mo", Role: store.Manager})
			if _, err := a.AddBulkChange(t.Context(), b, nil, s.NewToken()); store.KindOf(err) != store.Invalid || !strings.Contains(err.Error(), want) {
				t.Errorf("%s without places: got %v, want Invalid with %q", kind, err, want)
			}
			a = s.As(&store.User{Name: "mo", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"7"}})
			added, err := a.AddBulkChange(t.Context(), b, nil, s.NewToken())
			if err != nil {
				t.Errorf("%s with places: %v", kind, err)
				continue
			}
			if _, err := a.BulkChange(t.Context(), added.ID); err != nil {
				t.Errorf("%s with places: %v", kind, err)
			}
		}
	})
}
