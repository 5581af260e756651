package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

// TestShipSelected_ShipsOrdersSeparately selects three orders: one that can be
// shipped, one that was already shipped, and one that does not exist.
func TestShipSelected_ShipsOrdersSeparately(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	list := admin.get("/orders?status=OPEN&limit=200").body
	if !strings.Contains(list, `name="order" value="open"`) {
		t.Fatal("got no checkbox for the order, want one")
	}
	selected := admin.get("/orders/chosen?do=ship&order=open&order=o0001")
	if selected.location != "/orders/ship?order=open&order=o0001" {
		t.Errorf("got redirect to %s, want the form for both orders", selected.location)
	}
	form := url.Values{"order": {"open", "o0001", "none", "open"}, "warehouse": {"w0"}, "once": {tokenFor("together")}}
	for range 2 { // submitting the form twice ships once
		got := admin.post("/orders/ship", form)
		if got.status != http.StatusOK || strings.Count(got.body, "Not shipped") != 2 || !strings.Contains(got.body, "1 order was shipped") {
			t.Errorf("got status %d, want 200, one order shipped and two not: %s", got.status, got.body)
		}
	}
	order, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Order(t.Context(), "open")
	if err != nil || order.ShipmentState != store.FullyShipped || len(order.Shipments) != 2 {
		t.Errorf("got order %+v, %v; want it fully shipped in two shipments", order, err)
	}
	tooMany := url.Values{"warehouse": {"w0"}}
	for n := range maxSelectedOrders + 1 {
		tooMany.Add("order", strings.Repeat("x", n+1))
	}
	if got := admin.post("/orders/ship", tooMany); got.status != http.StatusUnprocessableEntity {
		t.Errorf("%d orders: got status %d, want 422", maxSelectedOrders+1, got.status)
	}
}

// TestShipSelected_WarnsAboutUnpaidOrders opens the form with and without orders that are
// not fully paid. Only the first one must warn about them.
func TestShipSelected_WarnsAboutUnpaidOrders(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	paid := b.shop.Orders[slices.IndexFunc(b.shop.Orders, func(o store.OrderDetails) bool { return o.PaymentState == store.InvoicePaid })].ID
	for address, warns := range map[string]bool{"/orders/ship?order=open": true, "/orders/ship?order=open&order=" + paid: true, "/orders/ship?order=" + paid: false} {
		page := admin.get(address).body
		if got := strings.Contains(page, "1 order isn&#39;t fully paid"); got != warns {
			t.Errorf("%s: got a warning %v, want %v: %s", address, got, warns, content(page))
		}
	}
}
