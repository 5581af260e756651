package handlers

import (
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

// sessionCookie returns the browser's session cookie, or nil.
func (b *browser) sessionCookie() *http.Cookie {
	b.t.Helper()
	home, err := url.Parse(b.home)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, cookie := range b.Jar.Cookies(home) {
		if cookie.Name == "stockroom" {
			return cookie
		}
	}
	return nil
}

// getWithCookie requests a page with this cookie and no other.
func (b *browser) getWithCookie(cookie *http.Cookie, path string) answer {
	b.t.Helper()
	r := b.request(http.MethodGet, path, "")
	r.AddCookie(cookie)
	return (&browser{b.t, b.home, b.office, &http.Client{CheckRedirect: b.CheckRedirect}}).do(r)
}

func TestSignIn_CreatesNewSession(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	first := browser.sessionCookie()
	if got := browser.signIn("viewer", password); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	second := browser.sessionCookie()
	if first.Value == second.Value {
		t.Error("got the previous session after signing in, want a new one")
	}
	if got := browser.getWithCookie(first, "/orders"); got.status != http.StatusSeeOther {
		t.Errorf("previous session: got status %d, want 303", got.status)
	}
	// An attacker could set a session cookie in the browser before the user signs in
	// (session fixation). Sign-in must not use that session.
	planted := b.browser(t)
	r := planted.request(http.MethodPost, "/login", url.Values{"username": {"viewer"}, "password": {password}}.Encode())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(&http.Cookie{Name: "stockroom", Value: second.Value})
	planted.do(r)
	if own := planted.sessionCookie(); own == nil || own.Value == second.Value {
		t.Error("got the planted session, want a new one")
	}
	if got := browser.get("/orders"); got.status != http.StatusSeeOther {
		t.Errorf("planted session: got status %d, want 303", got.status)
	}
}

func TestSignOut_EndsSession(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	cookie := browser.sessionCookie()
	if got := browser.post("/logout", nil); got.location != "/login" {
		t.Fatalf("signing out: got redirect to %q, want /login", got.location)
	}
	if page := browser.get("/login"); !strings.Contains(page.body, "You are signed out.") {
		t.Error("got no message after signing out")
	}
	if got := browser.getWithCookie(cookie, "/orders"); got.status != http.StatusSeeOther {
		t.Errorf("copy of the cookie: page: got status %d, want 303", got.status)
	}
	if got := browser.getWithCookie(cookie, "/orders.json"); got.status != http.StatusUnauthorized {
		t.Errorf("copy of the cookie: file: got status %d, want 401", got.status)
	}
}

func TestSession_Expires(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	b.clock.Advance(store.SessionIdle - time.Second)
	browser.expect(http.MethodGet, "/orders", http.StatusOK)
	b.clock.Advance(store.SessionIdle)
	browser.expect(http.MethodGet, "/orders", http.StatusSeeOther)

	busy := b.as(t, "viewer")
	for age := time.Duration(0); age < store.SessionLife-20*time.Minute; age += 20 * time.Minute {
		busy.expect(http.MethodGet, "/orders/o0001", http.StatusOK)
		b.clock.Advance(20 * time.Minute)
	}
	busy.expect(http.MethodGet, "/orders/o0001", http.StatusOK)
	b.clock.Advance(20 * time.Minute)
	busy.expect(http.MethodGet, "/orders/o0001", http.StatusSeeOther)
}

// TestSession_TimesOfSettings checks that sessions end after the times in the settings.
func TestSession_TimesOfSettings(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	change := func(idle, life, version string, want int) {
		form := url.Values{"currency": {"EUR"}, "timezone": {"UTC"}, "payments": {"record"}, "reminder": {"7"}, "receipt": {"183"}, "access": {"396"}, "idle": {idle}, "life": {life}, "version": {version}, "once": {admin.token("/admin/settings")}}
		admin.post("/admin/settings", form).want(t, want)
	}
	change("4", "12", "1", http.StatusUnprocessableEntity)
	change("121", "12", "1", http.StatusUnprocessableEntity)
	change("10", "25", "1", http.StatusUnprocessableEntity)
	change("10", "1", "1", http.StatusSeeOther)
	support := b.as(t, "support")
	b.clock.Advance(10*time.Minute - time.Second)
	support.expect(http.MethodGet, "/customers", http.StatusOK)
	b.clock.Advance(10 * time.Minute)
	support.expect(http.MethodGet, "/customers", http.StatusSeeOther)
	support = b.as(t, "support")
	for range 6 {
		support.expect(http.MethodGet, "/customers", http.StatusOK)
		b.clock.Advance(9 * time.Minute)
	}
	b.clock.Advance(6 * time.Minute)
	support.expect(http.MethodGet, "/customers", http.StatusSeeOther)
}

func TestChangePassword_EndsOtherSessions(t *testing.T) {
	b := open(t)
	here, there := b.as(t, "support"), b.as(t, "support")
	form := url.Values{"old": {password}, "password": {"another long one"}, "again": {"another long one"}}
	before := here.sessionCookie()
	if got := here.post("/account/password", form); got.status != http.StatusSeeOther || got.location != "/account" {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	if page := here.get("/account"); page.status != http.StatusOK || !strings.Contains(page.body, "Password changed.") {
		t.Errorf("got status %d or no message, want 200 and a message", page.status)
	}
	if page := here.get("/account"); strings.Contains(page.body, "Password changed.") {
		t.Error("got the message twice, want once")
	}
	there.expect(http.MethodGet, "/orders", http.StatusSeeOther)
	if got := here.getWithCookie(before, "/orders"); got.status != http.StatusSeeOther {
		t.Errorf("session before the change: got status %d, want 303", got.status)
	}
	if got := b.browser(t).signIn("support", password); got.status != http.StatusUnprocessableEntity {
		t.Errorf("old password: got status %d, want 422", got.status)
	}
}

func TestChangePassword_ShowsErrorsAtFields(t *testing.T) {
	b := open(t)
	browser := b.as(t, "support")
	for _, tt := range []struct{ old, password, again, want string }{
		{"wrong", "another long one", "another long one", "not your current password"},
		{password, "another long one", "another one", "do not match"},
		{password, "short", "short", "at least 8 characters"},
		{password, password, password, "differs from the current one"},
	} {
		got := browser.post("/account/password", url.Values{"old": {tt.old}, "password": {tt.password}, "again": {tt.again}})
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, tt.want) || strings.Contains(got.body, tt.password+`"`) {
			t.Errorf("%v: got status %d, want 422 and %q in %s", tt, got.status, tt.want, content(got.body))
		}
	}
	browser.expect(http.MethodGet, "/account", http.StatusOK)
}

func TestOneTimePassword_MustBeChanged(t *testing.T) {
	b := open(t)
	if err := b.store.AddUser(t.Context(), store.User{Name: "fresh", Role: store.Admin, MustChange: true}, password, "test"); err != nil {
		t.Fatal(err)
	}
	browser := b.browser(t)
	if got := browser.signIn("fresh", password); got.location != "/account/password" {
		t.Fatalf("sign-in: got redirect to %q, want /account/password", got.location)
	}
	for _, path := range []string{"/", "/orders", "/orders.json", "/customers/c01"} {
		if got := browser.get(path); got.location != "/account/password" {
			t.Errorf("%s: got status %d, redirect to %q; want /account/password", path, got.status, got.location)
		}
	}
	browser.expect(http.MethodGet, "/account/password", http.StatusOK)
	wrong := browser.post("/account/password", url.Values{"old": {"x"}, "password": {"another long one"}, "again": {"another long one"}})
	if wrong.status != http.StatusUnprocessableEntity || !strings.Contains(wrong.body, "not your current password") {
		t.Errorf("wrong password: got status %d, want 422: %s", wrong.status, wrong.body)
	}
	got := browser.post("/account/password", url.Values{"old": {password}, "password": {"another long one"}, "again": {"another long one"}})
	if got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	browser.expect(http.MethodGet, "/orders", http.StatusOK)
}

var sessionField = regexp.MustCompile(`name="session" value="([0-9a-f]{64})"`)

func TestAccount_EndsOwnSessions(t *testing.T) {
	b := open(t)
	here, there, other := b.as(t, "viewer"), b.as(t, "viewer"), b.as(t, "support")
	hashes := sessionField.FindAllStringSubmatch(there.get("/account").body, -1)
	if len(hashes) != 1 {
		t.Fatalf("got %d sessions to end, want only the one of the other browser", len(hashes))
	}
	form := url.Values{"session": {hashes[0][1]}}
	if got := other.post("/account/sessions/end", form); got.status != http.StatusNotFound {
		t.Errorf("another user's session: got status %d, want 404", got.status)
	}
	here.expect(http.MethodGet, "/orders", http.StatusOK)
	b.clock.Advance(store.ConfirmedLife)
	there.post("/account/sessions/end", form).want(t, http.StatusForbidden, "Confirm your identity")
	here.expect(http.MethodGet, "/orders", http.StatusOK)
	there.post("/account/confirm", url.Values{"secret": {password}}).want(t, http.StatusSeeOther)
	there.post("/account/sessions/end", form).want(t, http.StatusSeeOther)
	here.expect(http.MethodGet, "/orders", http.StatusSeeOther)
	there.expect(http.MethodGet, "/orders", http.StatusOK)
	other.expect(http.MethodGet, "/orders", http.StatusOK)
}

func TestSignIn_LimitsAttempts(t *testing.T) {
	b := open(t)
	browser := b.browser(t)
	for attempt := range 5 {
		if got := browser.signIn("admin", "wrong"); got.status != http.StatusUnprocessableEntity {
			t.Fatalf("attempt %d: got status %d, want 422", attempt, got.status)
		}
	}
	got := browser.signIn("admin", password)
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "10" || !strings.Contains(got.body, "in 10 seconds") || !strings.Contains(got.body, `value="admin"`) {
		t.Errorf("sixth attempt: got status %d, want 429 and the wait: %s", got.status, content(got.body))
	}
	b.clock.Advance(10 * time.Second)
	if got := browser.signIn("admin", password); got.status != http.StatusSeeOther {
		t.Errorf("after the wait: got status %d, want 303", got.status)
	}
}

// from returns a browser that connects from this local address.
func (b *backOffice) from(t *testing.T, address string) *browser {
	browser := b.browser(t)
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	browser.Transport = &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}
	return browser
}

func TestSignIn_HidesUnknownUsers(t *testing.T) {
	b := open(t)
	if unknown, wrong := b.browser(t).signIn("nobody", "x"), b.browser(t).signIn("viewer", "x"); words(unknown) != words(wrong) {
		t.Errorf("unknown user: got\n%s\nwant the page for a wrong password\n%s", words(unknown), words(wrong))
	}
}

var enteredName = regexp.MustCompile(`value="[a-z]+"`)

func words(a answer) string { return enteredName.ReplaceAllString(content(a.body), "") }

func TestSession_IgnoresInvalidCookies(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	good := browser.sessionCookie().Value
	for _, value := range []string{"", "x", good + "x", good[:len(good)-1], strings.Repeat("A", 3000), "%00", "MTIz|MTIz|MTIz", strings.ToUpper(good)} {
		if got := browser.getWithCookie(&http.Cookie{Name: "stockroom", Value: value}, "/orders"); got.status != http.StatusSeeOther {
			t.Errorf("cookie %.20q: got status %d, want 303", value, got.status)
		}
	}
	for _, name := range []string{"theme", "flash"} {
		if got := browser.getWithCookie(&http.Cookie{Name: name, Value: "<script>alert(1)</script>"}, "/login"); got.status != http.StatusOK || strings.Contains(got.body, "alert(1)") {
			t.Errorf("invalid %s cookie: got status %d or the script, want 200 and no script", name, got.status)
		}
	}
}
