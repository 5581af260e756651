package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// wideOrder returns an imported order with as many open lines as a form can have.
func wideOrder() []store.Entity {
	all := []store.Entity{
		&store.Order{
			ID: "wide", CustomerID: "c01", ShipTo: store.Address{City: "Lund"}, Date: storetest.Now, Status: store.OrderOpen, ItemCount: maxFormLines, Total: store.MinorUnits(maxFormLines * 100),
			PaymentState: store.InvoiceUnpaid, ShipmentState: store.NothingShipped, Version: 1,
		},
		&store.Invoice{ID: "iwide", OrderID: "wide", CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(maxFormLines * 100), Status: store.InvoiceUnpaid, Version: 1},
	}
	for n := 1; n <= maxFormLines; n++ {
		id := fmt.Sprintf("l%02d", n)
		all = append(all, &store.Product{ID: id, Name: "Lamp " + id, Price: store.MinorUnits(100), Version: 1},
			&store.WarehouseItem{ProductID: id, WarehouseID: "w1", Name: "Lamp " + id, Quantity: 5, Version: 1},
			&store.OrderItem{OrderID: "wide", ProductID: id, CustomerID: "c01", Date: storetest.Now, Name: "Lamp " + id, Price: store.MinorUnits(100), Quantity: 1, Version: 1})
	}
	return all
}

// lineValues returns the values of a return form with one piece of each of these lines.
func lineValues(from, to int, fields map[string]string) url.Values {
	form := url.Values{"warehouse": {"w1"}, "why": {"wrong colour"}, "version": {fields["version"]}, "once": {fields["once"]}}
	for n := from; n <= to; n++ {
		form.Set(fmt.Sprintf("product-%d", n), fmt.Sprintf("l%02d", n))
		form.Set(fmt.Sprintf("quantity-%d", n), "1")
	}
	return form
}

// TestReturnOrder_ManyLines ships an order of 80 lines. A return of all lines is too
// large. The page must keep the quantities and say how many lines a return can have.
// The order is then returned in parts.
func TestReturnOrder_ManyLines(t *testing.T) {
	b := open(t, wideOrder()...)
	admin := b.as(t, "admin")
	for from := 1; from <= maxFormLines; from += store.MaxShipmentLines {
		form := lineValues(from, min(from+store.MaxShipmentLines-1, maxFormLines), hidden(admin.get("/orders/wide/ship").body))
		form.Del("why")
		if got := admin.post("/orders/wide/ship", form); got.status != http.StatusSeeOther {
			t.Fatalf("shipment from line %d: got status %d, want 303: %s", from, got.status, content(got.body))
		}
	}
	all := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	packed, err := all.Order(t.Context(), "wide")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range packed.Shipments {
		if err := all.AdvanceShipment(t.Context(), store.ShipmentUpdate{ShipmentID: s.ID, Version: s.Version, To: store.ShipmentSent}, ""); err != nil {
			t.Fatal(err)
		}
	}
	page := admin.get("/orders/wide/return").body
	if n := strings.Count(page, `name="quantity-`); n != maxFormLines {
		t.Fatalf("got a form with %d lines, want %d", n, maxFormLines)
	}
	whole := admin.post("/orders/wide/return", lineValues(1, maxFormLines, hidden(page)))
	most := regexp.MustCompile(`Return at most (\d+) lines at once`).FindStringSubmatch(whole.body)
	if whole.status != http.StatusUnprocessableEntity || most == nil || strings.Count(formIn(whole).Encode(), "=1&") < maxFormLines {
		t.Fatalf("all lines: got status %d, want 422 with the limit and the entered quantities: %s", whole.status, content(whole.body))
	}
	step, _ := strconv.Atoi(most[1])
	for from := 1; from <= maxFormLines; from += step {
		form := lineValues(from, min(from+step-1, maxFormLines), hidden(admin.get("/orders/wide/return").body))
		if got := admin.post("/orders/wide/return", form); got.status != http.StatusSeeOther {
			t.Fatalf("from line %d: got status %d, want 303: %s", from, got.status, content(got.body))
		}
	}
	order, err := all.Order(t.Context(), "wide")
	if err != nil || order.Status != store.OrderReturned || order.Unfinished {
		t.Errorf("got the order %+v, %v, want it returned", order.Order, err)
	}
	for i := range order.Items {
		if item := &order.Items[i]; item.Returned != 1 {
			t.Errorf("got %d pieces of %s returned, want 1", item.Returned, item.ProductID)
		}
	}
}

// TestReturnOrder_Packed opens the return form of an order whose items are only packed. It
// must link to the shipment, and a return must be rejected. After the shipment has left, the
// form must offer the items.
func TestReturnOrder_Packed(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	const link, action = `href="/shipments/sboxed"`, `href="/orders/boxed/return"`
	for user, want := range map[string]string{"admin": "unpack shipment", "support": "ask a manager to unpack shipment"} {
		page := b.as(t, user).get("/orders/boxed/return").body
		if text := content(page); !strings.Contains(text, "Packed items haven't left the warehouse") && !strings.Contains(text, "Packed items haven&#39;t left the warehouse") || !strings.Contains(text, want) || !strings.Contains(text, link) || strings.Contains(text, `name="quantity-`) {
			t.Errorf("%s: got no advice to unpack the shipment: %s", user, text)
		}
	}
	if page := admin.get("/orders/boxed").body; strings.Contains(page, action) {
		t.Error("got a link to return packed items, want none")
	}
	form := url.Values{"product-1": {"p10"}, "quantity-1": {"1"}, "why": {"broken"}, "version": {"1"}, "once": {b.store.NewToken()}}
	if got := admin.post("/orders/boxed/return", form); got.status != http.StatusUnprocessableEntity {
		t.Errorf("got status %d, want 422: %s", got.status, content(got.body))
	}
	if got := admin.post("/shipments/sboxed/forward", formIn(admin.get("/shipments/sboxed/forward"))); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	page := content(admin.get("/orders/boxed/return").body)
	if !strings.Contains(page, `name="quantity-1"`) || strings.Contains(page, link) {
		t.Errorf("after the shipment has left: got no field for the items: %s", page)
	}
	if page := admin.get("/orders/boxed").body; !strings.Contains(page, action) {
		t.Error("got no link to return the items, want one")
	}
}
