package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

func TestSearchLeadsToTheOneThing(t *testing.T) {
	b := open(
		t,
		&store.Customer{ID: "12345", Name: "Twelve"}, &store.Product{ID: "12345", Name: "Twelve too"},
		&store.Product{ID: "solo", Name: "Unlike any other", SKU: "S 1/2"},
	)
	browser := b.as(t, "viewer")
	for typed, want := range map[string]string{
		"o0005": "/orders/o0005", " o#o0005 ": "/orders/o0005", "io0005": "/invoices/io0005", "so0005": "/shipments/so0005",
		"c07": "/customers/c07", "w1": "/warehouses/w1", "s1": "/stores/s1", "kayak#k04": "/kayaks/k04", "p05": "/products/p05", "SKU-7": "/products/p07", "S 1/2": "/products/solo",
		"CUSTOMER7@example.com": "/customers/c07",
		"c#12345":               "/customers/12345", "p#12345": "/products/12345",
		"12345":  "", // two things have this ID
		"unlike": "", // a beginning of one name
		"c#c0":   "", "o#c07": "", "nothing": "", "": "",
	} {
		got := browser.get("/search?q=" + url.QueryEscape(typed))
		if got.location != want || (want == "") != (got.status == http.StatusOK) {
			t.Errorf("searching for %q is %d, to %q, want %q", typed, got.status, got.location, want)
		}
	}
	if page := browser.get("/search?q=12345").body; !strings.Contains(page, "Twelve too") || !strings.Contains(page, `value="12345"`) {
		t.Error("what was found under one ID is not shown")
	}
}

// TestSearchWhileTypingLeadsNowhere asks as the search box does.
func TestSearchWhileTypingLeadsNowhere(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	r := browser.request(http.MethodGet, "/search?q=o0005", "")
	r.Header.Set("HX-Request", "true")
	if got := browser.do(r); got.status != http.StatusOK || !strings.Contains(got.body, `href="/orders/o0005"`) {
		t.Errorf("%d, to %q", got.status, got.location)
	}
}
