package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/views"
)

// TestRentals_KeepRequestBounds checks out the maximum number of kayaks until the last day
// that can be booked, moves the due day three times, and then checks the kayaks in early. The
// renter has booked some of the kayaks. Others have booked the rest, and their bookings move to
// other kayaks.
// The number of table requests must not exceed the bound of the route.
func TestRentals_KeepRequestBounds(t *testing.T) {
	b := open(t)
	admin := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	var kayaks []string
	for n := range store.MaxKayaks + 4 {
		id, err := admin.AddKayak(t.Context(), store.Kayak{StoreID: "s1", Name: fmt.Sprint("Tern ", n), Kind: "Touring"}, "")
		if err != nil {
			t.Fatal(err)
		}
		if len(kayaks) < store.MaxKayaks {
			kayaks = append(kayaks, id)
		}
	}
	today := storetest.Day(2026, time.November, 21)
	last := today.AddDate(0, 0, store.MaxBookingAhead)
	book := func(person, kayak string, day time.Time) {
		t.Helper()
		request := store.BookingRequest{StoreID: "s1", Person: person, KayakID: kayak, From: day, To: day}
		if kayak == "" {
			request.Kind = "Touring"
		}
		if _, err := admin.Book(t.Context(), request, ""); err != nil {
			t.Fatal(err)
		}
	}
	book("c02", "", today.AddDate(0, 0, 100)) // holds the first kayak, and moves to another one
	for n := range 2 {
		book("c01", kayaks[n+1], today.AddDate(0, 0, 30*n))
	}
	bounds := map[string]int{}
	for _, row := range routes(http.NotFoundHandler()) {
		bounds[row.method+" "+row.path] = row.reads.requests
	}
	browser := b.as(t, "admin")
	post := func(path string, form url.Values, least, status int) answer {
		t.Helper()
		before := b.db.requests.Load()
		got := browser.post("/stores/s1/"+path, form)
		requests, bound := int(b.db.requests.Load()-before), bounds["POST /stores/:id/"+path]
		if got.status != status || requests < least || requests > bound {
			t.Fatalf("%s: got status %d and %d table requests, want %d and %d to %d requests: %s", path, got.status, requests, status, least, bound, content(got.body))
		}
		return got
	}
	const weeks = store.MaxBookingAhead / 7
	form := url.Values{
		"once": {tokenFor("bounds")}, "kayaks": {strings.Join(kayaks, "\n")}, "person": {"customer1@example.com"}, "due": {last.AddDate(0, 0, -2).Format(time.DateOnly)},
		views.ButtonParam: {views.ButtonReview},
	}
	review := hiddenFields(post("check-out", form, 2*weeks, http.StatusOK).body)
	review.Set(views.ButtonParam, views.ButtonPlace)
	post("check-out", review, 4*weeks, http.StatusSeeOther)

	book("c01", kayaks[0], last.AddDate(0, 0, -1))
	book("c01", kayaks[1], last)
	before := b.db.requests.Load()
	page := browser.get("/stores/s1/extend?kayaks=" + url.QueryEscape(strings.Join(kayaks, "\n")))
	if n, bound := int(b.db.requests.Load()-before), bounds["GET /stores/:id/extend"]; page.status != http.StatusOK || n > bound {
		t.Errorf("form: got status %d and %d table requests, want 200 and at most %d", page.status, n, bound)
	}
	due := hiddenFields(page.body)
	due.Set("due", last.Format(time.DateOnly))
	post("extend", due, weeks, http.StatusSeeOther)
	due.Set("once", tokenFor("same day"))
	post("extend", due, 0, http.StatusConflict)
	due.Set("once", tokenFor("earlier"))
	due.Set("due", today.AddDate(0, 0, 1).Format(time.DateOnly))
	post("extend", due, 0, http.StatusSeeOther)
	due.Set("once", tokenFor("later"))
	due.Set("due", last.Format(time.DateOnly))
	post("extend", due, weeks, http.StatusSeeOther)
	back := hiddenFields(browser.get("/stores/s1/return?kayaks=" + url.QueryEscape(strings.Join(kayaks, "\n"))).body)
	post("return", back, weeks, http.StatusSeeOther)
}
