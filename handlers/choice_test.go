package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestCheckOut_FindsRenter checks kayaks out without scripts. For an ambiguous name, the
// form shows choices and keeps everything entered. A new person is added only once.
func TestCheckOut_FindsRenter(t *testing.T) {
	s := open(t)
	manager := s.as(t, "manager")
	form := url.Values{"person": {"åsa"}, "kayaks": {"K10"}, "due": {"2026-11-24"}, "do": {"look"}, "once": {tokenFor("first")}}
	got := manager.post("/stores/s1/check-out", form)
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `type="radio"`) || !strings.Contains(got.body, "K10</textarea>") {
		t.Fatalf("ambiguous name: got %d, want 422 with choices and the kayak:\n%s", got.status, got.body)
	}
	form.Set("person-id", "c08")
	form.Set("person-was", "åsa")
	if got = manager.post("/stores/s1/check-out", form); got.status != http.StatusOK || !strings.Contains(got.body, "Check out 1 kayak<") {
		t.Fatalf("chosen: got %d, want the form to confirm:\n%s", got.status, got.body)
	}
	walkIn := url.Values{
		"person": {"<b>Walkinson"}, "person-id": {"new"}, "new-name": {"<b>Walkinson"}, "new-phone": {"+46 70 555 01 99"},
		"kayaks": {"k10"}, "due": {"2026-11-24"}, "do": {"take"}, "once": {tokenFor("second")},
	}
	for range 2 {
		if got = manager.post("/stores/s1/check-out", walkIn); got.status != http.StatusSeeOther {
			t.Fatalf("new renter, sent twice: got %d, want 303:\n%s", got.status, got.body)
		}
	}
	if got = manager.get("/choices/person?q=walkinson"); strings.Count(got.body, `"id"`) != 1 {
		t.Errorf("after two submissions: got %s, want one renter", got.body)
	}
	walkIn.Set("once", tokenFor("third"))
	walkIn.Set("kayaks", "k13")
	walkIn.Set("do", "look")
	if got = manager.post("/stores/s1/check-out", walkIn); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "has this already") {
		t.Errorf("phone of another renter: got %d, want 422:\n%s", got.status, got.body)
	}
	walkIn.Set("new-phone", "")
	if got = manager.post("/stores/s1/check-out", walkIn); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Enter a phone number or an email address.") {
		t.Errorf("no phone: got %d, want 422:\n%s", got.status, got.body)
	}
	if got = s.as(t, "outsider").post("/stores/s1/check-out", form); got.status != http.StatusNotFound {
		t.Errorf("manager of another store: got %d, want 404", got.status)
	}
}

// TestChoices_AreInScope checks that managers get no suggestions from warehouses and
// stores of others.
func TestChoices_AreInScope(t *testing.T) {
	s := open(t)
	for _, address := range []string{"/choices/warehouse?q=w1", "/choices/store?q=s1", "/choices/employee?q=e01"} {
		if got := s.as(t, "outsider").get(address); strings.TrimSpace(got.body) != "[]" {
			t.Errorf("%s: got %s, want none", address, got.body)
		}
	}
	if got := s.as(t, "admin").get("/choices/none?q=a"); got.status != http.StatusNotFound {
		t.Errorf("unknown kind: got %d, want 404", got.status)
	}
}
