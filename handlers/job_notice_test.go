package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestNotices_DryRunShowsRecipients saves email settings as a manager. A dry run must list
// the notices to renters and managers, and say why no run can start. After notices are
// turned on, a run must start.
func TestNotices_DryRunShowsRecipients(t *testing.T) {
	tomorrow := storetest.Day(2026, time.November, 22)
	b := open(t,
		&store.Person{ID: "renter", Name: "Kim", Email: "kim@example.com", Version: 1},
		&store.ActiveRental{StoreID: "s1", PersonID: "renter", KayakID: "k90", RentalID: "R90", Out: storetest.Now, Due: tomorrow, Version: 1},
	)
	manager, admin := b.as(t, "manager"), b.as(t, "admin")
	if got := manager.post("/account/email", url.Values{"email": {"nobody"}, "version": {"1"}}); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "Enter a valid email address.") {
		t.Errorf("got status %d for an invalid address, want 422 and the reason", got.status)
	}
	if got := manager.post("/account/email", url.Values{"email": {"mia@example.com"}, "notices": {"yes"}, "version": {"1"}}); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303", got.status)
	}
	if got := manager.get("/account"); !strings.Contains(got.body, "mia@example.com") {
		t.Error("got no address on the account page")
	}
	const path = "/jobs/notices/2026-11-21"
	if got := admin.get(path + "/dry-run"); !strings.Contains(got.body, `href="/people/renter" dir="auto">Kim</a>`) || !strings.Contains(got.body, "kim@example.com") || !strings.Contains(got.body, "daily notices are off") || strings.Contains(got.body, "Start notice run") {
		t.Errorf("got status %d, want the renter, and why no run can start", got.status)
	}
	if got := admin.post(path+"/run", nil); got.status != http.StatusConflict {
		t.Errorf("got status %d for a run, want 409", got.status)
	}
	if got := admin.get(path + "/dry-run?show=managers"); !strings.Contains(got.body, "mia@example.com") || !strings.Contains(got.body, "Low stock: 8, Overdue kayaks: 1") {
		t.Errorf("got status %d, want the manager: %s", got.status, content(got.body))
	}
	if got := manager.get(path + "/dry-run?show=managers"); got.status != http.StatusForbidden {
		t.Errorf("manager: got status %d for notices to managers, want 403", got.status)
	}
	settings, err := b.store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Notices = true
	if err := b.store.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
	if got := admin.get(path + "/dry-run"); !strings.Contains(got.body, "Start notice run") {
		t.Errorf("got status %d, want a button", got.status)
	}
	if got := admin.post("/jobs/notices/2026-11-20/run", nil); got.status != http.StatusUnprocessableEntity {
		t.Errorf("got status %d for a past day, want 422", got.status)
	}
	if got := admin.post(path+"/run", nil); got.status != http.StatusSeeOther {
		t.Errorf("got status %d, want 303", got.status)
	}
	storetest.WaitFor(t, "results of the run", func() bool {
		got := admin.get(path)
		return strings.Contains(got.body, "Done") && strings.Contains(got.body, "Rental notice") && strings.Contains(got.body, "Daily notice")
	})
}

// TestEmailSettings_EndOtherSessions saves email settings. The user's session in this
// browser must continue, and all other sessions of the user must end.
func TestEmailSettings_EndOtherSessions(t *testing.T) {
	b := open(t)
	here, elsewhere := b.as(t, "manager"), b.as(t, "manager")
	form := url.Values{"email": {"mia@example.com"}, "notices": {"yes"}, "version": {"1"}}
	if got := here.post("/account/email", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303", got.status)
	}
	b.clock.Advance(2 * time.Minute) // so that the next request updates the session in the table
	if got := here.get("/account"); got.status != http.StatusOK || !strings.Contains(got.body, "mia@example.com") {
		t.Errorf("got status %d in the browser that saved, want 200 and the address", got.status)
	}
	if got := elsewhere.get("/account"); got.status == http.StatusOK {
		t.Error("the other browser is still signed in")
	}
}
