package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// These tests change totals and events through functions that are exported only
// for tests. What they check holds for every change.

func TestAFormThatIsSentTwiceChangesOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		first := store.TryChange(t.Context(), s, "w1", 0, "token")
		if first != nil {
			t.Fatal(first)
		}
		if again := store.TryChange(t.Context(), s, "w1", 0, "token"); again != nil {
			t.Errorf("the same form again: %v, want it taken for done", again)
		}
		if other := store.TryChange(t.Context(), s, "w1", 0, "another"); store.KindOf(other) != store.Conflict {
			t.Errorf("another form that saw the same: %v, want a conflict", other)
		}
		if none := store.TryChange(t.Context(), s, "w1", 0, ""); store.KindOf(none) != store.Conflict {
			t.Errorf("no form: %v, want a conflict", none)
		}
		if total := ordersOf(t, s); total.Count != 1 || total.Amount.String() != "2.5" {
			t.Errorf("the total is %+v, want that of one change", total)
		}
	})
}

func ordersOf(t *testing.T, s *store.Store) store.DayTotal {
	t.Helper()
	today := store.DateRange{From: storetest.Now, To: storetest.Now}
	totals, err := s.As(&store.User{Name: "a", Role: store.Admin}).Totals(t.Context(), store.TotalOrders, today)
	if err != nil || len(totals) > 1 {
		t.Fatalf("totals: %v, %v", totals, err)
	}
	if len(totals) == 0 {
		return store.DayTotal{}
	}
	return totals[0]
}

// TestChangesSurviveABadLine makes changes side by side over a line that
// throttles and loses answers. Each is made once, however often it was tried.
func TestChangesSurviveABadLine(t *testing.T) {
	const writers, changes = 8, 12
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	if err := store.New(db, "OnlineShop", clock.Now).CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	line := storetest.NewUnreliable(db, 30, 7)
	s := store.New(line, "OnlineShop", clock.Now)
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range changes {
				for try := 0; ; try++ {
					err := store.TryChange(t.Context(), s, fmt.Sprint("w", w), n, fmt.Sprint("form ", w, " ", n))
					if err == nil {
						break
					}
					if try == 20 {
						t.Errorf("writer %d, change %d: %v", w, n, err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	sound := store.New(db, "OnlineShop", clock.Now)
	if total := ordersOf(t, sound); total.Count != writers*changes {
		t.Errorf("%d changes were counted, want %d", total.Count, writers*changes)
	}
	if line.Failed() == 0 {
		t.Error("no request failed")
	}
}

func TestTotalsAreKeptByTheDayOfTheBusiness(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Stockholm")
	if err != nil {
		t.Fatal(err)
	}
	settings := store.DefaultSettings()
	settings.TimeZone, settings.Shards = zone.String(), 4
	late := time.Date(2026, 11, 30, 23, 30, 0, 0, time.UTC) // December in Stockholm
	var tallies []store.Tally
	for n := range 20 {
		tallies = append(tallies, store.Tally{Kind: store.TotalOrders, At: late, ID: fmt.Sprint("o", n), Count: 1, Amount: store.MinorUnits(150)})
	}
	shards, count := map[int]bool{}, 0
	for _, total := range store.NewTotals(settings, tallies) {
		if total.Day.Format(time.DateOnly) != "2026-12-01" || shards[total.Shard] {
			t.Errorf("total %+v: want one a shard, of 1 December", total)
		}
		shards[total.Shard] = true
		count += total.Count
	}
	if count != len(tallies) || len(shards) < 2 {
		t.Errorf("%d are counted in %d shards", count, len(shards))
	}
}
