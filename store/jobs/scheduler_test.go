package jobs_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// dueOn is a subscription whose payment is due on another day.
func dueOn(n int, day time.Time) *store.Subscription {
	s := subscription(n)
	s.PaymentDay, s.NextPaymentDate, s.NextAttemptDate = day.Day(), day, day
	s.NextReminderDate = day.AddDate(0, 0, 20)
	return s
}

func paid(t *testing.T, s *store.Store, all ...*store.Subscription) []bool {
	t.Helper()
	var were []bool
	for _, sub := range all {
		were = append(were, len(receipts(t, s, sub.AccountID)) == 1)
	}
	return were
}

// TestScheduler goes through the days around the moment at which it is
// switched on.
func TestScheduler(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		before, today, tomorrow, later := dueOn(1, due.AddDate(0, 0, -1)), dueOn(2, due), dueOn(3, due.AddDate(0, 0, 1)), dueOn(4, due.AddDate(0, 0, 4))
		load(t, s, before, today, tomorrow, later)
		r, twin := runner(t, s, jobs.Record{}, &post{}), runner(t, s, jobs.Record{}, &post{})
		tick := func(r *jobs.Runner, want ...bool) {
			t.Helper()
			if err := r.Tick(t.Context()); err != nil {
				t.Fatal(err)
			}
			got := paid(t, s, before, today, tomorrow, later)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("at %s: paid %v, want %v", clock.Now(), got, want)
				}
			}
		}
		tick(r, false, false, false, false) // switched off
		if err := s.As(admin).SwitchScheduler(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		tick(r, false, true, false, false) // never what was due before
		clock.Advance(12 * time.Hour)
		tick(r, false, true, false, false) // another day, but night
		clock.Advance(4 * 24 * time.Hour)
		tick(r, false, true, true, true) // the days that were missed
		clock.Advance(24 * time.Hour)
		tick(twin, false, true, true, true)
		runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due.AddDate(0, 0, 5))
		if err != nil || len(runs) != 15 {
			t.Errorf("%d shards of a day ran, %v", len(runs), err)
		}
	})
}

// TestSchedulerCatchesUpSevenDays is switched on long before its first look.
func TestSchedulerCatchesUpSevenDays(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	if err := s.As(admin).SwitchScheduler(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	tooLong, just := dueOn(1, due.AddDate(0, 0, 12)), dueOn(2, due.AddDate(0, 0, 13))
	load(t, s, tooLong, just)
	clock.Advance(20 * 24 * time.Hour)
	if err := runner(t, s, jobs.Record{}, &post{}).Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := paid(t, s, tooLong, just); got[0] || !got[1] {
		t.Errorf("eight and seven days ago: paid %v", got)
	}
}

// TestOneOfTwoServersRuns has a second server look while the first has the
// lease.
func TestOneOfTwoServersRuns(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		first, second := s.NewToken(), s.NewToken()
		until := func() time.Time { return clock.Now().Add(time.Minute) }
		if err := s.TakeLease(t.Context(), "scheduler", first, until()); err != nil {
			t.Fatal(err)
		}
		if err := s.TakeLease(t.Context(), "scheduler", second, until()); err != store.ErrHeld {
			t.Errorf("the second server: %v", err)
		}
		if err := s.TakeLease(t.Context(), "scheduler", first, until()); err != nil {
			t.Errorf("the first one keeps it: %v", err)
		}
		clock.Advance(2 * time.Minute)
		if err := s.TakeLease(t.Context(), "scheduler", second, until()); err != nil {
			t.Errorf("once its time is over: %v", err)
		}
	})
}
