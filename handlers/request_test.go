package handlers

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
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

// TestFlash_LongMessageIsCut checks kayaks with long names out. Their names do not fit into the
// cookie with the message. The check-out must succeed, with a shorter message.
func TestFlash_LongMessageIsCut(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	admin := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	var kayaks []string
	for n := range store.MaxKayaks {
		name := fmt.Sprint(strings.Repeat("Å", 60), n)
		id, err := admin.AddKayak(t.Context(), store.Kayak{StoreID: "s1", Name: name, Kind: "Sea kayak"}, "")
		if err != nil {
			t.Fatal(err)
		}
		kayaks = append(kayaks, id)
	}
	form := url.Values{"kayaks": {strings.Join(kayaks, "\n")}, "person": {"c09"}, "due": {"2026-11-24"}, "once": {tokenFor("long")}}
	if got := manager.post("/stores/s1/check-out", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	page := manager.get("/stores/s1").body
	if first, last := "("+kayaks[0]+"), ", " …</p>"; !strings.Contains(page, first) || !strings.Contains(page, last) {
		t.Errorf("got no message with %q and %q, want the beginning of the message", first, last)
	}
}
