package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// TestUnfinished_CanBeFinished opens a product and an order whose changes were
// interrupted, as users with and without the permission to finish them.
func TestUnfinished_CanBeFinished(t *testing.T) {
	product := store.Product{ID: "renamed", Name: "New", Price: store.MinorUnits(1), Unfinished: true, Version: 2}
	item := store.WarehouseItem{ProductID: "renamed", WarehouseID: "w1", Name: "Old", Version: 1}
	b := open(t, append(returnedOrder(), &product, &item)...)
	for _, tt := range []struct{ path, finish, message, flash string }{
		{"/products/renamed", "/edit/finish", "still has the earlier name", "Rename finished."},
		{"/orders/back", "/return/finish", "not marked as returned yet", "Return finished."},
	} {
		if got := b.as(t, "viewer").get(tt.path); !strings.Contains(got.body, tt.message) || strings.Contains(got.body, tt.finish) {
			t.Errorf("%s as viewer: want the message without the form: %s", tt.path, got.body)
		}
		admin := b.as(t, "admin")
		if got := admin.get(tt.path); !strings.Contains(got.body, tt.message) || !strings.Contains(got.body, tt.finish) {
			t.Errorf("%s as admin: want the message and the form: %s", tt.path, got.body)
		}
		if got := admin.post(tt.path+tt.finish, url.Values{"once": {tokenFor(tt.path)}}); got.status != http.StatusSeeOther || got.location != tt.path {
			t.Errorf("%s: got status %d to %s", tt.finish, got.status, got.location)
		}
		if got := admin.get(tt.path); strings.Contains(got.body, tt.message) || !strings.Contains(got.body, tt.flash) {
			t.Errorf("%s after finishing: got the message, or no flash: %s", tt.path, got.body)
		}
	}
	if items, err := b.store.As(&users[len(users)-1]).StockOfProduct(t.Context(), "renamed"); err != nil || items[0].Name != "New" {
		t.Errorf("got %v, %v; want the stock renamed", items, err)
	}
}

// returnedOrder returns a returned order whose shipment is not marked yet.
func returnedOrder() []store.Entity {
	return []store.Entity{
		&store.Order{ID: "back", CustomerID: "c01", Status: store.OrderReturned, Unfinished: true, Version: 2},
		&store.Shipment{ID: "sback", OrderID: "back", WarehouseID: "w1", Status: store.ShipmentSent, Version: 1},
	}
}
