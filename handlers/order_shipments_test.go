package handlers

import (
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

// TestOrder_SaysWhyNoShipmentIsListed opens an order with shipments only from other
// warehouses, and an order without shipments. In the first case, the page must not tell
// the manager that there are no shipments.
func TestOrder_SaysWhyNoShipmentIsListed(t *testing.T) {
	b := open(t, &store.Order{ID: "o9000", CustomerID: "c01", Status: store.OrderPaid, ShipmentState: store.NothingShipped, Version: 1})
	elsewhere := slices.IndexFunc(b.shop.Orders, func(d store.OrderDetails) bool {
		return len(d.Shipments) == 1 && d.Shipments[0].WarehouseID != "w1"
	})
	shipped := b.shop.Orders[elsewhere]
	const notYours, notYet = "No shipments from your warehouses.", "No shipments yet."
	for _, tt := range []struct {
		user, id, want, not string
	}{
		{"manager", shipped.ID, notYours, notYet},
		{"manager", "o9000", notYet, notYours},
		{"viewer", shipped.ID, shipped.Shipments[0].ID, "No shipments"},
	} {
		if page := b.as(t, tt.user).get("/orders/" + tt.id).body; !strings.Contains(page, tt.want) || strings.Contains(page, tt.not) {
			t.Errorf("%s, order %s: got no %q, or %q", tt.user, tt.id, tt.want, tt.not)
		}
	}
}
