package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestForm_KeepsInputAfterConflict lets two users change the same customer. The second
// user sees their input next to the saved values and can submit it again.
func TestForm_KeepsInputAfterConflict(t *testing.T) {
	b := open(t)
	first, second := b.as(t, "admin"), b.as(t, "admin")
	form := url.Values{"name": {"Åsa Ek"}, "email": {"one@example.com"}, "version": {"1"}, "once": {tokenFor("first")}}
	if got := first.post("/customers/c01/edit", form); got.status != http.StatusSeeOther {
		t.Fatalf("first user: got status %d, want 303: %s", got.status, got.body)
	}
	form = url.Values{"name": {"Åsa Berg"}, "email": {"one@example.com"}, "version": {"1"}, "once": {tokenFor("second")}}
	got := second.post("/customers/c01/edit", form)
	if got.status != http.StatusConflict {
		t.Fatalf("second user: got status %d, want 409: %s", got.status, got.body)
	}
	for _, want := range []string{`value="Åsa Berg"`, "Åsa Ek", "Someone else changed this first", `name="version" value="2"`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("got no %s in the form, want it:\n%s", want, got.body)
		}
	}
	form.Set("version", "2")
	if got := second.post("/customers/c01/edit", form); got.status != http.StatusSeeOther {
		t.Errorf("second submission: got status %d, want 303: %s", got.status, got.body)
	}
}

// TestPlaceOrder_KeepsInput adds a line and shows errors next to their fields. It checks
// that the order is placed only with the total that the page showed.
func TestPlaceOrder_KeepsInput(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	form := url.Values{"customer": {"nobody"}, "product-1": {"SKU-7"}, "quantity-1": {"two"}, "product-2": {""}, "quantity-2": {""}}
	send := func(do string, status int, wants ...string) string {
		t.Helper()
		form.Set("do", do)
		got := admin.post("/orders/new", form)
		if got.status != status {
			t.Errorf("%s: got status %d, want %d", do, got.status, status)
		}
		for _, want := range wants {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s: got no %s on the page, want it:\n%s", do, want, got.body)
			}
		}
		return got.location
	}
	send("add", http.StatusOK, `name="product-3"`, `value="SKU-7"`, `value="two"`)
	send("look", http.StatusUnprocessableEntity, "No customer has this ID", "Enter a whole number from 1 to 9,999,999.", `value="nobody"`)
	form.Set("customer", "customer7@example.com")
	form.Set("quantity-1", "2")
	send("look", http.StatusOK, "€2.14", `name="total" value="2.14"`, "Place order")
	form.Set("total", "2.12")
	send("take", http.StatusConflict, "Prices have changed", "€2.14")
	form.Set("total", "2.14")
	if location := send("take", http.StatusSeeOther); !strings.HasPrefix(location, "/orders/") {
		t.Errorf("got redirect to %s, want the order", location)
	}
}
