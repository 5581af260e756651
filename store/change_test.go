package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// These tests change totals and events through functions that are exported only for
// tests. Every other change uses the same code.

func TestChange_RepeatedFormAppliesOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		first := store.TryChange(t.Context(), s, "w1", 0, "token")
		if first != nil {
			t.Fatal(first)
		}
		if again := store.TryChange(t.Context(), s, "w1", 0, "token"); again != nil {
			t.Errorf("same form again: got %v, want no error", again)
		}
		if other := store.TryChange(t.Context(), s, "w1", 0, "another"); store.KindOf(other) != store.Conflict {
			t.Errorf("another form with the same version: got %v, want Conflict", other)
		}
		if none := store.TryChange(t.Context(), s, "w1", 0, ""); store.KindOf(none) != store.Conflict {
			t.Errorf("without a form token: got %v, want Conflict", none)
		}
		if total := ordersOf(t, s); total.Count != 1 || total.Amount.String() != "2.5" {
			t.Errorf("got total %+v, want 1 order of 2.5", total)
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

// TestChange_UnreliableConnection makes changes concurrently, over a connection that
// throttles requests and loses responses. Each change must be applied once, however
// often it was tried.
func TestChange_UnreliableConnection(t *testing.T) {
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
		t.Errorf("got %d changes in the total, want %d", total.Count, writers*changes)
	}
	if line.Failed() == 0 {
		t.Error("got no failed request, want some")
	}
}

func TestNewTotals_UseBusinessTimeZone(t *testing.T) {
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
			t.Errorf("got total %+v, want one total per shard, for 1 December", total)
		}
		shards[total.Shard] = true
		count += total.Count
	}
	if count != len(tallies) || len(shards) < 2 {
		t.Errorf("got a count of %d in %d shards, want %d in several", count, len(shards), len(tallies))
	}
}
