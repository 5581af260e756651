package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestStore_ShowsFirstRowsOnly checks that the page of a store with many overdue
// kayaks and rentals shows only the first rows, and links to the others.
func TestStore_ShowsFirstRowsOnly(t *testing.T) {
	day := storetest.Now.Truncate(24 * time.Hour)
	var more []store.Entity
	for i := range 60 {
		out := day.AddDate(0, 0, -20).Add(time.Duration(i) * time.Minute)
		rental := store.Rental{ID: fmt.Sprintf("more%02d", i), StoreID: "s1", PersonID: "c07", KayakID: fmt.Sprintf("late%02d", i), Out: out, Due: day.AddDate(0, 0, -3), Version: 1}
		more = append(more, &rental, &store.ActiveRental{
			StoreID: "s1", PersonID: "c07", KayakID: rental.KayakID, RentalID: rental.ID, Out: out, Due: rental.Due, Version: 1,
		})
	}
	browser := open(t, more...).as(t, "admin")
	page := browser.get("/stores/s1")
	_, overdue, found := strings.Cut(page.body, "<h2>Overdue</h2>")
	overdue, _, _ = strings.Cut(overdue, "</section>")
	if got := strings.Count(table(overdue), "<tr>"); !found || got != partRows {
		t.Errorf("got %d overdue kayaks, want the first %d", got, partRows)
	}
	next := neighbour(overdue, "next")
	if !strings.HasPrefix(next, "/stores/s1/overdue?") {
		t.Fatalf("got link %q to more overdue kayaks, want /stores/s1/overdue", next)
	}
	if got := browser.get(next); got.status != http.StatusOK || !strings.Contains(got.body, "/kayaks/late10") {
		t.Errorf("next page: got status %d or no late10, want 200 and late10", got.status)
	}
	if got := strings.Count(browser.get("/stores/s1/overdue.csv").body, "late"); got != 60 {
		t.Errorf("got %d overdue kayaks in the CSV file, want 60", got)
	}
	_, raw, _ := strings.Cut(page.body, `class="raw"`)
	if got := strings.Count(raw, "rentalRelationship</h3>"); got != partRows {
		t.Errorf("got %d raw rentals, want the %d that the page lists", got, partRows)
	}
}
