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

// BenchmarkOrderList is the list of one status, 25 rows, merged from the shards.
func BenchmarkOrderList(b *testing.B) {
	benchmark(b, "/orders?status=DELIVERED&sort=reverse")
}

// BenchmarkOrderListOfMonths is the list as the menu opens it.
func BenchmarkOrderListOfMonths(b *testing.B) { benchmark(b, "/orders") }

// BenchmarkOrderDetail is one order with its lines, invoice and shipments.
func BenchmarkOrderDetail(b *testing.B) {
	for _, e := range demo.Business(storetest.Now) {
		if parcel, ok := e.(*store.Shipment); ok {
			benchmark(b, "/orders/"+parcel.OrderID)
			return
		}
	}
}

// discard takes an answer and keeps its status.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }

// benchmark asks for a page of the demo business within the process, signed
// in and through all that a request goes through: with one shard, as the
// embedded store begins, and with as many as a table of DynamoDB has.
func benchmark(b *testing.B, address string) {
	for _, shards := range []int{1, key.DefaultShards} {
		b.Run(fmt.Sprintf("%d shards", shards), func(b *testing.B) {
			office := serveOnly(b)
			settings := store.DefaultSettings()
			settings.Shards, settings.ShardsRead = shards, shards
			if err := office.store.SaveSettings(b.Context(), settings, "test"); err != nil {
				b.Fatal(err)
			}
			if _, err := office.store.Load(b.Context(), demo.Business(storetest.Now), store.LoadOptions{}); err != nil {
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
					b.Fatalf("%s is %d", address, w.status)
				}
			}
		})
	}
}
