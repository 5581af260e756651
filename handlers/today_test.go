package handlers

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestTodayIsWhatARoleActsOn also holds the charts to the orders: those of the
// shop's last day are in its totals.
func TestTodayIsWhatARoleActsOn(t *testing.T) {
	today := storetest.Now.Truncate(24 * time.Hour)
	b := open(t,
		&store.JobRun{Job: store.PaymentsJob, Date: today, State: store.JobLeft, JobCounts: store.JobCounts{Failed: 41, Declined: 2}, Version: 1},
		&store.Total{Kind: store.TotalOrders, Day: today, Count: 1234, Amount: store.MinorUnits(99), Version: 1},
	)
	for user, want := range map[string]struct{ shown, hidden []string }{
		"viewer":  {[]string{"1234", "Orders a day", "Open orders", "To be sent", "Unpaid invoices", "Kayaks due back", "Low stock, Göteborg", "Low stock, Borås", `href="/subscriptions?status=PAST_DUE">5<`}, nil},
		"support": {[]string{"1234", "Open orders", "Unpaid invoices", `href="/due">1<`, `href="/due?kind=reminder">0<`, `href="/jobs/payments/2026-11-21?show=failures">43<`}, []string{"Low stock", "Kayaks due back"}},
		"manager": {[]string{"To be sent", "Kayaks due back", "Low stock, Borås"}, []string{"1234", "Orders a day", "Unpaid invoices", "Low stock, Göteborg", "Payments due"}},
	} {
		page := b.as(t, user).get("/").body
		for _, part := range want.shown {
			if !strings.Contains(page, part) {
				t.Errorf("%s does not see %q", user, part)
			}
		}
		for _, part := range want.hidden {
			if strings.Contains(page, part) {
				t.Errorf("%s sees %q", user, part)
			}
		}
	}
}
