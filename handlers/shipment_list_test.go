package handlers

import (
	"strings"
	"testing"

	"stockroom/store"
)

// TestShipments_ManagerWithoutWarehouses checks that the list has no filter without
// choices.
func TestShipments_ManagerWithoutWarehouses(t *testing.T) {
	b := open(t)
	if err := b.store.AddUser(t.Context(), store.User{Name: "idle", Role: store.Manager}, password, "test"); err != nil {
		t.Fatal(err)
	}
	if page := content(b.as(t, "idle").get("/shipments").body); strings.Contains(page, `<select`) {
		t.Errorf("got %s, want no filter", page)
	}
}
