package jobs_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

func TestTickSeals_SealsEachDayOnce(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	var log strings.Builder
	r := jobs.New(jobs.Config{Store: s, Log: slog.New(slog.NewTextHandler(&log, nil))})
	defer func() { _ = r.Close() }() // returns no error
	tick := func(wantLogs int) {
		t.Helper()
		if err := r.TickSeals(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(log.String(), "history sealed"); got != wantLogs {
			t.Errorf("%v: got %d runs that sealed days, want %d", clock.Now(), got, wantLogs)
		}
	}
	tick(0) // without a key, no day is sealed
	s.UseAuditKeys(store.AuditKeys{store.NewAuditKey("a key of this test with enough characters")})
	tick(1)
	tick(1)
	clock.Advance(14*time.Hour + 20*time.Minute) // it is now 00:50
	tick(1)
	clock.Advance(15 * time.Minute)
	tick(2)
	if !strings.Contains(log.String(), "newest=2026-11-21") {
		t.Errorf("got the log %q, want the day 2026-11-21", log.String())
	}
}
