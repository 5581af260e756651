package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSubscription_CreateChangePauseResumeCancel creates a subscription from a customer's
// page and uses each of its actions.
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
			b.activate(action("Cancel"))
			b.button("Cancel subscription")
			b.wantText("Cancelled")
			b.check("account with a cancelled subscription", sc)
			if b.path() != account {
				t.Errorf("after cancelling: got %s, want %s", b.path(), account)
			}
		})
	}
}

// TestManager_SeesNoBillingActions checks that managers see no actions for subscriptions
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

// action selects a link that changes a subscription. For screen readers, the link also
// contains the name of the subscription.
func action(text string) chromedp.Search {
	return chromedp.Search(fmt.Sprintf(`//a[starts-with(normalize-space(.), %q)]`, text+", subscription"))
}
