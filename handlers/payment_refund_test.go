package handlers

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
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
