package jobs_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestTickTotals_OncePerDay charges the payments of a day and folds its totals two days
// later. The totals must stay the same.
func TestTickTotals_OncePerDay(t *testing.T) {
	clock := storetest.NewClock()
	s := openStore(t, storetest.Embedded(t, clock), clock)
	all := many(40)
	load(t, s, all...)
	r := runner(t, s, jobs.Record{}, &mailbox{})
	if err := r.TickTotals(t.Context()); err != nil { // before the run
		t.Fatal(err)
	}
	run(t, r, store.PaymentsJob, due)
	totals := func() store.DayTotal {
		t.Helper()
		days, err := s.As(admin).Totals(t.Context(), store.TotalPayments, store.DateRange{From: due, To: due})
		if err != nil || len(days) != 1 || days[0].Count != len(all) {
			t.Fatalf("got totals %+v, %v; want %d payments", days, err, len(all))
		}
		return days[0]
	}
	before := totals()
	clock.Advance(48 * time.Hour)
	if err := r.TickTotals(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left, err := s.FoldTotals(t.Context()); err != nil || left > 0 {
		t.Errorf("got %d slots left by TickTotals, error %v, want none", left, err)
	}
	if after := totals(); after.Amount.Compare(before.Amount) != 0 {
		t.Errorf("got %s, want %s", after.Amount, before.Amount)
	}
}
