package jobs_test

import (
	"errors"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestTickCheck_ChecksOnceANight ticks through two days.
func TestTickCheck_ChecksOnceANight(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		business := storetest.NewBusiness()
		business.Order.ItemCount = 9
		business.Load(t, s)
		r, other := runner(t, s, jobs.Record{}, &mailbox{}), runner(t, s, jobs.Record{}, &mailbox{})
		last := func() (report store.CheckReport) {
			t.Helper()
			found, err := s.As(admin).LastCheck(t.Context())
			if err != nil && store.KindOf(err) != store.NotFound {
				t.Fatal(err)
			}
			if err == nil {
				report = *found
			}
			return report
		}
		tick := func(r *jobs.Runner, checks int) {
			t.Helper()
			if err := r.TickCheck(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := last().Version; got != checks {
				t.Fatalf("at %s: got %d checks, want %d", clock.Now(), got, checks)
			}
		}
		tick(r, 0) // switched off
		if err := s.As(admin).SetScheduler(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		tick(r, 1)
		tick(other, 1)
		report := last()
		if report.Items < 30 || report.Findings() != 1 || len(report.First) != 1 || report.First[0].Rule != store.CheckOrderCount || report.Problem != "" || report.Ended.IsZero() {
			t.Errorf("got %+v, want one finding", report)
		}
		midnight := clock.Now().Truncate(24 * time.Hour).Add(24 * time.Hour)
		clock.Advance(midnight.Add(time.Hour).Sub(clock.Now()))
		tick(r, 1) // too early
		clock.Advance(time.Hour)
		if err := s.AcquireLease(t.Context(), "check", "another", clock.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		tick(r, 1) // another server checks
		if _, err := r.Check(t.Context()); !errors.Is(err, store.ErrLeased) {
			t.Errorf("got %v, want ErrLeased", err)
		}
		clock.Advance(2 * time.Minute)
		tick(other, 2)
		tick(r, 2)
	})
}

// TestRecordCheck_KeepsFirstFindings checks a table with more findings than are kept.
func TestRecordCheck_KeepsFirstFindings(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		shop := storetest.NewShop()
		shop.Load(t, s)
		report, err := s.RecordCheck(t.Context(), store.BusinessCheck{})
		if err != nil {
			t.Fatal(err)
		}
		kept, err := s.As(admin).LastCheck(t.Context())
		if err != nil || len(kept.First) != 100 || kept.Findings() != report.Findings() || kept.Findings() < 200 {
			t.Errorf("got %d of %d findings, %v; want the first 100", len(kept.First), kept.Findings(), err)
		}
	})
}
