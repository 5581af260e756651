package jobs_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

func setZone(t *testing.T, s *store.Store, zone string) {
	t.Helper()
	settings, err := s.As(admin).CurrentSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.TimeZone = zone
	if err := s.As(admin).ChangeSettings(t.Context(), settings, s.NewToken()); err != nil {
		t.Fatal(err)
	}
}

// TestScheduler_RepeatsDayAfterZoneChange moves the time zone to the west after a day is
// finished, so that the day begins again. It then adds a subscription with a payment due on
// this day, which must be charged.
func TestScheduler_RepeatsDayAfterZoneChange(t *testing.T) {
	for name, zones := range map[string][]string{
		"west":          {"America/Los_Angeles"},
		"west and back": {"America/Los_Angeles", "Pacific/Auckland"},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
				schedule(t, s, "")
				setZone(t, s, "Pacific/Auckland")
				r := runner(t, s, jobs.Record{}, &mailbox{})
				clock.Advance(9 * time.Hour) // advances to 08:30 on 22 November in Auckland
				for range 2 {
					tick(t, r)
					clock.Advance(time.Minute)
				}
				backlog, err := s.Backlog(t.Context(), store.PaymentsJob)
				if want := due.AddDate(0, 0, 1); err != nil || !backlog.Since.Equal(want) {
					t.Fatalf("got backlog %+v, %v; want %s", backlog, err, want)
				}
				for i, zone := range zones {
					setZone(t, s, zone)
					if i == 0 {
						today, err := s.Today(t.Context())
						if err != nil || !today.Equal(due) {
							t.Fatalf("got today %s, %v; want %s again", today, err, due)
						}
						load(t, s, dueOn(1, due))
					}
				}
				for range 2 {
					clock.Advance(time.Hour)
					tick(t, r)
				}
				if !paid(t, s, dueOn(1, due))[0] {
					t.Error("got no payment after the zone change, want one")
				}
			})
		})
	}
}

func TestMoveBacklog_RejectedAfterSettingsChange(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		schedule(t, s, "")
		old, err := s.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		setZone(t, s, "America/Los_Angeles")
		backlog, err := s.Backlog(t.Context(), store.PaymentsJob)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.MoveBacklog(t.Context(), old, backlog, due); store.KindOf(err) != store.Conflict {
			t.Errorf("got %v, want Conflict", err)
		}
	})
}

// TestScheduler_DayBeforeSkippedMidnight runs the last hour of a day after which daylight
// saving time skips midnight. It then adds a payment that is due on this day, which must be
// charged.
func TestScheduler_DayBeforeSkippedMidnight(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		setZone(t, s, "America/Santiago")
		clock.Advance(timeOf(t, "2027-09-04T15:00:00Z").Sub(clock.Now()))
		schedule(t, s, "")
		r := runner(t, s, jobs.Record{}, &mailbox{})
		clock.Advance(timeOf(t, "2027-09-05T03:30:00Z").Sub(clock.Now())) // 23:30 on 4 September
		tick(t, r)
		sub := dueOn(1, time.Date(2027, time.September, 4, 0, 0, 0, 0, time.UTC))
		load(t, s, sub)
		for range 2 {
			clock.Advance(10 * time.Hour)
			tick(t, r)
		}
		if !paid(t, s, sub)[0] {
			t.Error("got no payment, want one")
		}
	})
}
