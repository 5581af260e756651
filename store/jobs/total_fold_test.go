package jobs_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// TestTickTotals_OncePerDay charges the payments of a day, and merges the slots of the
// day's totals two days later. The totals must not change.
func TestTickTotals_OncePerDay(t *testing.T) {
	clock := storetest.NewClock()
	s := openStore(t, storetest.Embedded(t, clock), clock)
	all := many(40)
	load(t, s, all...)
	r := runner(t, s, jobs.Record{}, &mailbox{})
	if err := r.TickTotals(t.Context()); err != nil { // the first tick comes before the run
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

// TestTickTotals_RanksNewSales checks that the ranking of account reps includes an order a
// minute after it was placed.
func TestTickTotals_RanksNewSales(t *testing.T) {
	clock := storetest.NewClock()
	s := openStore(t, storetest.Embedded(t, clock), clock)
	shop := storetest.NewShop()
	shop.Load(t, s)
	r := runner(t, s, jobs.Record{}, &mailbox{})
	if err := r.TickTotals(t.Context()); err != nil {
		t.Fatal(err)
	}
	ranked := func() (orders int) {
		t.Helper()
		reps, err := s.As(admin).RankedReps(t.Context(), store.QuarterOf(clock.Now()), store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range reps.Rows {
			orders += q.Orders
		}
		return orders
	}
	before := ranked()
	for range 3 {
		basket := store.Basket{Customer: "c08", Lines: []store.BasketLine{{Product: "p10", Quantity: 3}}}
		if _, err := s.As(admin).PlaceOrder(t.Context(), store.NewOrder{Basket: basket, Total: store.MinorUnits(330)}, s.NewToken()); err != nil {
			t.Fatal(err)
		}
	}
	if got := ranked() - before; got != 1 {
		t.Errorf("got %d new orders in the ranking, want 1", got)
	}
	clock.Advance(time.Minute)
	if err := r.TickTotals(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := ranked() - before; got != 3 {
		t.Errorf("after a minute: got %d new orders in the ranking, want 3", got)
	}
}
