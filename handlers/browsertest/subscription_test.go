package browsertest

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store/jobs"
)

// gate is a payment processor that answers once the gate is open, so that a
// test sees a run while it goes on.
type gate struct {
	jobs.Record
	open <-chan struct{}
}

func (g gate) Charge(ctx context.Context, c jobs.Charge) (jobs.Outcome, error) {
	select {
	case <-g.open:
		return g.Record.Charge(ctx, c)
	case <-ctx.Done():
		return jobs.Outcome{}, ctx.Err()
	}
}

// TestASubscriptionBeginsChangesAndPauses goes from a customer to their new
// subscription and through what can be done with it.
func TestASubscriptionBeginsChangesAndPauses(t *testing.T) {
	for _, l := range []look{{width: 1280}, {width: 1280, noScript: true}, {width: 390, dark: true}} {
		t.Run(l.String(), func(t *testing.T) {
			b := open(t, serve(t), l)
			b.logIn("admin")
			b.visit("/customers/c30")
			b.follow(chromedp.Click(chromedp.CSS(`main a[href="/accounts/c30"]`)))
			b.link("New subscription")
			b.set("sku", "PLAN-TEA")
			b.set("amount", "12.99")
			b.set("day", "31")
			b.set("card", "4111 1111 1111 4242")
			b.button("Create subscription")
			b.shows("Subscription created.", "30 Nov 2026", "€12.99", "•••• 4242", "Customer30@example.com")
			if strings.Contains(b.text("main"), "1111") {
				t.Error("the card number is shown")
			}
			b.judge("an account", l)
			account := b.path()
			b.follow(click("Change"))
			b.set("day", "5")
			b.set("amount", "13.50")
			b.judge("a change", l)
			b.button("Change subscription")
			b.shows("5 Dec 2026", "€13.50")
			b.follow(click("Pause"))
			b.button("Pause subscription")
			b.shows("Subscription paused.", "Paused")
			b.follow(click("Resume"))
			b.button("Resume subscription")
			b.shows("Active")
			b.follow(click("Cancel"))
			b.button("Cancel subscription")
			b.shows("Cancelled")
			b.judge("an account with a cancelled subscription", l)
			if b.path() != account {
				t.Errorf("the last form leads to %s, not %s", b.path(), account)
			}
		})
	}
}

// TestADayIsRehearsedAndRun rehearses the payments of today, has them taken,
// and looks on.
func TestADayIsRehearsedAndRun(t *testing.T) {
	for _, l := range []look{{width: 1280}, {width: 390, noScript: true}} {
		t.Run(l.String(), func(t *testing.T) {
			opened := make(chan struct{})
			b := open(t, serveStore(t, shopStore(t), gate{open: opened}), l)
			b.logIn("admin")
			b.visit("/due")
			b.shows("PLAN", "c00", "Expected revenue")
			b.link("Dry run")
			b.shows("No data was changed", "c00", "€12.99")
			b.judge("a rehearsal", l)
			b.button("Run it")
			b.shows("Running", "0 of 1")
			b.judge("a run", l)
			close(opened)
			b.await(chromedp.Evaluate[bool](`document.querySelector("#progress").innerText.includes("1 of 1")`), "the end of the run")
			b.shows("Done", "1 of 1", "c00", "Paid")
			b.visit("/accounts/c00")
			b.shows("21 Dec 2026", "23 May 2027")
			b.visit("/jobs")
			if _, err := chromedp.RunResponse(b.ctx, chromedp.Click(named("button", "Turn scheduler on"))); err != nil {
				t.Fatal(err)
			}
			b.shows("Scheduler turned on.")
		})
	}
}

// TestManagersLookOn shows what a manager may not do.
func TestManagersLookOn(t *testing.T) {
	b := open(t, serve(t), look{width: 1280})
	b.logIn("manager")
	for path, not := range map[string]string{"/accounts/c01": "New subscription", "/jobs": "Turn scheduler", "/jobs/payments/2026-11-21": "Run it"} {
		b.visit(path)
		if strings.Contains(b.text("main"), not) {
			t.Errorf("%s offers %q", path, not)
		}
	}
}

// click follows an action of a subscription, whose link also names it for
// those who do not see where it stands.
func click(action string) chromedp.Action[chromedp.Void] {
	return chromedp.Click(chromedp.Search(`//a[starts-with(normalize-space(.), "` + action + `, subscription")]`))
}
