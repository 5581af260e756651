package handlers

import (
	"cmp"
	"strconv"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestPage_RespelledID opens pages with IDs in lowercase letters. If the program may have
// created such an ID, it redirects to the ID in capital letters. It must not do so for
// imported IDs, which can have any spelling, and for files.
func TestPage_RespelledID(t *testing.T) {
	b := open(
		t,
		&store.Order{ID: "4GCRK30DTN", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
		&store.Order{ID: "1mported00", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
	)
	browser := b.as(t, "viewer")
	for path, want := range map[string]string{
		"/orders/4gcrk30dtn":                    "/orders/4GCRK30DTN",
		"/orders/4Gcrk30dtn/packing-slip":       "/orders/4GCRK30DTN/packing-slip",
		"/shipments/261130-4gcrk30dtn-1":        "/shipments/261130-4GCRK30DTN-1",
		"/customers/01jdvz5y2q8f3m9w7k6x4n1t0r": "/customers/01JDVZ5Y2Q8F3M9W7K6X4N1T0R",
		"/customers/01JDVZ5Y2Q8F3M9W7K6X4N1T0R": "404",
		"/orders/1mported00":                    "200",
		"/orders/unknown":                       "404",
		"/orders/4gcrk30dtn.json":               "404",
		"/orders/4gcrk30dtn%2F":                 "404",
		"/orders/4gcrk30dtn/items/4gcrk30dtn":   "/orders/4GCRK30DTN/items/4GCRK30DTN",
	} {
		got := browser.get(path)
		if answer := cmp.Or(got.location, strconv.Itoa(got.status)); answer != want {
			t.Errorf("%s: got %s, want %s", path, answer, want)
		}
	}
}
