package handlers

import (
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
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
		&store.JobRun{Job: store.PaymentsJob, Date: today, State: store.JobIncomplete, JobCounts: store.JobCounts{Failed: 41, Declined: 2}, Version: 1},
		&store.Total{Kind: store.TotalOrders, Day: today, Count: 1234, Amount: store.MinorUnits(99), Version: 1},
	)
	for user, want := range map[string]struct{ shown, hidden []string }{
		"viewer":  {[]string{"1234", "Orders per day", "Open orders", "To ship", "Unpaid invoices", "Kayaks due back", "Low stock, Göteborg", "Low stock, Borås", `href="/subscriptions?status=PAST_DUE">5<`}, nil},
		"support": {[]string{"1234", "Open orders", "Unpaid invoices", `href="/due">1<`, `href="/due?kind=reminder">0<`, `href="/jobs/payments/2026-11-21?show=failures">43<`}, []string{"Low stock", "Kayaks due back"}},
		"manager": {[]string{"To ship", "Kayaks due back", "Low stock, Borås"}, []string{"1234", "Orders per day", "Unpaid invoices", "Low stock, Göteborg", "Payments due"}},
	} {
		page := wholeToday(b.as(t, user)).body
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

// TestCountsLeadToTheirLists follows every count of the first page: its list
// has as many rows, of everything that this user may see.
func TestCountsLeadToTheirLists(t *testing.T) {
	b := open(t)
	for _, user := range users {
		browser := b.as(t, user.Name)
		counts := waitingCount.FindAllStringSubmatch(wholeToday(browser).body, -1)
		if len(counts) == 0 {
			t.Errorf("nothing waits for %s", user.Name)
		}
		for _, count := range counts {
			name, path, n := count[1], html.UnescapeString(count[2]), count[3]
			list := browser.get(path)
			if list.status != http.StatusOK {
				t.Errorf("%s: %s leads %s to a page that is %d", name, path, user.Name, list.status)
			}
			if !slices.Contains([]string{"Open orders", "To ship", "Unpaid invoices", "Past due"}, name) {
				continue // the others lead to a page that shows more than what they count
			}
			file, query, _ := strings.Cut(path, "?")
			rows := strings.Count(browser.get(file+".csv?"+query).body, "\r\n") - 1
			if strconv.Itoa(rows) != n {
				t.Errorf("%s: %s are %s for %s, and their list has %d", path, name, n, user.Name, rows)
			}
		}
	}
}

var waitingCount = regexp.MustCompile(`<dt>([^<]*)</dt><dd><a href="([^"]*)">(\d+)<`)
