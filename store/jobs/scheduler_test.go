package jobs_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

func dueOn(n int, day time.Time) *store.Subscription {
	s := subscription(n)
	s.PaymentDay, s.NextPaymentDate, s.NextAttemptDate = day.Day(), day, day
	s.NextReminderDate = day.AddDate(0, 0, 20)
	return s
}

func paid(t *testing.T, s *store.Store, all ...*store.Subscription) []bool {
	t.Helper()
	var paid []bool
	for _, sub := range all {
		paid = append(paid, len(receipts(t, s, sub.AccountID)) == 1)
	}
	return paid
}

// TestScheduler checks for which days the scheduler charges payments, before and after it
// is switched on.
func TestScheduler(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		before, today, tomorrow, later := dueOn(1, due.AddDate(0, 0, -1)), dueOn(2, due), dueOn(3, due.AddDate(0, 0, 1)), dueOn(4, due.AddDate(0, 0, 4))
		load(t, s, before, today, tomorrow, later)
		r, other := runner(t, s, jobs.Record{}, &mailbox{}), runner(t, s, jobs.Record{}, &mailbox{})
		tick := func(r *jobs.Runner, want ...bool) {
			t.Helper()
			if err := r.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := paid(t, s, before, today, tomorrow, later)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("at %s: got paid %v, want %v", clock.Now(), got, want)
				}
			}
		}
		tick(r, false, false, false, false) // the scheduler is off
		if err := s.As(admin).SetScheduler(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		tick(r, false, true, false, false) // the scheduler is now on, but does not charge payments that were due before today
		clock.Advance(12 * time.Hour)
		tick(r, false, true, false, false) // nothing is charged at night
		clock.Advance(4 * 24 * time.Hour)
		tick(r, false, true, true, true) // payments of missed days are charged
		clock.Advance(24 * time.Hour)
		tick(other, false, true, true, true)
		runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due.AddDate(0, 0, 5))
		if err != nil || len(runs) != 15 {
			t.Errorf("got %d shards, %v; want 15", len(runs), err)
		}
	})
}

func TestScheduler_LeaseHeldByOneServer(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		first, second := s.NewToken(), s.NewToken()
		until := func() time.Time { return clock.Now().Add(time.Minute) }
		if err := s.AcquireLease(t.Context(), "scheduler", first, until()); err != nil {
			t.Fatal(err)
		}
		if err := s.AcquireLease(t.Context(), "scheduler", second, until()); err != store.ErrLeased {
			t.Errorf("second server: got %v, want ErrLeased", err)
		}
		if err := s.AcquireLease(t.Context(), "scheduler", first, until()); err != nil {
			t.Errorf("first server again: got %v, want no error", err)
		}
		clock.Advance(2 * time.Minute)
		if err := s.AcquireLease(t.Context(), "scheduler", second, until()); err != nil {
			t.Errorf("second server after expiry: got %v, want no error", err)
		}
	})
}
