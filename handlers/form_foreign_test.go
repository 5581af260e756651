package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// TestForm_OfAnotherSession submits a form that was opened in another session. The page
// shows what the user entered, and its button submits it.
func TestForm_OfAnotherSession(t *testing.T) {
	b := open(t, openOrder()...)
	kim, other := b.as(t, "admin"), b.as(t, "support")
	path, typed := "/orders/open/notes", "call before <delivery>"
	form := url.Values{"note": {typed}, "once": {other.token("/orders/open")}}
	for _, path := range []string{path, path + "?x=1"} {
		got := kim.post(path, form)
		if got.status != http.StatusForbidden || !strings.Contains(got.body, messageForeign) || !strings.Contains(got.body, "call before &lt;delivery&gt;") || strings.Contains(got.body, "data-send") {
			t.Fatalf("got status %d, want 403 and the note for review: %s", got.status, content(got.body))
		}
		form.Set("once", formToken.FindStringSubmatch(got.body)[1])
		if strings.Contains(kim.get("/orders/open.json").body, "call before") {
			t.Fatal("got the note of the refused form, want none")
		}
		if path != "/orders/open/notes" {
			break
		}
		form.Set("once", other.token("/orders/open"))
	}
	for range 2 {
		if got := kim.post(path, form); got.status != http.StatusSeeOther {
			t.Fatalf("reviewed form: got status %d, want it sent", got.status)
		}
	}
	if got := strings.Count(kim.get("/orders/open.json").body, "call before"); got != 1 {
		t.Errorf("got the note %d times, want once", got)
	}
}

// TestForm_OpenDuringConfirmation opens a form. The user then confirms their identity in
// another tab, which gives the session another ID. The form must still be accepted.
func TestForm_OpenDuringConfirmation(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.browser(t)
	admin.signIn("admin", password)
	form := url.Values{"note": {"opened before"}, "once": {admin.token("/orders/open")}}
	if got := admin.post("/account/confirm", url.Values{"secret": {password}}); got.status != http.StatusSeeOther {
		t.Fatalf("confirmation: got status %d", got.status)
	}
	if got := admin.post("/orders/open/notes", form); got.status != http.StatusSeeOther {
		t.Errorf("got status %d, want the form accepted", got.status)
	}
}

// TestForm_OfAnotherSessionToScript submits a form of another session as a script does.
// The response must contain a token with which the script can try again.
func TestForm_OfAnotherSessionToScript(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	id, err := b.store.As(&store.User{Name: "manager", Role: store.Manager, Warehouses: []string{"w1"}}).StartCount(t.Context(), store.Count{WarehouseID: "w1"}, b.store.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"once": {b.as(t, "manager").token("/counts/" + id)}, "do": {"save"}, "page": {"1"}}
	send := func() answer {
		r := manager.request(http.MethodPost, "/counts/"+id, form.Encode())
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Sec-Fetch-Site", "same-origin")
		r.Header.Set("Sec-Fetch-Dest", "empty")
		r.Header.Set("Accept", "application/json")
		return manager.do(r)
	}
	got := send()
	_, after, found := strings.Cut(got.body, `"once":"`)
	if got.status != http.StatusForbidden || !found {
		t.Fatalf("got status %d, want 403 and another token: %s", got.status, got.body)
	}
	once, _, _ := strings.Cut(after, `"`)
	form.Set("once", once)
	if got := send(); got.status != http.StatusOK {
		t.Errorf("with the other token: got status %d, want 200: %s", got.status, got.body)
	}
}

// TestPasswordLink_FormOfSession submits a new password with a form token of another
// session. The response must not contain the password.
func TestPasswordLink_FormOfSession(t *testing.T) {
	b := open(t)
	visitor := b.browser(t)
	form := url.Values{"password": {"a new secret phrase"}, "again": {"a new secret phrase"}, "once": {b.as(t, "admin").signedToken(b.store.NewToken())}}
	got := visitor.post("/login/reset/x/y", form)
	if got.status != http.StatusForbidden || strings.Contains(got.body, "secret phrase") {
		t.Errorf("got status %d, want 403 without the password: %s", got.status, content(got.body))
	}
}
