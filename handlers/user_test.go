package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	secret    = regexp.MustCompile(`<code class="secret">([^<]*)</code>`)
	formToken = regexp.MustCompile(`name="once" value="([^"]*)"`)
)

// token returns the token of the first form on a page.
func (b *browser) token(path string) string {
	b.t.Helper()
	found := formToken.FindStringSubmatch(b.get(path).body)
	if found == nil {
		b.t.Fatalf("%s: got no form, want one", path)
	}
	return found[1]
}

func TestAddUser_ShowsOneTimePassword(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	form := url.Values{"name": {"Mia"}, "role": {"manager"}, "scope": {"w#w1"}, "once": {browser.token("/admin/users")}}
	added := browser.post("/admin/users", form)
	found := secret.FindStringSubmatch(added.body)
	if added.status != http.StatusOK || found == nil {
		t.Fatalf("adding a user: got status %d or no password, want 200 and one: %s", added.status, added.body)
	}
	if again := browser.post("/admin/users", form); again.status != http.StatusConflict || secret.MatchString(again.body) {
		t.Errorf("same form again: got status %d or a password, want 409 and none", again.status)
	}
	mia := b.browser(t)
	if got := mia.signIn("mia", found[1]); got.status != http.StatusSeeOther {
		t.Fatalf("sign-in with the one-time password: got status %d, want 303", got.status)
	}
	if got := mia.get("/orders"); got.location != "/account/password" {
		t.Errorf("got redirect to %q, want /account/password", got.location)
	}
	for scope, status := range map[string]int{"w1": 422, "w#w1,store#": 422, "w#w1,w#w9": 422, "store#s99": 422, "": 422, "w#w1": 409} {
		form.Set("scope", scope)
		if got := browser.post("/admin/users", form); got.status != status || !strings.Contains(got.body, `value="Mia"`) {
			t.Errorf("scope %q: got status %d, want %d and the input", scope, got.status, status)
		}
	}
	for _, path := range []string{"/admin/users", "/admin/users/mia", "/admin/users/mia.json", "/admin/users.csv", "/admin/events?about=user%23mia"} {
		if got := browser.get(path).body; strings.Contains(got, "argon2id") || strings.Contains(got, found[1]) {
			t.Errorf("%s: got a password or its hash, want neither", path)
		}
	}
}

func TestChangeRole_ChecksVersion(t *testing.T) {
	b := open(t)
	browser, viewer := b.as(t, "admin"), b.as(t, "viewer")
	change := func(version, role, scope string) answer {
		return browser.post("/admin/users/viewer/role", url.Values{"role": {role}, "scope": {scope}, "version": {version}, "once": {browser.token("/admin/users/viewer")}})
	}
	if got := change("1", "manager", "w#w2"); got.location != "/admin/users/viewer" {
		t.Fatalf("got status %d, want 303: %s", got.status, got.body)
	}
	if got := viewer.get("/orders"); got.status != http.StatusSeeOther {
		t.Errorf("session of the old role: got status %d, want 303", got.status)
	}
	got := change("1", "support", "")
	if got.status != http.StatusConflict || !strings.Contains(got.body, "Now saved as: <b dir=\"auto\">w#w2</b>") || !strings.Contains(got.body, `value="support" selected`) {
		t.Errorf("form of an old version: got status %d, want 409: %s", got.status, got.body)
	}
	if got := change("2", "manager", "w#w2,w#w9"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "No warehouse has the ID w9.") {
		t.Errorf("unknown warehouse: got status %d, want 422", got.status)
	}
	if got := change("2", "support", "w#w1"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Only managers can have a scope.") {
		t.Errorf("scope of a non-manager: got status %d, want 422", got.status)
	}
	history := browser.get("/admin/events?by=admin").body
	if !strings.Contains(history, "Role changed") || !strings.Contains(history, "manager of w#w2") {
		t.Errorf("history: got %s, want the role change", history)
	}
	if csv := browser.get("/admin/events.csv?about=user%23viewer").body; !strings.Contains(csv, ",admin,\"Role changed\",user#viewer,viewer,\"manager of w#w2\",") {
		t.Errorf("history as CSV: got %s, want the role change", csv)
	}
}
