package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// withoutToken lists the forms that these tests skip. The forms for uploads have tests of
// their own. The others need no token, because a second submission changes nothing.
var withoutToken = []string{"/login", "/logout", "/theme", "/account/password", "/account/sessions/end", "/account/confirm", "/account/second-factor", "/account/second-factor/remove", "/account/passkeys", "/account/passkeys/remove", "/account/recovery-codes", "/login/code", "/login/passkey", "/login/forgot", "/data/import", "/admin/settings/logo", "/data/export", "/view-as/end"}

// TestForms_RefuseMissingToken submits every form without a token, except those in
// withoutToken. The server must reject each of them.
func TestForms_RefuseMissingToken(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	checked := 0
	for i := range b.site.rows {
		row := &b.site.rows[i]
		if row.method != http.MethodPost || slices.Contains(withoutToken, row.path) {
			continue
		}
		checked++
		r := admin.request(http.MethodPost, matrix["POST "+row.path].address, "")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		if got := admin.do(r); got.status != http.StatusBadRequest || !strings.Contains(got.body, "This form is incomplete. Reload the page and try again.") {
			t.Errorf("%s: got status %d to %q, want 400 with the reason", row.path, got.status, got.location)
		}
	}
	if checked < 40 {
		t.Errorf("got %d forms, want at least 40", checked)
	}
}

var (
	changeForm = regexp.MustCompile(`(?s)<form[^>]*method="post"[^>]*>.*?</form>`)
	formAction = regexp.MustCompile(`action="([^"]*)"`)
	hasToken   = regexp.MustCompile(`name="once" value="[0-9A-Z]{26}-[0-9A-Za-z_-]{22}-[0-9A-Za-z_-]{11}"`)
)

// TestForms_HaveToken checks that every form that makes a change contains a token,
// except the forms in withoutToken. It opens each page of the matrix.
func TestForms_HaveToken(t *testing.T) {
	b := open(t, slices.Concat(openOrder(), failedRun())...)
	admin := b.as(t, "admin")
	actions := map[string]bool{}
	for i := range b.site.rows {
		row := &b.site.rows[i]
		address := matrix["GET "+row.path].address
		if row.method != http.MethodGet || address == "" {
			continue
		}
		for _, form := range changeForm.FindAllString(admin.get(address).body, -1) {
			action := formAction.FindStringSubmatch(form)
			if action == nil {
				t.Errorf("%s: got a form without an address: %.200s", address, form)
				continue
			}
			path, _, _ := strings.Cut(action[1], "?")
			actions[path] = true
			if !slices.Contains(withoutToken, path) && !hasToken.MatchString(form) {
				t.Errorf("%s: the form of %s has no token", address, action[1])
			}
		}
	}
	if len(actions) < 40 {
		t.Errorf("got forms of %d addresses, want at least 40: %v", len(actions), actions)
	}
}

func TestNote_NotStoredTwice(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	form := url.Values{"note": {"call before delivery"}, "once": {admin.token("/orders/open")}}
	for range 2 {
		if got := admin.post("/orders/open/notes", form); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303", got.status)
		}
	}
	if got := strings.Count(admin.get("/orders/open.json").body, "call before delivery"); got != 1 {
		t.Errorf("got the note %d times, want once", got)
	}
}
