package browsertest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"stockroom/store"
)

// TestSubscription_CreateChangePauseResumeCancel checks that a subscription can be
// created from a customer's page, and that each of its actions works.
func TestSubscription_CreateChangePauseResumeCancel(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 1280, noScript: true}, {width: 390, dark: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t), sc)
			b.signIn("admin")
			b.visit("/customers/c30")
			b.activate(linkTo("/accounts/c30"))
			b.link("New subscription")
			b.fill("sku", "PLAN-TEA")
			b.fill("amount", "12.99")
			b.fill("day", "31")
			b.fill("card", "4111 1111 1111 4242")
			b.button("Create subscription")
			b.wantText("Subscription created.", "30 Nov 2026", "€12.99", "•••• 4242", "Customer30@example.com")
			if strings.Contains(b.text("main"), "1111") {
				t.Error("got the card number, want its last four digits")
			}
			b.check("account", sc)
			account := b.path()
			b.activate(action("Change"))
			b.fill("day", "5")
			b.fill("amount", "13.50")
			b.check("subscription form", sc)
			b.button("Change subscription")
			b.wantText("5 Dec 2026", "€13.50")
			b.activate(action("Pause"))
			b.button("Pause subscription")
			b.wantText("Subscription paused.", "Paused")
			b.activate(action("Resume"))
			b.button("Resume subscription")
			b.wantText("Active")
			b.activate(action("Cancel now"))
			b.button("Cancel subscription")
			b.wantText("Cancelled")
			b.check("account with a cancelled subscription", sc)
			if b.path() != account {
				t.Errorf("after cancelling: got %s, want %s", b.path(), account)
			}
		})
	}
}

// TestSubscription_PaysAfterNewCard checks that charging a payment with a new card
// resumes a paused subscription, and that the user can then skip a payment and cancel
// at the end of the period.
func TestSubscription_PaysAfterNewCard(t *testing.T) {
	due := time.Date(2026, time.November, 10, 0, 0, 0, 0, time.UTC)
	paused := &store.Subscription{
		ID: "sub90", AccountID: "c30", SKU: "PLAN-TEA", PlanName: "Tea every month", Email: "Customer30@example.com", Status: store.SubscriptionPaused, PaymentDay: 10,
		PaymentAmount: store.MinorUnits(12_99), NextPaymentDate: due, NextAttemptDate: due.AddDate(0, 0, 7), Attempt: 4, NextReminderDate: due.AddDate(0, 0, 23),
		PaymentDetails: store.PaymentDetails{Card: "4242"}, Version: 1,
	}
	for _, sc := range []screen{{width: 1280}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t, paused), sc)
			b.signIn("admin")
			b.visit("/accounts/c30")
			b.wantText("Paused", "•••• 4242")
			b.activate(action("Edit payment method"))
			b.fill("card", "4000 0566 5566 5556")
			b.check("payment method form", sc)
			b.button("Edit payment method")
			b.wantText("Payment method changed.", "•••• 5556")
			b.activate(action("Retry payment"))
			b.button("Retry payment")
			b.wantText("Payment charged.", "Active", "10 Dec 2026")
			b.activate(action("Skip next payment"))
			b.fill("why", "On holiday")
			b.button("Skip next payment")
			b.wantText("Payment skipped.", "10 Jan 2027", "On holiday")
			b.activate(action("Cancel at end of period"))
			b.button("Cancel at end of period")
			b.wantText("The subscription will be cancelled at the end of its period.", "Ends")
			b.check("account with a subscription that ends", sc)
			b.activate(action("Keep"))
			b.button("Keep subscription")
			b.wantText("Subscription kept.")
			if text := b.text("main"); strings.Contains(text, "4000") || strings.Contains(text, "5566") {
				t.Error("got the card number, want its last four digits")
			}
		})
	}
}

// TestManager_SeesNoBillingActions checks that managers see no actions of subscriptions
// and jobs.
func TestManager_SeesNoBillingActions(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280})
	b.signIn("manager")
	for path, action := range map[string]string{"/accounts/c01": "New subscription", "/jobs": "Turn scheduler", "/jobs/payments/2026-11-21": "start payment run", "/jobs/payments/2026-11-21/dry-run": "Start payment run"} {
		b.visit(path)
		if strings.Contains(b.text("main"), action) {
			t.Errorf("%s: got %q, want no such action", path, action)
		}
	}
}

// action selects the link to the form of an action on a subscription. For screen
// readers, the link also contains the name of the subscription.
func action(text string) chromedp.Search {
	return chromedp.Search(fmt.Sprintf(`//a[starts-with(normalize-space(.), %q)]`, text+", subscription"))
}
