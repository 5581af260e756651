package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestEmail_ShowsContentAndSendsAgain opens a rejected email and queues it again.
func TestEmail_ShowsContentAndSendsAgain(t *testing.T) {
	b := open(t, openOrder()...)
	support := b.as(t, "support")
	page := support.get("/emails/" + knownEmail)
	for _, want := range []string{"Your payment of €12.50 on 28 Nov 2026", "card ending in 1234", "550 No such mailbox", "customer1@example.com", "Send again"} {
		if page.status != http.StatusOK || !strings.Contains(page.body, want) {
			t.Errorf("got status %d without %q", page.status, want)
		}
	}
	if account := support.get("/accounts/c01"); !strings.Contains(account.body, "/emails/"+knownEmail) {
		t.Error("the account does not link to its email")
	}
	if viewer := b.as(t, "viewer").get("/emails/" + knownEmail); strings.Contains(viewer.body, "Send again") {
		t.Error("viewer: got a button that the role does not allow")
	}
	if got := support.post("/emails/"+knownEmail+"/again", url.Values{"version": {"1"}}); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303", got.status)
	}
	e, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Email(t.Context(), knownEmail)
	if err != nil || e.Status != store.EmailQueued {
		t.Errorf("got %+v, %v; want it queued", e, err)
	}
}

// TestEmail_ToUserIsPrivate checks that only the user and admins see an email to a user.
func TestEmail_ToUserIsPrivate(t *testing.T) {
	b := open(t, &store.Email{ID: "01HZX000000000000000000FFF", Kind: store.EmailReminder, To: "kim@example.com", User: "viewer", Status: store.EmailSent, Created: storetest.Now, At: storetest.Now, Version: 1})
	for user, want := range map[string]int{"viewer": http.StatusOK, "admin": http.StatusOK, "support": http.StatusNotFound, "manager": http.StatusNotFound} {
		if got := b.as(t, user).get("/emails/01HZX000000000000000000FFF"); got.status != want {
			t.Errorf("%s: got status %d, want %d", user, got.status, want)
		}
	}
}
