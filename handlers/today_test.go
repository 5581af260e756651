package handlers

import (
	"html"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestToday_ShowsWhatTheRoleNeeds opens Today as a viewer, as support and as a manager.
// Each must see the parts for the role and no others. The chart must show the stored
// total of the day.
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
		"viewer":  {[]string{"1,234 orders", "Orders per day", "Open orders", "Orders to ship", "Unpaid invoices", "Kayaks due back today", "Kayaks overdue", ">Göteborg<", ">Borås<", `href="/subscriptions?status=PAST_DUE" class="bad"><b>5<`}, []string{"Your warehouses", "Your stores"}},
		"support": {[]string{"1,234 orders", "Open orders", "Unpaid invoices", `href="/due" class="warn"><b>1<`, `href="/due?kind=reminder" class="nil"><b>0<`, `href="/due?span=behind"`, `href="/jobs/payments/2026-11-21?show=failures" class="bad"><b>43<`}, []string{"Low stock", "Kayaks due back"}},
		"manager": {[]string{"Orders to ship", "Kayaks due back", ">Borås<", "Your warehouses", "Your stores", "in your warehouses"}, []string{"1,234", "Orders per day", "Unpaid invoices", "Göteborg", "Payments due"}},
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

// TestToday_CountsMatchTheirLists follows the link of each count. The list must have as
// many rows as the count says. The count of failed payments is an exception: its list
// is only a part of a page.
func TestToday_CountsMatchTheirLists(t *testing.T) {
	b := open(t)
	for _, user := range users {
		browser := b.as(t, user.Name)
		counts := waitingCount.FindAllStringSubmatch(wholeToday(browser).body, -1)
		if len(counts) == 0 {
			t.Errorf("%s: got no counts, want some", user.Name)
		}
		for _, count := range counts {
			path, n, name := html.UnescapeString(count[1]), count[2], count[3]
			list := browser.get(path)
			if list.status != http.StatusOK {
				t.Errorf("%s: %s: %s: got status %d, want 200", user.Name, name, path, list.status)
			}
			if name == "Payments failed today" {
				continue // the list is a part of a page, so there is no file to count rows in
			}
			file, query, _ := strings.Cut(path, "?")
			rows := strings.Count(browser.get(file+".csv?"+query).body, "\r\n") - 1
			if strconv.Itoa(rows) != n {
				t.Errorf("%s: %s: got count %s, want the %d rows of %s", user.Name, name, n, rows, path)
			}
		}
	}
}

// TestToday_ShowsInvoicesToRefund opens Today with two invoices of which an amount must be
// refunded. It must show their number and the sum of these amounts, except for a manager.
func TestToday_ShowsInvoicesToRefund(t *testing.T) {
	invoice := func(id string, credit int64) store.Entity {
		return &store.Invoice{
			ID: id, OrderID: "o" + id, CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(100_00), Credit: store.MinorUnits(credit), Status: store.InvoicePaid, Version: 1,
			Payments: []store.Payment{{ID: "1", Type: "Visa", Amount: store.MinorUnits(100_00), Date: storetest.Now}},
		}
	}
	b := open(t, invoice("half", 50_00), invoice("part", 12_50), invoice("paid", 0))
	const figure = `<a href="/invoices?status=TO_REFUND" class="warn"><b>2</b><span class="what"> Invoices to refund</span><span class="sub" dir="auto">€62.50</span></a>`
	for user, want := range map[string]bool{"viewer": true, "auditor": true, "support": true, "manager": false, "admin": true} {
		if page := wholeToday(b.as(t, user)).body; strings.Contains(page, figure) != want {
			t.Errorf("%s: got the invoices to refund %t, want %t", user, !want, want)
		}
	}
}

var waitingCount = regexp.MustCompile(`<a href="([^"]*)"(?: class="[a-z]*")?><b>(\d+)</b><span class="what"> ([^<]*)<`)
