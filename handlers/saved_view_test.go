package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestSaveView_AddsTabToList saves a list with its filters. The view must be among the
// tabs of this user only. The cursor must not be saved, because it is valid only for one
// user.
func TestSaveView_AddsTabToList(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	list := browser.get("/orders?status=PAID&from=2026-01-01").body
	offer := "/views/new?path=" + url.QueryEscape("/orders?status=PAID&from=2026-01-01")
	if !strings.Contains(list, `href="`+offer+`"`) {
		t.Fatal("got no link to save the list")
	}
	form := browser.get(offer).body
	if !strings.Contains(form, `value="/orders?status=PAID&amp;from=2026-01-01"`) || strings.Contains(form, `name="shared"`) {
		t.Errorf("got form %s, want the path and no checkbox to share it", form)
	}
	got := browser.post("/views/new", url.Values{"name": {"Paid in 2026"}, "path": {"/orders?status=PAID&from=2026-01-01&after=somewhere"}, "once": {b.store.NewToken()}})
	if got.status != http.StatusSeeOther || got.location != "/orders?from=2026-01-01&status=PAID" {
		t.Fatalf("saving: got status %d, redirect to %s; want 303 to the list", got.status, got.location)
	}
	page := browser.get(got.location)
	if page.status != http.StatusOK || !strings.Contains(tabsHTML(page.body), `href="/orders?from=2026-01-01&amp;status=PAID" aria-current="page" dir="auto"`) {
		t.Errorf("got status %d or no view among the tabs, want 200 and the view", page.status)
	}
	if other := b.as(t, "support").get("/orders").body; strings.Contains(tabsHTML(other), "Paid in 2026") {
		t.Error("got the view among the tabs of another user, want none")
	}
	if admin := b.as(t, "admin").get("/admin/events?by=viewer").body; !strings.Contains(admin, "View saved") {
		t.Error("got no entry in the history, want one")
	}
}

// tabsHTML returns the tabs of the list on a page.
func tabsHTML(page string) string {
	_, after, _ := strings.Cut(page, `<nav class="tabs"`)
	tabs, _, _ := strings.Cut(after, "</nav>")
	return tabs
}

// TestSaveView_RejectsOtherAddresses checks that only lists of this site that the user
// may open can be saved.
func TestSaveView_RejectsOtherAddresses(t *testing.T) {
	b := open(t)
	for _, user := range []string{"viewer", "admin"} {
		browser := b.as(t, user)
		for _, path := range []string{
			"", "orders", "//example.com/orders", "https://example.com/orders", "javascript:alert(1)", `/\example.com/orders`,
			"/orders/o0005", "/orders/new", "/logout", "/nowhere", "/orders/../admin/users/x", "/orders#x", "/orders?a=%zz", "/orders?status=OPEN&status=PAID",
			"/orders?x=" + strings.Repeat("x", 1000),
		} {
			got := browser.post("/views/new", url.Values{"name": {"A view"}, "path": {path}, "once": {b.store.NewToken()}})
			if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `href="#field-path"`) {
				t.Errorf("%s: %q: got status %d, want 422 and an error at the path", user, path, got.status)
			}
		}
		got := browser.post("/views/new", url.Values{"name": {"Users"}, "path": {"/admin/users"}, "once": {b.store.NewToken()}})
		if want := map[string]int{"viewer": http.StatusUnprocessableEntity, "admin": http.StatusSeeOther}[user]; got.status != want {
			t.Errorf("%s: list of users: got status %d, want %d", user, got.status, want)
		}
	}
	if got := b.as(t, "viewer").post("/views/new", url.Values{"name": {"All"}, "path": {"/orders"}, "shared": {"yes"}, "once": {b.store.NewToken()}}); got.status != http.StatusForbidden {
		t.Errorf("shared view of a viewer: got status %d, want 403", got.status)
	}
}

// TestPage_WithoutSavedViews opens a page while reads of saved views fail. The page must
// open, and the log must contain the reason.
func TestPage_WithoutSavedViews(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	broken := "views view#"
	b.db.broken.Store(&broken)
	if got := browser.get("/orders"); got.status != http.StatusOK || !strings.Contains(b.log.String(), "secret-host") {
		t.Errorf("got status %d or no reason in the log, want 200 and the reason", got.status)
	}
}

// TestSavedView_KeepsRelativeDays saves a list that starts 30 days ago. A week later,
// the saved view must start a week later too.
func TestSavedView_KeepsRelativeDays(t *testing.T) {
	order := func(id string, daysAgo int) store.Entity {
		return &store.Order{ID: id, CustomerID: "c01", Date: storetest.Now.AddDate(0, 0, -daysAgo), Status: store.OrderOpen, Version: 1}
	}
	b := open(t, order("older25", 25), order("older20", 20))
	saved := b.as(t, "viewer").post("/views/new", url.Values{"name": {"Last month"}, "path": {"/orders?from=30+days+ago"}, "once": {b.store.NewToken()}})
	if saved.location != "/orders?from=30+days+ago" {
		t.Fatalf("saving: got status %d, redirect to %s; want the words in the address", saved.status, saved.location)
	}
	lists := func(want25, want20 bool) {
		t.Helper()
		list := b.as(t, "viewer").get(saved.location + "&limit=200").body
		for id, want := range map[string]bool{"older25": want25, "older20": want20} {
			if strings.Contains(list, "/orders/"+id) != want {
				t.Errorf("%s: got order %s %t, want %t", b.clock.Now().Format(time.DateOnly), id, !want, want)
			}
		}
	}
	lists(true, true)
	b.clock.Advance(7 * 24 * time.Hour)
	lists(false, true)
}
