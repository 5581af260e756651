package jobs_test

import (
	"slices"
	"testing"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// pair returns two subscriptions with the same account and ID but different
// products. The key of Amazon's published design allows this.
func pair() []*store.Subscription {
	first, second := subscription(1), subscription(1)
	second.SKU = "OTHER"
	return []*store.Subscription{first, second}
}

// TestRun_SameIDOfTwoProducts checks that the jobs of reminders and payments process
// subscriptions that differ only in their SKU.
func TestRun_SameIDOfTwoProducts(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		all := pair()
		for _, sub := range all {
			sub.NextReminderDate = due
		}
		load(t, s, all...)
		b, box := newBank(t, 0), &mailbox{}
		r := runner(t, s, bankClient{b.URL}, box)
		for _, job := range []store.JobName{store.RemindersJob, store.PaymentsJob} {
			run(t, r, job, due)
			var skus []string
			for _, result := range results(t, s, job, due, false) {
				skus = append(skus, result.SKU)
			}
			if slices.Sort(skus); !slices.Equal(skus, []string{"OTHER", "PLAN"}) {
				t.Errorf("%s: got results of %q, want one of each product", job, skus)
			}
			wantCounts(t, s, job, due, 2)
		}
		if got := receipts(t, s, all[0].AccountID); len(got) != 2 || b.payments() != 2 {
			t.Errorf("got %d receipts and %d charges, want 2 of each", len(got), b.payments())
		}
		deliver(t, r, jobs.Delivery{Sent: 2})
		if len(box.messages) != 2 || box.messages[0].ID == box.messages[1].ID {
			t.Errorf("got %d reminders, want 2 with different IDs", len(box.messages))
		}
	})
}
