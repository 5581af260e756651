package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestRefundPayment_Confirm refunds a payment of an invoice with nothing to refund. The
// first submission must change nothing, and say what the refund will credit. After the
// user changes the amount, the form must ask again.
func TestRefundPayment_Confirm(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	const path = "/invoices/iopen/refund"
	page := admin.get(path)
	for _, amount := range []string{"0.05", "0.06"} {
		form := hiddenFields(page.body)
		maps.Copy(form, url.Values{"payment": {"1"}, "amount": {amount}, "why": {"Damaged"}})
		page = admin.post(path, form)
		want := `role="alert" tabindex="-1" autofocus>Nothing was recorded yet. The amount to refund is only €0.00. The refund will also credit the invoice with €` + amount + ` and issue a credit note.`
		if page.status != http.StatusOK || !strings.Contains(page.body, want) || !strings.Contains(page.body, "Confirm and record refund") {
			t.Fatalf("%s: got status %d, want 200 and %q: %s", amount, page.status, want, content(page.body))
		}
	}
	form := hiddenFields(page.body)
	maps.Copy(form, url.Values{"payment": {"1"}, "amount": {"0.06"}, "why": {"Damaged"}})
	if page = admin.post(path, form); page.status != http.StatusSeeOther {
		t.Errorf("confirmed: got status %d, want 303: %s", page.status, content(page.body))
	}
}

// TestRefundPayment_SuggestsAmount opens the form for an invoice with two payments, of which
// more is to refund than each payment allows. The form must suggest an amount that a payment
// and the user's limit allow, and say that more than one refund is needed.
func TestRefundPayment_SuggestsAmount(t *testing.T) {
	b := open(
		t,
		&store.Order{ID: "two", CustomerID: "c01", Date: storetest.Now, Status: store.OrderReturned, ItemCount: 1, Total: store.MinorUnits(1000), PaymentState: store.InvoicePaid, Version: 1},
		&store.OrderItem{OrderID: "two", ProductID: "p10", CustomerID: "c01", Date: storetest.Now, Name: "p10", Price: store.MinorUnits(1000), Quantity: 1, Shipped: 1, Returned: 1, Version: 1},
		&store.Invoice{
			ID: "itwo", OrderID: "two", CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(1000), Credit: store.MinorUnits(1000), Status: store.InvoicePaid, Version: 1,
			Payments: []store.Payment{
				{ID: "1", Type: "GiftCard", Amount: store.MinorUnits(300), Date: storetest.Now, Data: "G-1"},
				{ID: "2", Type: "Visa", Amount: store.MinorUnits(700), Date: storetest.Now, Data: "•••• 4242"},
			},
		},
	)
	b.changeSettings(t, func(s *store.Settings) { s.RefundLimit = store.MinorUnits(750) })
	admin, support := b.as(t, "admin"), b.as(t, "support")
	const path = "/invoices/itwo/refund"
	form := func(browser *browser, amount string, hints ...string) url.Values {
		t.Helper()
		page := browser.get(path)
		for _, want := range append(hints, `value="`+amount+`"`) {
			if !strings.Contains(page.body, want) {
				t.Errorf("got no %q: %s", want, content(page.body))
			}
		}
		return hiddenFields(page.body)
	}
	refund := form(admin, "7.00", "The amount to refund, €10.00, needs more than one refund, because each refund goes to one payment.")
	form(support, "7.00", "You can refund up to €7.50 per invoice. Admins can refund more.")
	maps.Copy(refund, url.Values{"payment": {"2"}, "amount": {"7.00"}, "why": {"Returned"}})
	if got := admin.post(path, refund); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	form(support, "0.50", "You can refund up to €7.50 per invoice, and €7.00 is already refunded. Admins can refund more.")
	form(admin, "3.00")
	if page := admin.get(path).body; strings.Contains(page, "more than one refund") {
		t.Errorf("got %s, want one refund for the rest", content(page))
	}
}
