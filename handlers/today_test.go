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

// TestToday_ShowsWhatTheRoleNeeds opens the page as each role. The chart must show
// the stored total of the day.
func TestToday_ShowsWhatTheRoleNeeds(t *testing.T) {
	today := storetest.Now.Truncate(24 * time.Hour)
	b := open(t,
		&store.JobRun{Job: store.PaymentsJob, Date: today, State: store.JobIncomplete, JobCounts: store.JobCounts{Failed: 41, Declined: 2}, Version: 1},
	)
	total := &store.Total{Kind: store.TotalOrders, Day: today, Count: 1234, Amount: store.MinorUnits(99).Sum(), Version: 1}
	if loaded, err := b.store.Load(t.Context(), []store.Entity{total}, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	for user, want := range map[string]struct{ shown, hidden []string }{
		"viewer":  {[]string{"1234", "Orders per day", "Open orders", "To ship", "Unpaid invoices", "Kayaks due back", "Low stock, Göteborg", "Low stock, Borås", `href="/subscriptions?status=PAST_DUE">5<`}, nil},
		"support": {[]string{"1234", "Open orders", "Unpaid invoices", `href="/due">1<`, `href="/due?kind=reminder">0<`, `href="/due?span=behind">`, `href="/jobs/payments/2026-11-21?show=failures">43<`}, []string{"Low stock", "Kayaks due back"}},
		"manager": {[]string{"To ship", "Kayaks due back", "Low stock, Borås"}, []string{"1234", "Orders per day", "Unpaid invoices", "Low stock, Göteborg", "Payments due"}},
	} {
		page := content(wholeToday(b.as(t, user)).body)
		for _, part := range want.shown {
			if !strings.Contains(page, part) {
				t.Errorf("%s: got no %q, want it", user, part)
			}
		}
		for _, part := range want.hidden {
			if strings.Contains(page, part) {
				t.Errorf("%s: got %q, want it hidden", user, part)
			}
		}
	}
}

// TestToday_CountsMatchTheirLists follows the link of each count. The list must have
// this number of rows.
func TestToday_CountsMatchTheirLists(t *testing.T) {
	b := open(t)
	for _, user := range users {
		browser := b.as(t, user.Name)
		counts := waitingCount.FindAllStringSubmatch(wholeToday(browser).body, -1)
		if len(counts) == 0 {
			t.Errorf("%s: got no counts, want some", user.Name)
		}
		for _, count := range counts {
			name, path, n := count[1], html.UnescapeString(count[2]), count[3]
			list := browser.get(path)
			if list.status != http.StatusOK {
				t.Errorf("%s: %s: %s: got status %d, want 200", user.Name, name, path, list.status)
			}
			if !slices.Contains([]string{"Open orders", "To ship", "Unpaid invoices", "Past due", "Payments behind"}, name) {
				continue // these lists also contain other rows
			}
			file, query, _ := strings.Cut(path, "?")
			rows := strings.Count(browser.get(file+".csv?"+query).body, "\r\n") - 1
			if strconv.Itoa(rows) != n {
				t.Errorf("%s: %s: got count %s, want the %d rows of %s", user.Name, name, n, rows, path)
			}
		}
	}
}

var waitingCount = regexp.MustCompile(`<dt>([^<]*)</dt><dd><a href="([^"]*)">(\d+)<`)
