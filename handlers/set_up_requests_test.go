package handlers

import (
	"strings"
	"testing"
)

// TestToday_OfNewBusiness opens Today with an empty table several times, and again after
// the first step of setting up. Before this step, each page must make at most todayRequests
// requests, show the card "Set up your business", and name at most one time at which older
// parts of the page were read. The last page must show the step as done.
func TestToday_OfNewBusiness(t *testing.T) {
	b := serveOnly(t)
	admin := b.as(t, "admin")
	for range 4 {
		before := b.db.requests.Load()
		page := content(admin.get("/").body)
		if requests := b.db.requests.Load() - before; requests > todayRequests {
			t.Errorf("got %d table requests, want at most %d", requests, todayRequests)
		}
		if !strings.Contains(page, "Set up your business") || strings.Count(page, "As of ") > 1 {
			t.Errorf("got no card, or several notes of age: %s", page)
		}
	}
	if got := admin.post("/warehouses/new", addForms["warehouse"].with("First", "warehouse")); got.location == "" {
		t.Fatalf("warehouse: got status %d: %s", got.status, content(got.body))
	}
	if page := content(admin.get("/").body); !strings.Contains(page, "Done: </span>Add a warehouse") {
		t.Errorf("got a page on which the step of the warehouse is not done: %s", page)
	}
}
