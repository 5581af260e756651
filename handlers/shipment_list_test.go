package handlers

import (
	"strings"
	"testing"

	"stockroom/store"
)

// TestShipments_ManagerWithoutWarehouses lists shipments as a manager without warehouses.
// The page must not show a filter by warehouse, because it would have no choices.
func TestShipments_ManagerWithoutWarehouses(t *testing.T) {
	b := open(t)
	if err := b.store.AddUser(t.Context(), store.User{Name: "idle", Role: store.Manager}, password, "test"); err != nil {
		t.Fatal(err)
	}
	if page := content(b.as(t, "idle").get("/shipments").body); strings.Contains(page, `<select`) {
		t.Errorf("got %s, want no filter", page)
	}
}
