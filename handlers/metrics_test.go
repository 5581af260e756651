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
	"time"

	"stockroom/handlers/metrics"
	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestMetrics_AreBounded sends 10,000 requests in all roles, with different IDs, queries,
// paths and methods, and runs a job. The requests may change the values of metrics, but
// must not add metrics or labels.
func TestMetrics_AreBounded(t *testing.T) {
	m := metrics.New()
	yesterday, today := storetest.Now.Truncate(24*time.Hour).AddDate(0, 0, -1), storetest.Now.Truncate(24*time.Hour)
	due := []store.Entity{subscriptionDue("s0", yesterday)}
	for n := range 50 {
		due = append(due, subscriptionDue(fmt.Sprintf("s%d", n+1), today))
	}
	b := open(t, due...)
	b.store.ObserveCosts(m.Cost)
	b.site.jobs.Observe = m.Step
	site, err := newSite(Config{Store: b.store, Jobs: b.site.jobs, Imports: b.imports, Log: slog.New(slog.DiscardHandler), SessionKeys: b.keys(t), RequestTimeout: requestTimeout, Metrics: m})
	if err != nil {
		t.Fatal(err)
	}
	b.site = site
	var browsers []*browser
	for _, name := range []string{"viewer", "auditor", "support", "manager", "admin", nobody} {
		browsers = append(browsers, b.as(t, name))
	}
	handler, sent := site.tools.Protect(site.router), 0
	send := func(reader *browser, method, path, body string) {
		r := httptest.NewRequestWithContext(t.Context(), method, b.URL+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		for _, cookie := range reader.Jar.Cookies(r.URL) {
			r.AddCookie(cookie)
		}
		handler.ServeHTTP(httptest.NewRecorder(), r)
		sent++
	}
	visit := func(n int) {
		for _, reader := range browsers {
			for _, address := range []string{"/orders/none-%d", "/search?q=x%d", "/none/%d", "/static/none-%d.css", "/products/none-%d.json", "/orders?cursor=%d"} {
				send(reader, http.MethodGet, fmt.Sprintf(address, n), "")
			}
			send(reader, http.MethodPost, "/customers/c01/notes", fmt.Sprintf("note=Note%d&once=%s", n, reader.signedToken(b.store.NewToken())))
			send(reader, http.MethodPost, fmt.Sprintf("/customers/none-%d/notes", n), "note=Note&once="+reader.signedToken(b.store.NewToken()))
			send(reader, fmt.Sprintf("METHOD%d", n), "/orders", "")
		}
	}
	remind := func(day time.Time, want int) {
		if report, err := b.site.jobs.Run(t.Context(), jobs.RunRequest{Job: store.RemindersJob, Date: day}); err != nil || report.Done != want {
			t.Fatalf("got %+v, %v; want %d reminders", report, err, want)
		}
	}
	visit(0)
	remind(yesterday, 1)
	before := seriesOf(m)
	for n := 1; sent < 10_000; n++ {
		visit(n)
	}
	remind(today, 50)
	if after := seriesOf(m); !slices.Equal(after, before) {
		for _, series := range after {
			if !slices.Contains(before, series) {
				t.Errorf("the load added %s", series)
			}
		}
	}
	for _, want := range []string{
		`stockroom_http_requests_total{method="GET",route="/orders/:id",status="404"}`,
		`stockroom_http_requests_total{method="POST",route="/customers/:id/notes",status="303"}`,
		`stockroom_pattern_requests_total{pattern="getOrderDetailsByOrderId"}`,
		`stockroom_cost_write_units_total{source="POST /customers/:id/notes"}`,
		`stockroom_cost_role_read_units_total{role="support"}`,
		`stockroom_job_steps_total{daily_job="reminders",outcome="REMINDED"}`,
		`stockroom_sessions`,
	} {
		if !slices.Contains(before, want) {
			t.Errorf("got no %s in\n%s", want, strings.Join(before, "\n"))
		}
	}
}

// subscriptionDue returns a subscription with a reminder that is due on the day.
func subscriptionDue(id string, day time.Time) *store.Subscription {
	payment := day.AddDate(0, 0, 7)
	return &store.Subscription{
		ID: id, AccountID: id, SKU: "PLAN", PlanName: "Tea", Email: id + "@example.com", Status: store.SubscriptionActive,
		PaymentDay: payment.Day(), PaymentAmount: store.MinorUnits(500), NextPaymentDate: payment, NextAttemptDate: payment, NextReminderDate: day, Version: 1,
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
