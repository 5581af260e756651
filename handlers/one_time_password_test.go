package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

// formOf returns the version and the token in the forms of a page.
func formOf(page answer) url.Values {
	form := url.Values{}
	for _, m := range regexp.MustCompile(`name="(version|once)" value="([^"]*)"`).FindAllStringSubmatch(page.body, -1) {
		form.Set(m[1], m[2])
	}
	return form
}

// newOneTimePassword creates a one-time password for the user viewer.
func newOneTimePassword(t *testing.T, admin *browser) string {
	t.Helper()
	got := admin.post("/admin/users/viewer/password", formOf(admin.get("/admin/users/viewer")))
	once := regexp.MustCompile(`[a-z2-7]{5}(-[a-z2-7]{5}){3}-[a-z2-7]{6}`).FindString(got.body)
	if once == "" {
		t.Fatalf("got status %d and no password: %s", got.status, content(got.body))
	}
	return once
}

func TestOneTimePassword_OpensOneSession(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	once := newOneTimePassword(t, admin)
	first := b.browser(t)
	if got := first.signIn("viewer", once); got.location != "/account/password" {
		t.Fatalf("first use: got status %d and %q, want /account/password", got.status, got.location)
	}
	if got := b.browser(t).signIn("viewer", once); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "A one-time password works only once") {
		t.Errorf("second use: got status %d, want 422 and how to get another password", got.status)
	}
	got := first.post("/account/password", url.Values{"old": {once}, "password": {"another long one"}, "again": {"another long one"}})
	if got.status != http.StatusSeeOther {
		t.Errorf("new password in the first session: got status %d, want 303: %s", got.status, content(got.body))
	}
	first.expect(http.MethodGet, "/orders", http.StatusOK)
}

func TestOneTimePassword_Expires(t *testing.T) {
	b := open(t)
	once := newOneTimePassword(t, b.as(t, "admin"))
	b.clock.Advance(store.OneTimeLife - time.Second)
	if got := b.browser(t).signIn("viewer", once); got.location != "/account/password" {
		t.Errorf("before it expires: got status %d, want a redirect to /account/password", got.status)
	}
	once = newOneTimePassword(t, b.as(t, "admin"))
	b.clock.Advance(store.OneTimeLife)
	if got := b.browser(t).signIn("viewer", once); got.status != http.StatusUnprocessableEntity {
		t.Errorf("after 24 hours: got status %d, want 422", got.status)
	}
}

func TestChangePassword_RejectsCommonPasswords(t *testing.T) {
	b := open(t)
	got := b.as(t, "viewer").post("/account/password", url.Values{"old": {password}, "password": {"Password1"}, "again": {"Password1"}})
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "is common and easy to guess") {
		t.Errorf("got status %d, want 422 and the reason", got.status)
	}
}

func TestEndSessions_SignsUserOut(t *testing.T) {
	b := open(t)
	admin, viewer := b.as(t, "admin"), b.as(t, "viewer")
	page := admin.get("/admin/users/viewer")
	if !strings.Contains(page.body, "1 session") || !strings.Contains(page.body, "End sessions") {
		t.Errorf("got no session on the page of the user: %s", content(page.body))
	}
	if got := viewer.post("/admin/users/admin/sessions", formOf(page)); got.status != http.StatusForbidden {
		t.Errorf("viewer: got status %d, want 403", got.status)
	}
	for range 2 {
		if got := admin.post("/admin/users/viewer/sessions", formOf(page)); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	viewer.expect(http.MethodGet, "/orders", http.StatusSeeOther)
	page = admin.get("/admin/users/viewer")
	if !strings.Contains(page.body, "The user is not signed in.") {
		t.Error("got sessions after ending them, want none")
	}
	page = admin.get("/admin/users/viewer") // load the page again, without the message about the change
	if n := strings.Count(page.body, "Sessions ended"); n != 1 {
		t.Errorf("got %d events of ended sessions, want 1: %s", n, content(page.body))
	}
}
