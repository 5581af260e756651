package handlers

import (
	"net/http"
	"strings"
	"testing"

	"stockroom/store"
)

// TestCheckOut_WarnsAboutOverdue reviews a check-out for a person who has an overdue kayak,
// and for one who has none. Only the first page must contain a warning.
func TestCheckOut_WarnsAboutOverdue(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	late, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).OverdueAtStore(t.Context(), "s1", store.Page{})
	if err != nil || len(late.Rows) == 0 {
		t.Fatalf("got %v, %v, want an overdue kayak", late.Rows, err)
	}
	const warning = "This person has not returned: "
	for person, want := range map[string]string{late.Rows[0].PersonID: warning + late.Rows[0].KayakName, "c15": ""} {
		form := hiddenFields(manager.get("/stores/s1/check-out?kayaks=k16").body)
		for name, value := range map[string]string{"person": person, "kayaks": "k16", "due": "2026-11-22", "do": "look"} {
			form.Set(name, value)
		}
		got := manager.post("/stores/s1/check-out", form)
		if got.status != http.StatusOK || !strings.Contains(got.body, want) || (want == "") == strings.Contains(got.body, warning) {
			t.Errorf("%s: got status %d, want 200 and the warning %q: %s", person, got.status, want, content(got.body))
		}
	}
}
