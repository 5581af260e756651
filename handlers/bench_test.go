package handlers

import (
	"fmt"
	"net/http"
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

// BenchmarkOrderList requests 25 orders with one status, merged from all shards.
func BenchmarkOrderList(b *testing.B) {
	benchmark(b, "/orders?status=DELIVERED&sort=reverse")
}

// BenchmarkOrderListOfMonths requests the list of orders without filters, as the menu
// opens it.
func BenchmarkOrderListOfMonths(b *testing.B) { benchmark(b, "/orders") }

// BenchmarkOrderDetail requests an order with its items, invoice and shipments.
func BenchmarkOrderDetail(b *testing.B) {
	for _, e := range demo.Business(storetest.Now, demo.Small) {
		if shipment, ok := e.(*store.Shipment); ok {
			benchmark(b, "/orders/"+shipment.OrderID)
			return
		}
	}
}

// discard is a ResponseWriter that keeps only the status.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }

// benchmark requests a page of the demo business as a signed-in user. It measures one
// shard, as in the embedded store, and the default number of shards on DynamoDB.
func benchmark(b *testing.B, address string) {
	for _, shards := range []int{1, key.DefaultShards} {
		b.Run(fmt.Sprintf("%d shards", shards), func(b *testing.B) {
			office := serveOnly(b)
			saveShards(b, office.store, shards)
			if _, err := office.store.Load(b.Context(), demo.Business(storetest.Now, demo.Small), store.LoadOptions{}); err != nil {
				b.Fatal(err)
			}
			handler := office.site.tools.Protect(office.site.router)
			browser := office.as(b, "viewer")
			r := browser.request(http.MethodGet, address, "")
			r.AddCookie(browser.sessionCookie())
			b.ReportAllocs()
			for b.Loop() {
				w := &discard{header: http.Header{}}
				handler.ServeHTTP(w, r)
				if w.status != http.StatusOK {
					b.Fatalf("%s: got status %d, want 200", address, w.status)
				}
			}
		})
	}
}

// saveShards sets the number of shards of a store that serveOnly has opened.
func saveShards(b *testing.B, s *store.Store, shards int) {
	settings := store.DefaultSettings()
	settings.Version = 1 // the version that serveOnly has saved
	settings.Shards, settings.ShardsRead = shards, shards
	if err := s.SaveSettings(b.Context(), settings, "test"); err != nil {
		b.Fatal(err)
	}
}
