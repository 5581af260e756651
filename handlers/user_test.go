package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"stockroom/store"
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
	for scope, status := range map[string]int{"w#w1,store#": 422, "w#w1,w#w9": 422, "store#s99": 422, "": 422, "w#w1": 409} {
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
	if got.status != http.StatusConflict || !strings.Contains(got.body, "Currently: <b dir=\"auto\">Århus</b>") || !strings.Contains(got.body, `value="support" selected`) {
		t.Errorf("form of an old version: got status %d, want 409: %s", got.status, got.body)
	}
	if got := change("2", "manager", "w#w9"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "No place found for “w#w9”.") {
		t.Errorf("unknown warehouse: got status %d, want 422", got.status)
	}
	if got := change("2", "support", "w#w1"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Only managers can have warehouses or stores.") {
		t.Errorf("scope of a non-manager: got status %d, want 422", got.status)
	}
	unknown := url.Values{"role": {"manager"}, "places": {"w#w2", "w#w9"}, "version": {"2"}, "once": {browser.token("/admin/users/viewer")}}
	if got := browser.post("/admin/users/viewer/role", unknown); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "No warehouse has the ID w9.") {
		t.Errorf("unknown ID: got status %d, want 422: %s", got.status, content(got.body))
	}
	history := browser.get("/admin/events?by=admin").body
	if !strings.Contains(history, "Role changed") || !strings.Contains(history, "manager of w#w2") {
		t.Errorf("history: got %s, want the role change", history)
	}
	if csv := browser.get("/admin/events.csv?about=user%23viewer").body; !strings.Contains(csv, ",admin,\"Role changed\",user#viewer,viewer,\"manager of w#w2\",") {
		t.Errorf("history as CSV: got %s, want the role change", csv)
	}
}

// TestUser_SaysThatNothingChanged saves the role that a user has, and unlocks a user who is
// not locked. The page must say that nothing changed, and the history must have no event.
func TestUser_SaysThatNothingChanged(t *testing.T) {
	admin := open(t).as(t, "admin")
	for path, want := range map[string]string{
		"/admin/users/viewer/role":   "Nothing changed. Role, warehouses and stores are the same as before.",
		"/admin/users/viewer/enable": "Nothing changed. The user is not locked.",
	} {
		form := url.Values{"version": {"1"}, "once": {tokenFor(path)}}
		if strings.HasSuffix(path, "/role") {
			form.Set("role", "viewer")
		}
		if got := admin.post(path, form); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
		}
		if page := admin.get("/admin/users/viewer"); !strings.Contains(page.body, want) {
			t.Errorf("%s: got no %q: %s", path, want, content(page.body))
		}
	}
	csv := admin.get("/admin/events.csv?about=user%23viewer")
	if csv.status != http.StatusOK || strings.Contains(csv.body, "Role changed") || strings.Contains(csv.body, "User unlocked") {
		t.Errorf("got status %d and %s, want 200 and no change in the history", csv.status, csv.body)
	}
}

// TestScope_ByName makes a user a manager. It adds warehouses and stores to the scope by
// name, one after the other, without JavaScript.
func TestScope_ByName(t *testing.T) {
	b := open(t, &store.RentalStore{ID: "w1", Name: "Brygga " + evil, Address: store.Address{City: "Borås"}, Version: 1})
	admin := b.as(t, "admin")
	const path = "/admin/users/viewer/role"
	send := func(form url.Values) answer {
		form.Set("role", "manager")
		form.Set("once", tokenFor("scope"))
		if form.Get("version") == "" {
			form.Set("version", "1")
		}
		return admin.post(path, form)
	}
	ambiguous := send(url.Values{"scope": {"bor"}})
	for _, want := range []string{"Choose the place below", `name="scope-id" value="w#w1"`, `name="scope-id" value="store#w1"`, "Warehouse w1", "Store w1, Borås"} {
		if !strings.Contains(ambiguous.body, want) || ambiguous.status != http.StatusUnprocessableEntity || executable(ambiguous.body) != "" {
			t.Errorf("ambiguous: got status %d without %q: %s", ambiguous.status, want, content(ambiguous.body))
		}
	}
	added := send(url.Values{"scope": {"bor"}, "scope-was": {"bor"}, "scope-id": {"store#w1"}, "do": {"add"}})
	if added.status != http.StatusOK || !strings.Contains(added.body, `name="places" value="store#w1" checked`) || !strings.Contains(added.body, `value="manager" selected`) {
		t.Fatalf("one more: got status %d: %s", added.status, content(added.body))
	}
	if got := b.as(t, "admin").get("/admin/users/viewer.json").body; strings.Contains(got, "store") {
		t.Errorf("one more: got %s, want no change yet", got)
	}
	for range 2 {
		if got := send(url.Values{"places": {"store#w1"}, "scope": {"Göteborg"}}); got.location != "/admin/users/viewer" {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	page := admin.get("/admin/users").body
	if !strings.Contains(page, "Warehouse Göteborg, Store Brygga") || executable(page) != "" {
		t.Errorf("got list %s, want the names of the places", content(page))
	}
	conflict := send(url.Values{"places": {"store#w1"}, "scope": {"arhus"}})
	for _, want := range []string{"Currently:", `value="w#w2" checked`, `value="w#w0">`} {
		if conflict.status != http.StatusConflict || !strings.Contains(conflict.body, want) {
			t.Errorf("conflict: got status %d without %q: %s", conflict.status, want, content(conflict.body))
		}
	}
	stale := send(url.Values{"scope": {"nowhere"}})
	if stale.status != http.StatusUnprocessableEntity || !strings.Contains(stale.body, `name="version" value="1"`) {
		t.Errorf("invalid form with an old version: got status %d, want 422 and a form with the old version: %s", stale.status, content(stale.body))
	}
	if got := send(url.Values{"places": {"w#w0"}, "version": {"2"}}); got.location == "" {
		t.Errorf("removing a place: got status %d, want 303", got.status)
	}
	if got := admin.get("/admin/users/viewer.json").body; !strings.Contains(got, `"w0"`) || strings.Contains(got, "tores") {
		t.Errorf("got %s, want warehouse w0 only", got)
	}
}

// TestUserPage_TakesTwoSteps checks that forms that end sessions or cannot be undone are
// collapsed until the admin opens them.
func TestUserPage_TakesTwoSteps(t *testing.T) {
	b := open(t)
	b.as(t, "viewer") // starts a session that the admin can end
	page := b.as(t, "admin").get("/admin/users/viewer").body
	for action, name := range map[string]string{"sessions": "End sessions", "password": "Create one-time password", "disable": "Lock user"} {
		before, _, found := strings.Cut(page, `action="/admin/users/viewer/`+action+`"`)
		_, open, _ := strings.Cut(before[strings.LastIndex(before, "</form>")+1:], `<details class="on-demand"><summary>`+name+`</summary>`)
		if !found || open == "" || strings.Contains(open, "</details>") {
			t.Errorf("%s: got no form, or a form that is not collapsed: %s", action, content(page))
		}
	}
}
