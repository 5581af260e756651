package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// earlierVisit returns a visit of each user to Today in the previous month.
func earlierVisit() []store.Entity {
	var visits []store.Entity
	for _, u := range users {
		visits = append(visits, &store.Visit{User: u.Name, Began: storetest.Now.AddDate(0, 0, -25), Version: 1})
	}
	return visits
}

// newest matches a field in the form that dismisses the news.
var newest = regexp.MustCompile(`name="newest" value="([^"]+)"`)

// dismiss dismisses the news on Today, without JavaScript.
func (b *browser) dismiss(page string) answer {
	b.t.Helper()
	found := newest.FindStringSubmatch(page)
	if found == nil || !strings.Contains(page, `<form method="post" action="/today/dismiss">`) {
		b.t.Fatalf("got no form that dismisses the news:\n%s", page)
	}
	return b.post("/today/dismiss", url.Values{"newest": {found[1]}})
}

// TestToday_ShowsNews opens Today several times, with changes in between. The page must
// show the time of the last visit, escape user input, link to the records, and hide news
// that was dismissed.
func TestToday_ShowsNews(t *testing.T) {
	b := open(t)
	b.store.WaitForTouches()
	roles := []string{"viewer", "auditor", "support", "manager", "outsider", "admin"}
	for _, name := range roles {
		if page := wholeToday(b.as(t, name)).body; strings.Contains(page, "your last visit") {
			t.Errorf("first visit of %s: got the time of a last visit, want none", name)
		}
	}
	b.clock.Advance(time.Hour)
	for _, name := range roles {
		if page := wholeToday(b.as(t, name)).body; !strings.Contains(page, "Nothing new since your last visit on Sat 21 Nov, ") || strings.Contains(page, "Dismiss") {
			t.Errorf("%s: got no line that says that nothing is new", name)
		}
	}
	b.clock.Advance(time.Hour)
	support := b.as(t, "support")
	const hostile = "<script>alert(1)</script> \"a\" & b \u202eabc"
	notes := url.Values{"note": {hostile + " 4111 1111 1111 1111"}, "for": {"manager", "viewer"}}
	if got := support.post("/kayaks/k10/notes", notes); got.status != http.StatusSeeOther {
		t.Fatalf("note: got status %d, want 303: %s", got.status, got.body)
	}
	if got := support.post("/orders/o0001/notes", url.Values{"note": {"x"}, "for": {"owner"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("note for an unknown role: got status %d, want 422", got.status)
	}
	admin := b.store.As(&store.User{Name: "other", Role: store.Admin})
	item, err := admin.StockItem(t.Context(), "p01", "w1")
	if err == nil {
		err = admin.CountStock(t.Context(), store.StockForm{ProductID: "p01", WarehouseID: "w1", Seen: item.Version, Reason: "x"}, item.Quantity+1)
	}
	if err != nil {
		t.Fatal(err)
	}
	note, counted := `<a href="/kayaks/k10" dir="auto">Kayak k10</a>`, `<a href="/products/p01/stock/w1" dir="auto">Product p01</a>`
	for name, want := range map[string]struct{ note, counted bool }{
		"viewer": {true, true}, "auditor": {false, true}, "support": {false, false}, "manager": {true, true}, "outsider": {false, false}, "admin": {false, true},
	} {
		browser := b.as(t, name)
		page := content(wholeToday(browser).body)
		if strings.Contains(page, note) != want.note || strings.Contains(page, counted) != want.counted {
			t.Errorf("%s: got note %v, count %v; want %+v", name, strings.Contains(page, note), strings.Contains(page, counted), want)
		}
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "4111 1111") {
			t.Errorf("%s: got the text of the note unescaped, or with a card number", name)
		}
		if linked := strings.Contains(page, `href="/admin/events?from=2026-11-21"`); linked != (name == "auditor" || name == "admin") {
			t.Errorf("%s: got a link to the history: %v", name, linked)
		}
		if !want.note && !want.counted {
			continue
		}
		if got := browser.dismiss(page); got.status != http.StatusSeeOther || got.location != "/" {
			t.Errorf("%s: dismissing: got status %d to %q, want 303 to %q", name, got.status, got.location, "/")
		}
		b.clock.Advance(time.Minute)
		if page := content(wholeToday(b.as(t, name)).body); strings.Contains(page, note) || strings.Contains(page, counted) {
			t.Errorf("%s: got dismissed news again", name)
		}
	}
	if got := support.post("/today/dismiss", url.Values{"newest": {"x"}}); got.status != http.StatusUnprocessableEntity {
		t.Errorf("malformed form: got status %d, want 422", got.status)
	}
}

// TestToday_ShowsNotesAtFirstVisit adds a note for a role. When a user with this role
// opens Today for the first time, the page must show the note and no time of a last
// visit. It must keep showing the note until the user dismisses it.
func TestToday_ShowsNotesAtFirstVisit(t *testing.T) {
	b := open(t)
	b.store.WaitForTouches()
	if got := b.as(t, "support").post("/kayaks/k10/notes", url.Values{"note": {"Check the rudder"}, "for": {"manager"}}); got.status != http.StatusSeeOther {
		t.Fatalf("note: got status %d, want 303: %s", got.status, got.body)
	}
	b.clock.Advance(time.Hour)
	if page := content(wholeToday(b.as(t, "viewer")).body); strings.Contains(page, "Notes for your role") {
		t.Error("viewer: got a card without notes")
	}
	manager := b.as(t, "manager")
	for range 2 {
		page := content(wholeToday(manager).body)
		for _, want := range []string{"<h2>Notes for your role</h2>", "1 note for your role", "Check the rudder", "until you dismiss them"} {
			if !strings.Contains(page, want) {
				t.Errorf("got no %q in:\n%s", want, page)
			}
		}
		if strings.Contains(page, "your last visit") {
			t.Error("got the time of a last visit, want none")
		}
	}
	if got := manager.dismiss(content(wholeToday(manager).body)); got.status != http.StatusSeeOther {
		t.Errorf("dismissing: got status %d, want 303", got.status)
	}
	if page := content(wholeToday(manager).body); strings.Contains(page, "Check the rudder") {
		t.Error("got the note after it was dismissed")
	}
}

// TestForbidden_OffersNoteForRoles opens a page that the role may not open. The error page
// must link to a form that sends a note to the roles that may open the page.
func TestForbidden_OffersNoteForRoles(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	page := manager.get("/orders/o0001/return").body
	const path = "/orders/o0001/notes?for=support&amp;for=admin"
	if !strings.Contains(page, `href="`+path+`"`) {
		t.Fatalf("got no link to %s:\n%s", path, page)
	}
	form := manager.get("/orders/o0001/notes?for=support&for=admin").body
	for role, want := range map[string]bool{"viewer": false, "auditor": false, "support": true, "manager": false, "admin": true} {
		if got := strings.Contains(form, `<input type="checkbox" name="for" value="`+role+`" checked`); got != want {
			t.Errorf("%s: got checked %v, want %v", role, got, want)
		}
	}
	if got := manager.post("/orders/o0001/notes", url.Values{"note": {" "}, "for": {"admin"}}); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `value="admin" checked`) {
		t.Errorf("empty note: got status %d, or the chosen role was lost", got.status)
	}
}

// TestNotes_OnProductsAndStock adds notes to a product and to its stock in a warehouse.
// Each page must show its own notes, and Today must link to both. The link for a note on
// an invoice or a shipment must lead to the note form of its order.
func TestNotes_OnProductsAndStock(t *testing.T) {
	b := open(t, openOrder()...)
	support := b.as(t, "support")
	for path, text := range map[string]string{"/products/p07": "The price looks wrong", "/products/p07/stock/w1": "Two boxes are wet"} {
		if got := support.post(path+"/notes", url.Values{"note": {text}, "for": {"manager", "admin"}}); got.status != http.StatusSeeOther || got.location != path {
			t.Fatalf("%s: got status %d to %q, want 303 to %q", path, got.status, got.location, path)
		}
	}
	for path, texts := range map[string][2]string{
		"/products/p07": {"The price looks wrong", "Two boxes are wet"}, "/products/p07/stock/w1": {"Two boxes are wet", "The price looks wrong"},
	} {
		if page := b.as(t, "manager").get(path).body; !strings.Contains(page, texts[0]) || strings.Contains(page, texts[1]) {
			t.Errorf("%s: got the wrong notes, want %q", path, texts[0])
		}
	}
	b.as(t, "admin").get("/").want(t, http.StatusOK, `href="/products/p07/stock/w1"`, "Stock of product p07 in w1", `href="/products/p07"`)
	for path, want := range map[string]string{"/invoices/iopen/notes": "/orders/open/notes", "/shipments/sopen/notes": "/orders/open/notes"} {
		if got := support.get(path + "?for=admin"); got.location != want+"?for=admin" {
			t.Errorf("%s: got status %d to %q, want %s", path, got.status, got.location, want)
		}
	}
}
