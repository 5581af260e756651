package metrics_test

import (
	"net/http"
	"testing"
	"time"

	"stockroom/handlers/metrics"
	"stockroom/store"
)

// BenchmarkMetrics measures the counting of a page request with one table request.
func BenchmarkMetrics(b *testing.B) {
	m := metrics.New()
	b.ReportAllocs()
	for b.Loop() {
		m.Cost("GET /orders/:id", "", store.Viewer, store.Cost{Requests: 1, HalfReads: 1})
		m.Request(http.MethodGet, "/orders/:id", http.StatusOK, 3*time.Millisecond)
	}
}
