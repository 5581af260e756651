package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestOrder_ShowsRefunds(t *testing.T) {
	b := open(
		t,
		&store.Order{ID: "back", CustomerID: "c01", Date: storetest.Now, Status: store.OrderDelivered, ItemCount: 1, Total: store.MinorUnits(500), PaymentState: store.InvoicePaid, Version: 1},
		&store.OrderItem{OrderID: "back", ProductID: "p10", CustomerID: "c01", Date: storetest.Now, Name: "p10", Price: store.MinorUnits(500), Quantity: 1, Shipped: 1, Version: 1},
		&store.Invoice{
			ID: "iback", OrderID: "back", CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(500), Credit: store.MinorUnits(200), Status: store.InvoicePaid, Version: 1,
			Payments: []store.Payment{
				{ID: "1", Type: "Visa", Amount: store.MinorUnits(500), Date: storetest.Now, Data: "•••• 4242"},
				{ID: "2", Type: "Visa", Amount: store.MinorUnits(-200), Date: storetest.Now, Data: "•••• 4242", RefundOf: "1"},
			},
		},
	)
	if page := b.as(t, "support").get("/orders/back").body; !strings.Contains(page, "2.00 refunded</span>") {
		t.Errorf("got %s, want the refund", content(page))
	}
}

// TestCancelOrder_SaysWhatToRefund cancels a paid order. The form must say what was paid and
// what is then to refund. The message must contain this amount, with a link to the invoice. Users who may not refund it must be told to ask an
// admin.
func TestCancelOrder_SaysWhatToRefund(t *testing.T) {
	order := func(id string) []store.Entity {
		return []store.Entity{
			&store.Order{ID: id, CustomerID: "c01", Date: storetest.Now, Status: store.OrderPaid, ItemCount: 1, Total: store.MinorUnits(500), PaymentState: store.InvoicePaid, ShipmentState: store.NothingShipped, Version: 1},
			&store.OrderItem{OrderID: id, ProductID: "p10", CustomerID: "c01", Date: storetest.Now, Name: "p10", Price: store.MinorUnits(500), Quantity: 1, Version: 1},
			&store.Invoice{
				ID: "i" + id, OrderID: id, CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(500), Status: store.InvoicePaid, Version: 1,
				Payments: []store.Payment{{ID: "1", Type: "Visa", Amount: store.MinorUnits(500), Date: storetest.Now, Data: "•••• 4242"}},
			},
		}
	}
	b := open(t, slices.Concat(order("admin"), order("support"))...)
	b.changeSettings(t, func(s *store.Settings) { s.RefundLimit = store.MinorUnits(499) }) // less than the amount
	for user, want := range map[string]string{
		"admin":   `Order cancelled. Refund €5.00 for <a href="/invoices/iadmin">invoice iadmin</a>.`,
		"support": `Order cancelled. Ask an admin to refund €5.00 for <a href="/invoices/isupport">invoice isupport</a>.`,
	} {
		browser, path := b.as(t, user), "/orders/"+user
		page := browser.get(path + "/cancel").body
		for _, amount := range []string{"<dt>Paid</dt><dd>€5.00</dd>", "<dt>Credit for these items</dt><dd>€5.00</dd>", "<dt>To refund after the cancellation</dt><dd>€5.00</dd>"} {
			if !strings.Contains(page, amount) {
				t.Errorf("%s: got no %q before the cancellation: %s", user, amount, content(page))
			}
		}
		form := hidden(page)
		got := browser.post(path+"/cancel", url.Values{"once": {form["once"]}, "version": {form["version"]}, "why": {"too late"}})
		if got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", user, got.status, content(got.body))
		}
		if page := browser.get(got.location).body; !strings.Contains(page, want) {
			t.Errorf("%s: got no %q in %s", user, want, content(page))
		}
	}
}
