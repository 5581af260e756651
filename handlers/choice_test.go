package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestCheckOut_FindsRenter rents out kayaks without JavaScript. For an ambiguous name, the
// form must show choices and keep all other input. If the form for a new person is
// submitted twice, it must add the person only once.
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
	if got = manager.post("/stores/s1/check-out", walkIn); got.status != http.StatusOK || !strings.Contains(got.body, "Other people have this phone number") || !strings.Contains(got.body, `href="/people/`) {
		t.Errorf("phone of another renter: got %d, want 200 and a link to this renter:\n%s", got.status, got.body)
	}
	walkIn.Set("do", "edit")
	if got = manager.post("/stores/s1/check-out", walkIn); strings.Count(got.body, `name="person-id"`) != 2 || !strings.Contains(got.body, `value="new" checked`) {
		t.Errorf("edit: got no choice of the other renter, or the new one is not selected:\n%s", got.body)
	}
	walkIn.Set("do", "take")
	if got = manager.post("/stores/s1/check-out", walkIn); got.status != http.StatusSeeOther {
		t.Errorf("another renter with the same phone number: got %d, want 303:\n%s", got.status, got.body)
	}
	walkIn.Set("once", tokenFor("fourth"))
	walkIn.Set("kayaks", "k16")
	walkIn.Set("do", "look")
	walkIn.Set("new-phone", "")
	if got = manager.post("/stores/s1/check-out", walkIn); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Enter a phone number or an email address.") {
		t.Errorf("no phone: got %d, want 422:\n%s", got.status, got.body)
	}
	if got = s.as(t, "outsider").post("/stores/s1/check-out", form); got.status != http.StatusNotFound {
		t.Errorf("manager of another store: got %d, want 404", got.status)
	}
}

// TestChoices_AreInScope checks that managers get suggestions only from their own
// warehouses and stores.
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

// TestRentals_FilterByPerson filters the rentals of a store and of a kayak by name,
// phone number, email address and ID, without JavaScript. For an ambiguous name, the
// page must show choices.
func TestRentals_FilterByPerson(t *testing.T) {
	out := storetest.Now.AddDate(0, 0, -3)
	rental := func(id, person string) *store.Rental {
		return &store.Rental{ID: id, StoreID: "s1", PersonID: person, PersonName: "At the time", KayakID: "k10", Out: out, Due: out, Returned: out.AddDate(0, 0, 1), Version: 1}
	}
	b := open(
		t, rental("r90", "c90"), rental("r91", "c91"),
		&store.Customer{ID: "c90", Name: "Maja Nyström " + evil, Phones: []string{"+46 70 555 01 00"}, Created: out, Version: 1},
		&store.Customer{ID: "c91", Name: "Olle Nyström", Email: "olle@example.com", Created: out, Version: 1},
	)
	manager := b.as(t, "manager")
	for _, path := range []string{"/stores/s1/rentals", "/kayaks/k10/rentals"} {
		for text, want := range map[string]string{"nystrom maja": "r90", "c90": "r90", "C90": "r90", "0046705550100": "r90", "olle": "r91", "OLLE@example.com": "r91"} {
			file := manager.get(path + ".json?person=" + url.QueryEscape(text))
			if file.status != http.StatusOK || strings.Count(file.body, `"ID"`) != 1 || !strings.Contains(file.body, want) {
				t.Errorf("%s of %s: got status %d and %s, want only %s", path, text, file.status, file.body, want)
			}
		}
		page := strings.TrimSuffix(path, "/rentals")
		ambiguous := manager.get(page + "?person=nystr")
		for _, want := range []string{"Choose the person below", `name="person-id" value="c90"`, `value="c91"`, "46 70 555 01 00"} {
			if ambiguous.status != http.StatusUnprocessableEntity || strings.Contains(ambiguous.body, "No rentals.") || !strings.Contains(ambiguous.body, want) || executable(ambiguous.body) != "" {
				t.Errorf("%s, ambiguous: got status %d without %s: %s", page, ambiguous.status, want, content(ambiguous.body))
			}
		}
		chosen := manager.get(page + "?person=nystr&person-was=nystr&person-id=c91")
		if chosen.status != http.StatusOK || !strings.Contains(chosen.body, `value="Olle Nyström"`) || strings.Contains(chosen.body, `href="/people/c90"`) {
			t.Errorf("%s, chosen: got status %d or another person: %s", page, chosen.status, content(chosen.body))
		}
		for _, bad := range []string{"person=nobody", "person=x&person-id=new", "person=" + url.QueryEscape("<script>nobody")} {
			if got := manager.get(page + "?" + bad); got.status != http.StatusUnprocessableEntity || executable(got.body) != "" {
				t.Errorf("%s?%s: got status %d, want 422: %s", page, bad, got.status, content(got.body))
			}
		}
	}
}
