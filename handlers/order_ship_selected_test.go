package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// TestShippingOrdersTogether ships one order that can leave from a warehouse,
// beside one that has left already and one that is not there.
func TestShippingOrdersTogether(t *testing.T) {
	b := open(t, waiting()...)
	admin := b.as(t, "admin")
	list := admin.get("/orders?status=OPEN&limit=200").body
	if !strings.Contains(list, `name="order" value="open"`) {
		t.Fatal("the list has no box to tick for the order")
	}
	chosen := admin.get("/orders/chosen?do=ship&order=open&order=o0001")
	if chosen.location != "/orders/ship?order=open&order=o0001" {
		t.Errorf("the button leads to %s", chosen.location)
	}
	form := url.Values{"order": {"open", "o0001", "none", "open"}, "warehouse": {"w0"}, "once": {onceFor("together")}}
	for range 2 { // sent twice, it ships once
		got := admin.post("/orders/ship", form)
		if got.status != http.StatusOK || strings.Count(got.body, "Not shipped") != 2 || !strings.Contains(got.body, "1 order was shipped") {
			t.Errorf("the result is %d: %s", got.status, got.body)
		}
	}
	order, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Order(t.Context(), "open")
	if err != nil || order.ShipmentState != store.FullyShipped || len(order.Shipments) != 2 {
		t.Errorf("the order is %+v, %v", order, err)
	}
	tooMany := url.Values{"warehouse": {"w0"}}
	for n := range maxSelectedOrders + 1 {
		tooMany.Add("order", strings.Repeat("x", n+1))
	}
	if got := admin.post("/orders/ship", tooMany); got.status != http.StatusUnprocessableEntity {
		t.Errorf("%d orders at once: %d", maxSelectedOrders+1, got.status)
	}
}
