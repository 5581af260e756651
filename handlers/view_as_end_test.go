package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

const viewHasEnded = "You are no longer viewing the site as someone else."

// viewCookie returns the cookie for viewing the site as another user, or nil.
func (b *browser) viewCookie() *http.Cookie {
	for _, cookie := range b.Jar.Cookies(b.request(http.MethodGet, "/", "").URL) {
		if cookie.Name == "view-as" {
			return cookie
		}
	}
	return nil
}

// useEvery20Minutes sends a search request every 20 minutes, as a script does while the
// user types, so that the session does not expire. It opens no page, because a page would
// delete the cookie of an ended view.
func (b *browser) useEvery20Minutes(clock interface{ Advance(time.Duration) }, times int) {
	b.t.Helper()
	for range times {
		clock.Advance(20 * time.Minute)
		search := b.request(http.MethodGet, "/search?q=x", "")
		search.Header.Set("HX-Request", "true")
		if got := b.do(search); got.status != http.StatusOK {
			b.t.Fatalf("search while typing: got status %d, want 200", got.status)
		}
	}
}

// TestViewAs_FormNotKept submits a form that an admin opened while viewing the site as
// another user. The session has ended in the meantime. After sign-in, the form must not be
// submitted as the admin.
func TestViewAs_FormNotKept(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	admin.viewAs(store.ViewAsRole(store.Support))
	b.endSessions(t)
	got := admin.post("/customers/c01/notes", url.Values{"note": {"from a view"}})
	if got.location != "/login" || hiddenFields(got.body).Has("form") {
		t.Errorf("got status %d to %q, want a redirect to /login without the form", got.status, got.location)
	}
	if admin.viewCookie() != nil {
		t.Error("got the cookie of the view, want none")
	}
}

// TestViewAs_RejectsFormAfterEnd submits a form that an admin opened while viewing the site
// as another user. The view has ended because an hour has passed, or because its cookie
// cannot be read. The form must be rejected.
func TestViewAs_RejectsFormAfterEnd(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(*backOffice, *browser)
	}{
		{"after an hour", func(b *backOffice, admin *browser) { admin.useEvery20Minutes(b.clock, 3) }},
		{"unreadable cookie", func(_ *backOffice, admin *browser) {
			address := admin.request(http.MethodGet, "/", "").URL
			admin.Jar.SetCookies(address, []*http.Cookie{{Name: "view-as", Value: "x", Path: "/"}})
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := open(t)
			admin := b.as(t, "admin")
			admin.viewAs(store.ViewAsRole(store.Support))
			tt.end(b, admin)
			before := b.items(t)
			if got := admin.post("/customers/c01/notes", url.Values{"note": {"from a view"}}); got.status != http.StatusForbidden || !strings.Contains(got.body, viewHasEnded) {
				t.Errorf("form: got status %d to %q, want 403 and %q", got.status, got.location, viewHasEnded)
			}
			b.expectItems(t, before)
			if admin.viewCookie() != nil {
				t.Error("got the cookie of the view after a form was refused, want none")
			}
			if got := admin.post("/customers/c01/notes", url.Values{"note": {"from a view"}}); got.status != http.StatusSeeOther {
				t.Errorf("form of a new page: got status %d, want 303", got.status)
			}
		})
	}
}

// TestViewAs_NextPageEndsIt opens a page an hour after the admin started to view the site
// as another user. The page must be the admin's own, and the cookie of the view must be
// deleted.
func TestViewAs_NextPageEndsIt(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	admin.viewAs(store.ViewAsRole(store.Support))
	if cookie := admin.viewCookie(); cookie == nil {
		t.Fatal("got no cookie of the view")
	}
	admin.useEvery20Minutes(b.clock, 3)
	if admin.viewCookie() == nil {
		t.Fatal("a script deleted the cookie of the view, want it deleted by the next page")
	}
	if got := admin.get("/admin/users"); got.status != http.StatusOK || strings.Contains(got.body, "Nothing can be changed.</p>") {
		t.Errorf("got status %d, want the page of an admin", got.status)
	}
	if admin.viewCookie() != nil {
		t.Error("got the cookie of the view after the next page, want none")
	}
}

// TestViewAs_OtherTab stops viewing the site as another user in one tab. In another tab, a
// page of that user is still open. The test submits a form of this page, which must be
// rejected.
func TestViewAs_OtherTab(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	admin.viewAs(store.ViewAsRole(store.Support))
	form := hiddenFields(admin.get("/customers/c01").body)
	if !form.Has("once") {
		t.Fatal("got a page without a form")
	}
	if got := admin.post("/view-as/end", nil); got.location != "/admin/users" {
		t.Fatalf("stop viewing: got status %d to %q, want %q", got.status, got.location, "/admin/users")
	}
	before := b.items(t)
	got := admin.post("/customers/c01/notes", url.Values{"note": {"x"}, "once": {form.Get("once")}})
	if got.status != http.StatusForbidden || !strings.Contains(got.body, viewHasEnded) {
		t.Errorf("got status %d to %q, want 403 and %q", got.status, got.location, viewHasEnded)
	}
	b.expectItems(t, before)
}
