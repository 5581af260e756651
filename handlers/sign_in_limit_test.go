package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"testing"
	"time"
)

// guess tries wrong passwords for the admin from one address, five per second for a
// minute. At least 290 of the 300 attempts must be blocked.
func (b *backOffice) guess(t *testing.T, address string) {
	t.Helper()
	attacker, blocked := b.from(t, address), 0
	for range 60 {
		for range 5 {
			if attacker.signIn("admin", "wrong").status == http.StatusTooManyRequests {
				blocked++
			}
		}
		b.clock.Advance(time.Second)
	}
	if blocked < 290 {
		t.Errorf("got %d of 300 attempts blocked, want at least 290", blocked)
	}
}

// TestSignIn_NobodyLocksOutOthers guesses the admin's password from one network. The
// admin must still be able to sign in from another network, and from a known browser in
// the same network.
func TestSignIn_NobodyLocksOutOthers(t *testing.T) {
	b := open(t)
	known := b.from(t, "127.0.0.66")
	if got := known.signIn("admin", password); got.status != http.StatusSeeOther {
		t.Fatalf("before: got status %d, want 303", got.status)
	}
	b.guess(t, "127.0.0.66")
	if got := b.from(t, "127.0.0.77").signIn("admin", password); got.status != http.StatusSeeOther {
		t.Errorf("another network: got status %d, want 303", got.status)
	}
	if got := known.signIn("admin", password); got.status != http.StatusSeeOther {
		t.Errorf("known browser: got status %d, want 303", got.status)
	}
	if got := b.from(t, "127.0.0.66").signIn("admin", password); got.status != http.StatusTooManyRequests {
		t.Errorf("unknown browser: got status %d, want 429", got.status)
	}
}

// TestSignIn_LimitsKnownDevices guesses passwords in a browser from which the user has
// signed in before. These attempts must also be limited.
func TestSignIn_LimitsKnownDevices(t *testing.T) {
	b := open(t)
	known := b.as(t, "viewer")
	for range 5 {
		known.signIn("viewer", "wrong")
	}
	if got := known.signIn("viewer", password); got.status != http.StatusTooManyRequests {
		t.Errorf("sixth attempt: got status %d, want 429", got.status)
	}
	b.clock.Advance(10 * time.Second)
	if got := known.signIn("viewer", password); got.status != http.StatusSeeOther {
		t.Errorf("after the wait: got status %d, want 303", got.status)
	}
}

// TestSignIn_CountsOnlyWrongPasswords enters four wrong passwords. It then tries to sign
// in and to change the password while the user cannot be read. Only the wrong passwords
// must count.
func TestSignIn_CountsOnlyWrongPasswords(t *testing.T) {
	b := open(t)
	unknown, known := b.from(t, "127.0.0.66"), b.as(t, "viewer")
	for range 4 {
		unknown.signIn("viewer", "wrong")
		known.signIn("viewer", "wrong")
	}
	change := func(old, password string) answer {
		return known.post("/account/password", url.Values{"old": {old}, "password": {password}, "again": {password}})
	}
	broken := "user#viewer "
	b.db.broken.Store(&broken)
	for range 10 {
		if got := unknown.signIn("viewer", password); got.status != http.StatusInternalServerError {
			t.Fatalf("sign-in: got status %d, want 500", got.status)
		}
		if got := change(password, "another long one"); got.status != http.StatusInternalServerError {
			t.Fatalf("change: got status %d, want 500", got.status)
		}
	}
	b.db.broken.Store(nil)
	for range 10 {
		if got := change(password, "short"); got.status != http.StatusUnprocessableEntity {
			t.Fatalf("short password: got status %d, want 422", got.status)
		}
	}
	unknown.signIn("viewer", "wrong")
	known.signIn("viewer", "wrong")
	for name, browser := range map[string]*browser{"unknown": unknown, "known": known} {
		if got := browser.signIn("viewer", password); got.status != http.StatusTooManyRequests {
			t.Errorf("%s browser after five wrong passwords: got status %d, want 429", name, got.status)
		}
	}
}

// TestSignIn_ClearsLimits enters wrong passwords until the user name is blocked. Each way
// to clear the count of the user name must end the block.
func TestSignIn_ClearsLimits(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	lockOut := func() *browser {
		t.Helper()
		locked := b.from(t, "127.0.0.66")
		for range 6 {
			locked.signIn("viewer", "wrong")
		}
		if got := locked.signIn("viewer", password); got.status != http.StatusTooManyRequests {
			t.Fatalf("sixth attempt: got status %d, want 429", got.status)
		}
		return locked
	}
	edit := func(action string) answer {
		t.Helper()
		page := admin.get("/admin/users/viewer").body
		field := regexp.MustCompile(`name="(version|once)" value="([^"]*)"`)
		form := url.Values{}
		for _, m := range field.FindAllStringSubmatch(page, -1) {
			form.Set(m[1], m[2])
		}
		got := admin.post("/admin/users/viewer/"+action, form)
		if got.status >= http.StatusBadRequest {
			t.Fatalf("%s: got status %d: %s", action, got.status, content(got.body))
		}
		return got
	}
	locked := lockOut()
	edit("disable")
	edit("enable")
	if got := locked.signIn("viewer", password); got.status != http.StatusSeeOther {
		t.Errorf("after unlocking: got status %d, want 303", got.status)
	}
	locked = lockOut()
	if err := b.store.SetPassword(t.Context(), "viewer", "another long one", false, "test"); err != nil {
		t.Fatal(err)
	}
	if got := locked.signIn("viewer", "another long one"); got.status != http.StatusSeeOther {
		t.Errorf("after a new password: got status %d, want 303", got.status)
	}
	if err := b.store.SetPassword(t.Context(), "viewer", password, false, "test"); err != nil {
		t.Fatal(err)
	}
	locked = lockOut()
	once := regexp.MustCompile(`[a-z2-7]{5}(-[a-z2-7]{5}){3}-[a-z2-7]{6}`).FindString(edit("password").body)
	if got := locked.signIn("viewer", once); got.status != http.StatusSeeOther {
		t.Errorf("after a one-time password: got status %d, want 303", got.status)
	}
}
