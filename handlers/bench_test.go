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

// orderListPath lists 25 orders with one status, merged from all shards.
const orderListPath = "/orders?status=DELIVERED&sort=reverse"

func BenchmarkOrderList(b *testing.B) { benchmark(b, orderListPath) }

// BenchmarkOrderListAfterChange is BenchmarkOrderList, with a change before each request.
func BenchmarkOrderListAfterChange(b *testing.B) { benchmarkAfterChange(b, orderListPath) }

// BenchmarkOrderListOfMonths requests the list of orders without filters, as the menu
// opens it.
func BenchmarkOrderListOfMonths(b *testing.B) { benchmark(b, "/orders") }

// BenchmarkOrderDetail requests an order with its items, invoice and shipments.
func BenchmarkOrderDetail(b *testing.B) { benchmark(b, orderPath()) }

// BenchmarkOrderDetailAfterChange is BenchmarkOrderDetail, with a change before each
// request.
func BenchmarkOrderDetailAfterChange(b *testing.B) { benchmarkAfterChange(b, orderPath()) }

// BenchmarkToday requests the page Today of the demo business in its full size.
func BenchmarkToday(b *testing.B) { benchmarkPage(b, serveDemo(b, demo.Full, 1), "/", func() {}) }

// BenchmarkTodayAfterChange is like BenchmarkToday, but the server keeps no parts of the
// page in memory. Each request reads all parts.
func BenchmarkTodayAfterChange(b *testing.B) {
	office := serveDemo(b, demo.Full, 1)
	benchmarkPage(b, office, "/", office.forgetParts)
}

// orderPath returns the path of an order with a shipment.
func orderPath() string {
	for _, e := range demo.Business(storetest.Now, demo.Small) {
		if shipment, ok := e.(*store.Shipment); ok {
			return "/orders/" + shipment.OrderID
		}
	}
	panic("the demo business has no shipment")
}

// discard is a ResponseWriter that keeps only the status.
type discard struct {
	header http.Header
	status int
}

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(p []byte) (int, error) { return len(p), nil }
func (d *discard) WriteHeader(status int)      { d.status = status }

// benchmark requests a page of the demo business as a signed-in user. It measures the page
// twice: with one shard, as in the embedded store, and with the default number of shards on
// DynamoDB.
func benchmark(b *testing.B, address string) {
	for _, shards := range []int{1, key.DefaultShards} {
		b.Run(fmt.Sprintf("%d shards", shards), func(b *testing.B) {
			benchmarkPage(b, serveDemo(b, demo.Small, shards), address, func() {})
		})
	}
}

// benchmarkAfterChange requests a page of the demo business. The table seems to change
// before each request, so that the server cannot use what it keeps in memory.
func benchmarkAfterChange(b *testing.B, address string) {
	office := serveDemo(b, demo.Small, 1)
	benchmarkPage(b, office, address, func() { office.db.changed.Add(1) })
}

// benchmarkPage measures requests of a page. It calls the function in the argument before
// ahead of each request.
func benchmarkPage(b *testing.B, office *backOffice, address string, before func()) {
	handler := office.site.tools.Protect(office.site.router)
	browser := office.as(b, "viewer")
	r := browser.request(http.MethodGet, address, "")
	r.AddCookie(browser.sessionCookie())
	r.RequestURI = address // as in a request from the network
	b.ReportAllocs()
	for b.Loop() {
		before()
		w := &discard{header: http.Header{}}
		handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatalf("%s: got status %d, want 200", address, w.status)
		}
	}
}

func serveDemo(b *testing.B, size demo.Size, shards int) *backOffice {
	office := serveOnly(b)
	saveShards(b, office.store, shards)
	if _, err := office.store.Load(b.Context(), demo.Business(storetest.Now, size), store.LoadOptions{}); err != nil {
		b.Fatal(err)
	}
	return office
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
