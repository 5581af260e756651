package jobs_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestScheduler_LargeSums checks that the total of a day can exceed the largest amount.
// It charges five payments of 2,500,000,000 in one shard on one day, and a sixth on the
// next day.
func TestScheduler_LargeSums(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		settings := store.DefaultSettings()
		settings.Shards, settings.ShardsRead = 1, 1
		if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
			t.Fatal(err)
		}
		var all []*store.Subscription
		for n := range 6 {
			sub := dueOn(n, due.AddDate(0, 0, n/5))
			sub.PaymentAmount = amount("2500000000")
			all = append(all, sub)
		}
		load(t, s, all...)
		if err := s.As(admin).SetScheduler(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		r := runner(t, s, jobs.Record{}, &mailbox{})
		for range 3 {
			if err := r.Tick(t.Context()); err != nil {
				t.Errorf("tick at %s: %v", clock.Now(), err)
			}
			clock.Advance(24 * time.Hour)
		}
		for n, paid := range paid(t, s, all...) {
			if !paid {
				t.Errorf("subscription %d: got no receipt, want one", n)
			}
		}
		runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due)
		if err != nil || len(runs) != 1 || runs[0].Amount.String() != "12500000000" || runs[0].State != store.JobDone {
			t.Errorf("run of %s: got %+v, %v; want 12500000000 paid", due, runs, err)
		}
		totals, err := s.As(admin).Totals(t.Context(), store.TotalPayments, store.DateRange{From: due, To: due})
		if err != nil || len(totals) != 1 || totals[0].Amount.String() != "12500000000" {
			t.Errorf("totals: got %+v, %v; want 12500000000", totals, err)
		}
	})
}
