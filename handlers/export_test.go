package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestExport_StreamsFiles(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for format, lines := range map[string]int{"csv": len(b.shop.Customers) + 1, "jsonl": len(b.shop.Customers)} {
		got := admin.post("/data/export", url.Values{"file": {"customers"}, "format": {format}})
		if got.status != http.StatusOK || strings.Count(got.body, "\n") != lines ||
			!strings.Contains(got.header.Get("Content-Disposition"), "customers."+format) {
			t.Errorf("%s: got status %d, %d lines, header %v; want 200, %d lines", format, got.status, strings.Count(got.body, "\n"), got.header, lines)
		}
	}
	if got := admin.post("/data/export", url.Values{"file": {"users"}, "format": {"csv"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("users: got status %d, want 422", got.status)
	}
}

// TestExport_Masked checks that a masked export of customers contains neither the name
// nor the email address of a customer, in each format that the page offers.
func TestExport_Masked(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	page := admin.get("/data/export")
	for _, format := range []string{"csv", "jsonl", "workbench"} {
		if !strings.Contains(page.body, `<option value="`+format+`"`) {
			t.Errorf("the page does not offer %s", format)
		}
		form := url.Values{"file": {"customers"}, "format": {format}}
		plain := admin.post("/data/export", form)
		form.Set("masked", "yes")
		masked := admin.post("/data/export", form)
		customer := b.shop.Customers[0]
		if masked.status != http.StatusOK || strings.Contains(masked.body, customer.Name) || strings.Contains(masked.body, strings.ToLower(customer.Email)) ||
			!strings.Contains(masked.body, customer.ID) || !strings.Contains(plain.body, customer.Name) {
			t.Errorf("%s: got status %d and %.300s", format, masked.status, masked.body)
		}
	}
	if !strings.Contains(page.body, `name="masked"`) {
		t.Error("the page does not offer to replace personal data")
	}
}
