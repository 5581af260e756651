package handlers

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"stockroom/handlers/metrics"
)

// TestMetrics_AreBounded requests pages with new IDs, queries and paths. They may
// change the values of metrics, but must not add metrics or labels.
func TestMetrics_AreBounded(t *testing.T) {
	m := metrics.New()
	b := open(t)
	site, err := newSite(Config{Store: b.store, Jobs: b.site.jobs, Imports: b.imports, Log: slog.New(slog.DiscardHandler), SessionKeys: b.keys(t), RequestTimeout: requestTimeout, Metrics: m})
	if err != nil {
		t.Fatal(err)
	}
	b.site = site
	b.Config.Handler = site.tools.Protect(site.router)
	reader := b.as(t, "admin")
	visit := func(n int) {
		for _, address := range []string{"/orders/none-%d", "/customers?name=a%d", "/search?q=x%d", "/none/%d", "/static/none-%d.css", "/products/none-%d.json", "/orders?cursor=%d"} {
			response, err := reader.Get(b.URL + fmt.Sprintf(address, n))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
		request, err := http.NewRequestWithContext(t.Context(), fmt.Sprintf("METHOD%d", n), b.URL+"/orders", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := reader.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	visit(0)
	before := seriesOf(m)
	for n := range 100 {
		visit(n + 1)
	}
	if after := seriesOf(m); !slices.Equal(after, before) {
		t.Errorf("got series\n%s\nwant\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	for _, want := range []string{
		`stockroom_http_requests_total{method="GET",route="/orders/:id",status="404"}`,
		`stockroom_pattern_requests_total{pattern="getOrderDetailsByOrderId"}`,
	} {
		if !slices.Contains(before, want) {
			t.Errorf("got no %s in\n%s", want, strings.Join(before, "\n"))
		}
	}
}

// seriesOf returns the names and labels of the program's own metrics.
func seriesOf(m *metrics.Metrics) (series []string) {
	w := httptest.NewRecorder()
	m.Handler(false).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for line := range bytes.Lines(w.Body.Bytes()) {
		name := string(line[:bytes.LastIndexByte(line, ' ')])
		if strings.HasPrefix(name, "stockroom_") {
			series = append(series, name)
		}
	}
	return series
}
