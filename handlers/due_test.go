package handlers

import (
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestDue_ListsPaymentsBehind follows the link on Today to late payments. The list must
// contain the open payments of earlier days.
func TestDue_ListsPaymentsBehind(t *testing.T) {
	day := storetest.Now.Truncate(24*time.Hour).AddDate(0, 0, -20)
	b := open(t, &store.Subscription{
		ID: "late", AccountID: "late-account", SKU: "PLAN", Status: store.SubscriptionActive, PaymentDay: day.Day(), PaymentAmount: store.MinorUnits(500),
		NextPaymentDate: day, NextAttemptDate: day, NextReminderDate: day.AddDate(0, 0, 23), Version: 1,
	})
	viewer := b.as(t, "viewer")
	if page := wholeToday(viewer).body; !strings.Contains(page, `href="/due?span=behind" class="bad"><b>`) {
		t.Error("Today: got no count of payments behind")
	}
	page := viewer.get("/due?span=behind").body
	for _, want := range []string{"late-account", "whose payment day has passed", "The scheduler is off.", "ask an admin to start its payment run", `href="/jobs/payments/2026-11-01"`} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the list", want)
		}
	}
	if err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).SetScheduler(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	b.clock.Advance(time.Minute)
	if page := viewer.get("/due?span=behind").body; !strings.Contains(page, "A subscription that missed several payments is charged for only one of them.") {
		t.Error("got no rule for late payments in the list")
	}
}

func TestJobs_CountUnknownOutcomesSeparately(t *testing.T) {
	day := storetest.Now.Truncate(24 * time.Hour)
	b := open(t, &store.JobRun{Job: store.PaymentsJob, Date: day, State: store.JobIncomplete, JobCounts: store.JobCounts{Done: 3, Unknown: 17}, Version: 1})
	viewer := b.as(t, "viewer")
	for path, want := range map[string]string{"/jobs": ">17<", "/jobs/payments/2026-11-21": "17, checked by the next run"} {
		if page := viewer.get(path).body; !strings.Contains(page, want) || !strings.Contains(strings.ToLower(page), "unknown") {
			t.Errorf("%s: got no %q, want it", path, want)
		}
	}
}
