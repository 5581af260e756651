package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestClosedCustomer_InForms enters a closed customer in the forms that reject closed
// customers. The error must say that the customer is closed, and link to the customer.
func TestClosedCustomer_InForms(t *testing.T) {
	b := open(t, openOrder()...)
	manager, support := b.as(t, "manager"), b.as(t, "support")
	const link, says = `href="/customers/shut"`, "Shut is a closed customer. Reopen the customer first."
	for _, row := range []struct {
		by     *browser
		path   string
		values url.Values
	}{
		{manager, "/stores/s1/book", url.Values{"person": {"Shut"}, "kayak": {"k16"}, "from": {"2026-12-02"}, "last": {"2026-12-03"}}},
		{manager, "/stores/s1/check-out", url.Values{"person": {"Shut"}, "kayak": {"k16"}, "due": {"2026-12-03"}}},
		{support, "/people/c01/same", url.Values{"person": {"Shut"}}},
		{support, "/orders/new", url.Values{"customer": {"Shut"}, "product-1": {"p07"}, "quantity-1": {"1"}, "do": {"look"}}},
		{manager, "/stores/s1/check-out", url.Values{"person": {"shut"}, "kayak": {"k16"}, "due": {"2026-12-03"}, "do": {"look"}}},
		{manager, "/stores/s1/check-out", url.Values{"person": {"Shut"}, "person-was": {"Shut"}, "person-id": {"shut"}, "kayaks": {"k16"}, "due": {"2026-12-03"}, "do": {"look"}}},
		{manager, "/stores/s1/book", url.Values{"person": {"Shut"}, "person-was": {"Shut"}, "person-id": {"shut"}, "kayak": {"k16"}, "from": {"2026-12-02"}, "last": {"2026-12-03"}}},
		{support, "/orders/new", url.Values{"customer": {"Shut"}, "customer-was": {"Shut"}, "customer-id": {"shut"}, "product-1": {"p07"}, "quantity-1": {"1"}, "do": {"look"}}},
		{support, "/orders/new", url.Values{"customer": {"Shut"}, "customer-was": {"Shut"}, "customer-id": {"shut"}, "product-1": {"p07"}, "quantity-1": {"1"}, "do": {"take"}, "total": {"1.00"}}},
	} {
		form := formIn(row.by.get(row.path))
		for name := range row.values {
			form.Set(name, row.values.Get(name))
		}
		got := row.by.post(row.path, form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, link) {
			t.Errorf("%s: got status %d, want 422 with the link %s: %s", row.path, got.status, link, content(got.body))
		}
		if !strings.Contains(got.body, says) {
			t.Errorf("%s: got no error %q: %s", row.path, says, content(got.body))
		}
	}
	if got := manager.get("/choices/person?q=shut").body; !strings.Contains(got, `"note":"Closed customer`) {
		t.Errorf("suggestions: got %s, want the closed customer", got)
	}
	for _, filter := range []string{"person=shut", "person=sh", "person=Shut&person-was=Shut&person-id=shut"} {
		if got := manager.get("/kayaks/k16?" + filter); got.status != http.StatusOK || !strings.Contains(got.body, `value="Shut"`) {
			t.Errorf("filter %s: got status %d, want the closed customer: %s", filter, got.status, content(got.body))
		}
	}
	if got := support.get("/orders/new?customer=shut").body; !strings.Contains(got, link) {
		t.Errorf("new order: got no link %s: %s", link, content(got))
	}
	for _, path := range []string{"/accounts/shut", "/accounts/shut/subscribe"} {
		got := support.get(path).body
		if !strings.Contains(got, "is a closed customer.") || !strings.Contains(got, `href="/customers/shut/reopen"`) {
			t.Errorf("%s: got no warning with a link to reopen the customer: %s", path, content(got))
		}
		if strings.Contains(got, ">New subscription</a>") {
			t.Errorf("%s: got the link New subscription", path)
		}
	}
	if got := b.as(t, "viewer").get("/accounts/shut").body; !strings.Contains(got, "is a closed customer.") || strings.Contains(got, "/reopen") {
		t.Error("viewer: got no warning, or a link to reopen the customer")
	}
}
