package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestSearch_RedirectsToExactMatch(t *testing.T) {
	b := open(
		t,
		&store.Customer{ID: "12345", Name: "Twelve", Phones: []string{"+46 70 612 34 56"}}, &store.Product{ID: "12345", Name: "Twelve too"},
		&store.Product{ID: "solo", Name: "Unlike any other", SKU: "S 1/2"},
		&store.Order{ID: "105000", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
		&store.Invoice{ID: "numbered", OrderID: "105000", CustomerID: "c07", Date: storetest.Now, Status: store.InvoiceUnpaid, Number: 5001, Version: 1},
		&store.Kayak{ID: "serial", StoreID: "s1", Name: "Skua", Serial: "HIN-SE-700", Status: store.KayakRetired, Version: 1},
		&store.Order{ID: "4GCRK30DTN", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
		&store.Shipment{ID: "261130-4GCRK30DTN-1", OrderID: "4GCRK30DTN", WarehouseID: "w1", Date: storetest.Now, Status: store.ShipmentPacked, Version: 1},
	)
	browser := b.as(t, "viewer")
	for text, want := range map[string]string{
		"o0005": "/orders/o0005", " o#o0005 ": "/orders/o0005", "io0005": "/invoices/io0005", "so0005": "/shipments/so0005",
		"c07": "/customers/c07", "w1": "/warehouses/w1", "p05": "/products/p05", "SKU-7": "/products/p07", "S 1/2": "/products/solo",
		"CUSTOMER7@example.com": "/customers/c07",
		"4gcrk 3odtn":           "/orders/4GCRK30DTN", "order 4gcrk 30dtn": "/orders/4GCRK30DTN", "261130 4gcrk3odtn-1": "/shipments/261130-4GCRK30DTN-1",
		"order 4GCRK30DTN": "/orders/4GCRK30DTN", "Order no. o0005": "/orders/o0005", "order #o0005": "/orders/o0005", "order nr 4gcrk 30dtn": "/orders/4GCRK30DTN",
		"105 000": "/orders/105000", "order 105 000": "/orders/105000", "order number 105000": "/orders/105000",
		"invoice 5001": "/invoices/numbered", "invoice no 5001": "/invoices/numbered", "INV-5001": "/invoices/numbered", "inv 5001": "/invoices/numbered", "5 001": "/invoices/numbered", "5001": "/invoices/numbered",
		"hin-se-700": "/kayaks/serial", "kayak#HIN SE 700": "/kayaks/serial",
		"070-612 34 56": "/customers/12345",
		"k07":           "/kayaks/k07",
		"s1":            "/stores/s1",
		"pp0":           "/people/pp0",
		"c#12345":       "/customers/12345", "p#12345": "/products/12345",
		"12345":  "", // two entities have this ID
		"unlike": "", // only the start of a name, so no exact match
		"c#c0":   "", "o#c07": "", "nothing": "", "": "",
	} {
		got := browser.get("/search?q=" + url.QueryEscape(text))
		if got.location != want || (want == "") != (got.status == http.StatusOK) {
			t.Errorf("%q: got status %d, redirect to %q, want %q", text, got.status, got.location, want)
		}
	}
	if page := browser.get("/search?q=12345").body; !strings.Contains(page, "Twelve too") || !strings.Contains(page, `value="12345"`) {
		t.Error("got no customer and product for one ID, want both")
	}
}

// TestSearch_ListsMatchesWhileTyping searches with the headers that the search box
// sends. The response must not be a redirect, even if only one record matches.
func TestSearch_ListsMatchesWhileTyping(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	r := browser.request(http.MethodGet, "/search?q=o0005", "")
	r.Header.Set("HX-Request", "true")
	if got := browser.do(r); got.status != http.StatusOK || !strings.Contains(got.body, `href="/orders/o0005"`) {
		t.Errorf("got status %d, redirect to %q; want 200 and a link", got.status, got.location)
	}
}

// TestSearch_FindsWhatTheUserMayOpen searches as each user for records of several
// warehouses and stores. Managers must find only those of their own warehouses and
// stores.
func TestSearch_FindsWhatTheUserMayOpen(t *testing.T) {
	b := open(t)
	for user, want := range map[string]string{
		"viewer":   "so0001 so0002 w1 w2 k01 k02 s1 s2 e05 o0001 c07",
		"auditor":  "so0001 so0002 w1 w2 k01 k02 s1 s2 e05 o0001 c07",
		"support":  "so0001 so0002 w1 w2 k01 k02 s1 s2 e05 o0001 c07",
		"manager":  "so0001 w1 k01 s1 e05 o0001 c07",
		"outsider": "so0002 w2 k02 s2 o0001 c07",
		"admin":    "so0001 so0002 w1 w2 k01 k02 s1 s2 e05 o0001 c07",
	} {
		browser := b.as(t, user)
		var found []string
		for id := range strings.FieldsSeq("so0001 so0002 w1 w2 k01 k02 s1 s2 e05 o0001 c07") {
			if got := browser.get("/search?q=" + id); got.status == http.StatusSeeOther {
				found = append(found, id)
				if page := browser.get(got.location); page.status != http.StatusOK {
					t.Errorf("%s: %s: got status %d, want 200", user, got.location, page.status)
				}
			}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: got %s, want %s", user, got, want)
		}
	}
}

// TestSearch_ListsEveryTypeWithTheID searches for an ID that four entities of different
// types share, as in the published sample. All four must be found. It also searches for
// names in several scripts.
func TestSearch_ListsEveryTypeWithTheID(t *testing.T) {
	b := open(
		t,
		&store.Customer{ID: "12345", Name: "Somebody"}, &store.Product{ID: "12345", Name: "Something"}, &store.Warehouse{ID: "12345", Name: "Somewhere"},
		&store.Order{ID: "12345", CustomerID: "12345", Status: store.OrderOpen, Date: storetest.Now},
	)
	browser := b.as(t, "viewer")
	page := browser.get("/search?q=12345")
	for _, path := range []string{"/customers/12345", "/products/12345", "/warehouses/12345", "/orders/12345"} {
		if page.status != http.StatusOK || !strings.Contains(page.body, `href="`+path+`"`) {
			t.Errorf("12345: got no link to %s, want one", path)
		}
	}
	if got := browser.get("/search?q=o%2312345"); got.location != "/orders/12345" {
		t.Errorf("o#12345: got redirect to %q, want /orders/12345", got.location)
	}
	for text, name := range map[string]string{"MARIA": "Maria 0", "asa": "Åsa 1", "محمد": "محمد 4", "김": "김민준 3"} {
		if page := browser.get("/search?q=" + url.QueryEscape(text)).body; !strings.Contains(page, name) {
			t.Errorf("%s: got no %s, want it", text, name)
		}
	}
}
