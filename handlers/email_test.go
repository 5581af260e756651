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

// TestEmail_ShowsContentAndSendsAgain checks that the page of a rejected email shows its
// content and can queue it again.
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

// TestEmail_ToUserIsPrivate checks that an email to a user can be seen only by that user
// and by admins.
func TestEmail_ToUserIsPrivate(t *testing.T) {
	b := open(t, append(openOrder(), &store.Email{ID: "01HZX000000000000000000FFF", Kind: store.EmailReminder, To: "kim@example.com", User: "viewer", Status: store.EmailSent, Created: storetest.Now, At: storetest.Now, Version: 1})...)
	for user, want := range map[string]int{"viewer": http.StatusOK, "admin": http.StatusOK, "support": http.StatusNotFound, "manager": http.StatusNotFound} {
		if got := b.as(t, user).get("/emails/01HZX000000000000000000FFF"); got.status != want {
			t.Errorf("%s: got status %d, want %d", user, got.status, want)
		}
	}
	for user, want := range map[string]bool{"admin": true, "support": false} {
		page := b.as(t, user).get("/emails?status=SENT")
		if got := strings.Contains(page.body, "/emails/01HZX000000000000000000FFF"); page.status != http.StatusOK || got != want {
			t.Errorf("%s: list with status %d contains the email: got %v, want %v", user, page.status, got, want)
		}
	}
	if page := b.as(t, "support").get("/emails?status=FAILED"); !strings.Contains(page.body, "/emails/"+knownEmail) {
		t.Error("support: got a list without the email to a customer")
	}
}

// TestEmail_ShowsDunningEmails checks the pages of all emails about a declined
// payment. They must escape the name of the plan, which contains HTML.
func TestEmail_ShowsDunningEmails(t *testing.T) {
	subjects := map[store.EmailKind]string{
		store.EmailDeclined:    "Your payment of €12.50 was declined",
		store.EmailLastAttempt: "Last attempt to charge €12.50 on 28 Nov 2026",
		store.EmailPaused:      "Your subscription is paused",
	}
	for kind, subject := range subjects {
		t.Run(string(kind), func(t *testing.T) {
			b := open(t, &store.Email{
				ID: "01HZX000000000000000000FFF", Kind: kind, To: "kim@example.com", CustomerID: "c01", Record: "ACC#c01", Status: store.EmailQueued, Created: storetest.Now, At: storetest.Now, Version: 1,
				Payment: store.EmailPayment{SubscriptionID: "s1", PlanName: "<script>Tea</script>", Amount: store.MinorUnits(1250), Currency: "EUR", Due: storetest.Now, NextAttempt: time.Date(2026, time.November, 28, 0, 0, 0, 0, time.UTC)},
			})
			page := b.as(t, "support").get("/emails/01HZX000000000000000000FFF")
			if page.status != http.StatusOK || strings.Contains(page.body, "<script>Tea") || strings.Count(page.body, "&lt;script&gt;Tea") != 2 || !strings.Contains(page.body, subject) {
				t.Errorf("got status %d, want %q and the name of the plan escaped, as HTML and as text:\n%s", page.status, subject, page.body)
			}
		})
	}
}
