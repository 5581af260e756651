package handlers

import (
	"io"
	"log/slog"
	"net/http"
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
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
// in and through all that a request goes through.
func benchmark(b *testing.B, address string) {
	office := serveOnly(b, demo.Business(storetest.Now)...)
	keys, err := office.store.SessionKeys(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	handler, err := New(Config{Store: office.store, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), SessionKeys: keys})
	if err != nil {
		b.Fatal(err)
	}
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
}
