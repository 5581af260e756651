package jobs_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

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
		tick(r, 0) // the scheduler is off: no check
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
		tick(r, 1) // before checkHour: no other check
		clock.Advance(time.Hour)
		if err := s.AcquireLease(t.Context(), "check", "another", clock.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		tick(r, 1) // another server has the lease: no other check
		if _, err := r.Check(t.Context()); !errors.Is(err, store.ErrLeased) {
			t.Errorf("got %v, want ErrLeased", err)
		}
		clock.Advance(2 * time.Minute)
		tick(other, 2)
		tick(r, 2)
		clock.Advance(22*time.Hour + 30*time.Minute)
		if _, err := r.Check(t.Context()); err != nil { // a user starts a check after midnight
			t.Fatal(err)
		}
		tick(r, 3)
		clock.Advance(2 * time.Hour)
		tick(r, 4)
	})
}

// TestTickCheck_WhenHourRepeats runs the nightly check on the day on which the clocks
// change back, so that its hour comes twice. It must run once.
func TestTickCheck_WhenHourRepeats(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	setZone(t, s, "Europe/Stockholm")
	if err := s.As(admin).SetScheduler(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	r := runner(t, s, jobs.Record{}, &mailbox{})
	for n, at := range []string{"2027-10-31T00:10:00Z", "2027-10-31T00:20:00Z", "2027-10-31T01:10:00Z", "2027-11-01T01:10:00Z"} {
		clock.Advance(timeOf(t, at).Sub(clock.Now()))
		if err := r.TickCheck(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := 1
		if n == 3 {
			want = 2 // the next night
		}
		if report, err := s.As(admin).LastCheck(t.Context()); err != nil || report.Version != want {
			t.Errorf("at %s: got %+v, %v; want %d checks", at, report, err, want)
		}
	}
}

func timeOf(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestCheck_ContinuesAfterInterruption interrupts a check twice. A check an hour later must
// continue the interrupted one. A check two days later must start from the beginning.
func TestCheck_ContinuesAfterInterruption(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	business := storetest.NewBusiness()
	business.Order.ItemCount = 9
	business.Load(t, s)
	whole, err := s.CheckBusiness(t.Context(), store.BusinessCheck{})
	if err != nil {
		t.Fatal(err)
	}
	progress := filepath.Join(t.TempDir(), "check-progress")
	interrupt := func() {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := s.CheckBusiness(ctx, store.BusinessCheck{Resume: progress, PageSize: 1, Progress: func(items int) {
			if items > whole.Items/2 {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v, want an interrupted check", err)
		}
		state, err := os.ReadFile(progress)
		if err != nil {
			t.Fatal(err)
		}
		marked := regexp.MustCompile(`"Items":`).ReplaceAll(state, []byte(`"Items":1000`)) // only a continued check has this number in its count of items
		if err := os.WriteFile(progress, marked, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := jobs.New(jobs.Config{Store: s, Processor: jobs.Record{}, Mail: &mailbox{}, Log: slog.New(slog.DiscardHandler), CheckProgress: progress})
	for _, tt := range []struct {
		name      string
		wait      time.Duration
		continues bool
	}{{"the same night", time.Hour, true}, {"two days later", 48 * time.Hour, false}} {
		interrupt()
		clock.Advance(tt.wait)
		report, err := r.Check(t.Context())
		if err != nil || report.Findings() != 1 || (report.Items > 1000) != tt.continues {
			t.Errorf("%s: got %d items, %d findings, %v; want 1 finding and continued %v", tt.name, report.Items, report.Findings(), err, tt.continues)
		}
		if left, _ := filepath.Glob(progress + "*"); len(left) > 0 {
			t.Errorf("%s: got files %v, want no progress file", tt.name, left)
		}
	}
}

// TestRecordCheck_KeepsFirstFindings records a check with more findings than a report can
// contain. The report must contain 100 of them, and the number of all.
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

// TestStartCheck starts many checks on two servers at the same time. Each check that
// starts must store a report. The others must be refused.
func TestStartCheck(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	storetest.NewBusiness().Load(t, s)
	servers := []*jobs.Runner{runner(t, s, jobs.Record{}, &mailbox{}), runner(t, s, jobs.Record{}, &mailbox{})}
	if err := s.AcquireLease(t.Context(), store.CheckLease, "third server", clock.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if err := servers[0].StartCheck(t.Context()); !errors.Is(err, store.ErrLeased) {
		t.Errorf("while another server checks: got %v, want ErrLeased", err)
	}
	clock.Advance(2 * time.Minute)
	var starting sync.WaitGroup
	var started atomic.Int64
	for n := range 16 {
		starting.Go(func() {
			err := servers[n%2].StartCheck(t.Context())
			if err == nil {
				started.Add(1)
			} else if !errors.Is(err, store.ErrLeased) {
				t.Error(err)
			}
		})
	}
	starting.Wait()
	for {
		checking, err := s.As(admin).IsChecking(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !checking {
			break
		}
	}
	report, err := s.As(admin).LastCheck(t.Context()) // read the report after the last check has ended
	if err != nil {
		t.Fatal(err)
	}
	if started.Load() == 0 || report.Version != int(started.Load()) || report.Findings() > 0 {
		t.Errorf("got %d checks and %d reports with %d findings, want one report for each", started.Load(), report.Version, report.Findings())
	}
}
