package handlers

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestUnpackShipment_Page unpacks a shipment with the form to which its page and the page
// of its order link. The items must go back to the stock once, although the form is
// submitted twice. Pages and lists must show the shipment as unpacked.
func TestUnpackShipment_Page(t *testing.T) {
	b := open(t, openOrder()...)
	const link = `href="/shipments/sboxed/unpack"`
	for _, path := range []string{"/orders/boxed", "/shipments/sboxed"} {
		for user, want := range map[string]bool{"viewer": false, "support": false, "manager": true, "admin": true} {
			if got := strings.Contains(b.as(t, user).get(path).body, link); got != want {
				t.Errorf("%s as %s: got a link %v, want %v", path, user, got, want)
			}
		}
	}
	if page := content(b.as(t, "outsider").get("/orders/boxed").body); strings.Contains(page, "sboxed") {
		t.Errorf("outsider: got a shipment of another warehouse: %s", page)
	}
	manager := b.as(t, "manager")
	page := manager.get("/shipments/sboxed/unpack")
	for _, want := range []string{"Unpack shipment", "These items go back to the stock of <bdi>Borås</bdi>.", "Reason (optional)"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("got no %q: %s", want, content(page.body))
		}
	}
	before := b.clock.Now()
	b.clock.Advance(time.Minute)
	form := formIn(page)
	form.Set("why", "wrong colour")
	stock := func() int {
		item, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).StockItem(t.Context(), "p10", "w1")
		if err != nil {
			t.Fatal(err)
		}
		return item.Quantity
	}
	onHand := stock()
	for range 2 { // the second submission changes nothing
		if got := manager.post("/shipments/sboxed/unpack", form); got.status != http.StatusSeeOther || got.location != "/orders/boxed" {
			t.Fatalf("got status %d to %q, want 303 to the order: %s", got.status, got.location, content(got.body))
		}
	}
	if got := stock(); got != onHand+2 {
		t.Errorf("got %d on hand, want %d", got, onHand+2)
	}
	order := manager.get("/orders/boxed")
	for _, want := range []string{"Shipment sboxed unpacked.", "Unpacked", "wrong colour", "0 of 2 shipped", `href="/orders/boxed/ship"`} {
		if !strings.Contains(order.body, want) {
			t.Errorf("order: got no %q: %s", want, content(order.body))
		}
	}
	if strings.Contains(order.body, link) {
		t.Error("order: got a link to unpack the shipment again, want none")
	}
	for path, want := range map[string]string{
		"/shipments/sboxed/unpack":                                 "Only a packed shipment can be unpacked.",
		"/shipments/sboxed/forward":                                "A shipment with this status can no longer be updated.",
		"/shipments/sboxed.json":                                   `"Status":"UNPACKED"`,
		"/shipments/sboxed":                                        "wrong colour",
		"/shipments/sboxed/packing-slip":                           "This shipment was unpacked.",
		"/shipments?warehouse=w1&status=UNPACKED":                  "sboxed",
		"/products/p10/stock/w1":                                   "unpacked: wrong colour",
		"/orders/boxed?at=" + before.Format("2006-01-02T15:04:05"): "Packed",
		"/orders/boxed.json?at=" + before.Format(time.RFC3339):     `"Shipped":2`,
		"/orders?status=OPEN&from=2026-11-01":                      `href="/orders/boxed"`,
	} {
		if got := manager.get(path); got.status != http.StatusOK || !strings.Contains(got.body, want) {
			t.Errorf("%s: got status %d and no %q: %s", path, got.status, want, content(got.body))
		}
	}
}

// TestUnpackShipment_Outdated submits the form after the shipment has left. It must be
// rejected with a conflict.
func TestUnpackShipment_Outdated(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	form := formIn(manager.get("/shipments/sboxed/unpack"))
	if got := manager.post("/shipments/sboxed/forward", formIn(manager.get("/shipments/sboxed/forward"))); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	got := manager.post("/shipments/sboxed/unpack", form)
	if got.status != http.StatusConflict || !strings.Contains(got.body, "Only a packed shipment can be unpacked.") {
		t.Errorf("got status %d, want 409 and the reason: %s", got.status, content(got.body))
	}
	if page := manager.get("/shipments/sboxed").body; strings.Contains(page, "/unpack") {
		t.Error("got a link to unpack a shipment that has left, want none")
	}
}

// TestUnpackShipment_SaysWhyNot opens the form for an imported shipment that cannot be
// unpacked. The page must say why, without a form. The pages of the order and the shipment
// must have no link to the form.
func TestUnpackShipment_SaysWhyNot(t *testing.T) {
	b := open(t,
		&store.Order{ID: "odd", CustomerID: "c02", Date: storetest.Now, Status: store.OrderOpen},
		&store.OrderItem{OrderID: "odd", ProductID: "p10", CustomerID: "c02", Date: storetest.Now, Name: "Lamp", Price: store.MinorUnits(110), Quantity: 2, Shipped: 1, Cancelled: true},
		&store.Shipment{ID: "sodd", OrderID: "odd", WarehouseID: "w1", Date: storetest.Now, Status: store.ShipmentPacked},
		&store.ShipmentItem{ID: "sodd-1", OrderID: "odd", ShipmentID: "sodd", ProductID: "p10", Quantity: 1},
	)
	manager := b.as(t, "manager")
	for _, path := range []string{"/orders/odd", "/shipments/sodd"} {
		if page := manager.get(path); page.status != http.StatusOK || strings.Contains(page.body, "/unpack") {
			t.Errorf("%s: got status %d and %s, want no link to unpack the shipment", path, page.status, content(page.body))
		}
	}
	if page := manager.get("/orders/odd").body; !strings.Contains(page, "The rest of Lamp was cancelled") {
		t.Errorf("got %s, want the reason", content(page))
	}
	got := manager.get("/shipments/sodd/unpack")
	if want := "The rest of Lamp was cancelled"; got.status != http.StatusOK || !strings.Contains(got.body, want) || strings.Contains(got.body, "Reason (optional)") {
		t.Errorf("got status %d, want 200 and %q without a form: %s", got.status, want, content(got.body))
	}
}
