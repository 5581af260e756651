package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
)

// TestForm_OfAnotherSession submits a form that was opened in another session. The page
// must show what the user entered. Its button must submit the form.
func TestForm_OfAnotherSession(t *testing.T) {
	b := open(t, openOrder()...)
	kim, other := b.as(t, "admin"), b.browser(t)
	other.signIn("admin", password)
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

// TestForm_ForgedToken submits a form with tokens that no page contains. The page must show
// what the user entered, and must save nothing.
func TestForm_ForgedToken(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	for _, once := range []string{"forged", "<script>"} {
		got := admin.post("/orders/open/notes", url.Values{"note": {"call before"}, "once": {once}})
		if got.status != http.StatusForbidden || !strings.Contains(got.body, "call before") || !formToken.MatchString(got.body) {
			t.Errorf("%s: got status %d, want 403 and the note for review: %s", once, got.status, content(got.body))
		}
	}
	if strings.Contains(admin.get("/orders/open.json").body, "call before") {
		t.Error("got the note of a refused form, want none")
	}
}

// TestForm_OfAnotherUser submits a form that another user opened in the same browser. The
// page must not show what that user entered.
func TestForm_OfAnotherUser(t *testing.T) {
	b := open(t, openOrder()...)
	form := url.Values{"note": {"a private remark"}, "once": {b.as(t, "admin").token("/orders/open")}}
	support := b.as(t, "support")
	got := support.post("/orders/open/notes", form)
	if got.status != http.StatusForbidden || !strings.Contains(got.body, messageForeign) || strings.Contains(got.body, "private remark") || strings.Contains(got.body, "roles") {
		t.Errorf("got status %d, want 403 without the note and without roles: %s", got.status, content(got.body))
	}
	r := support.request(http.MethodPost, "/orders/open/notes", form.Encode())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	r.Header.Set("Sec-Fetch-Dest", "empty")
	if got := support.do(r); got.status != http.StatusForbidden || strings.Contains(got.body, "once") {
		t.Errorf("script: got status %d, want 403 without another token: %s", got.status, got.body)
	}
}

// TestForm_OfAnotherSessionNamesRecord submits the form of a customer that was opened in an
// earlier session. The page must name the form and the record, and show the fields with
// their labels in the order of the form.
func TestForm_OfAnotherSessionNamesRecord(t *testing.T) {
	b := open(t)
	earlier, now := b.browser(t), b.browser(t)
	earlier.signIn("support", password)
	now.signIn("support", password)
	form := formIn(earlier.get("/customers/c01/edit"))
	form.Set("name", "Another name")
	form.Set("number", "7")
	got := now.post("/customers/c01/edit", form)
	for _, want := range []string{"Save a customer", `<a href="/customers/c01">Customer c01</a>`, `href="/customers/c01">Discard</a>`, "<dt>Account rep</dt>"} {
		if !strings.Contains(got.body, want) {
			t.Errorf("got a page without %q: %s", want, got.body)
		}
	}
	name, street := strings.Index(got.body, "<dt>Name</dt>"), strings.Index(got.body, "<dt>House number</dt>")
	if name < 0 || street < name {
		t.Errorf("got the name at %d and the house number at %d, want them in the order of the form", name, street)
	}
	added := now.post("/orders/new", url.Values{"customer": {"c01"}, "product-1": {"p07"}, "quantity-1": {"1"}, "do": {"look"}, "once": {earlier.token("/orders/new")}})
	if !strings.Contains(added.body, "Place an order") && !strings.Contains(added.body, "Place order") || strings.Contains(added.body, "Order new") {
		t.Errorf("new order: got %s, want the name of the form and no record", content(added.body))
	}
}

// TestForbidden_ToScript checks that a script gets a reason if the user may not open a part
// of a page.
func TestForbidden_ToScript(t *testing.T) {
	b := open(t)
	viewer := b.as(t, "viewer")
	r := viewer.request(http.MethodGet, "/admin/users", "")
	r.Header.Set("HX-Request", "true")
	if got := viewer.do(r); got.status != http.StatusForbidden || !strings.HasPrefix(got.body, `{"error":"Your role can't open this page.`) {
		t.Errorf("got status %d and %q, want 403 and the reason", got.status, got.body)
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
