package storetest_test

import (
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestTotals_AreFolded places orders. The total of their day is stored in several items,
// called slots, until a fold adds them up. The fold must not change the total. A later
// change of an order must not add a slot. Each order is placed by another server, because
// one server could use only the slot that stays after a fold.
func TestTotals_AreFolded(t *testing.T) {
	shops[2].OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := store.New(db, table, clock.Now)
		ctx, a := t.Context(), s.As(admin)
		const orders = 30
		basket := store.Basket{Customer: "c07", Lines: []store.BasketLine{{Product: "p10", Quantity: 3}}}
		var last string
		for range orders {
			server := store.New(db, table, clock.Now)
			id, err := server.As(admin).PlaceOrder(ctx, store.NewOrder{Basket: basket, Total: store.MinorUnits(330)}, server.NewToken())
			if err != nil {
				t.Fatal(err)
			}
			last = id
		}
		day := store.DateRange{From: clock.Now(), To: clock.Now()}
		want := func(count int) {
			t.Helper()
			totals, err := a.Totals(ctx, store.TotalOrders, day)
			if err != nil || len(totals) != 1 || totals[0].Count != count || totals[0].Amount.Compare(store.MinorUnits(int64(330*count)).Sum()) != 0 {
				t.Errorf("got totals %+v, %v; want %d orders", totals, err, count)
			}
		}
		folded := func(wanted bool) {
			t.Helper()
			if n, err := s.FoldTotals(ctx); err != nil || n > 0 != wanted {
				t.Errorf("FoldTotals: got %d slots, %v; want some: %v", n, err, wanted)
			}
		}
		want(orders)
		folded(false) // the total of today keeps its slots
		clock.Advance(48 * time.Hour)
		folded(true)
		want(orders)
		folded(false)

		details, err := a.Order(ctx, last)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.CancelOrder(ctx, store.Cancellation{OrderID: last, Version: details.Version, Why: "test"}, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		want(orders - 1)
		folded(false)
	})
}

// TestFoldTotals_OnTwoServers folds slots on two servers at the same time, while a server
// whose clock is slow still adds to the slots of the day. Nothing may be lost or counted
// twice.
func TestFoldTotals_OnTwoServers(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		ctx := t.Context()
		today := clock.Now()
		late := store.New(db, table, func() time.Time { return today })
		clock.Advance(48 * time.Hour)

		const rounds, orders = 10, 8
		basket := store.Basket{Customer: "c07", Lines: []store.BasketLine{{Product: "p10", Quantity: 3}}}
		for range rounds {
			servers, ctx := errgroup.WithContext(ctx)
			servers.Go(func() error {
				for range orders {
					if _, err := late.As(admin).PlaceOrder(ctx, store.NewOrder{Basket: basket, Total: store.MinorUnits(330)}, late.NewToken()); err != nil {
						return err
					}
				}
				return nil
			})
			for range 2 {
				server := store.New(db, table, clock.Now)
				servers.Go(func() error {
					for range 3 {
						if _, err := server.FoldTotals(ctx); err != nil {
							return err
						}
					}
					return nil
				})
			}
			if err := servers.Wait(); err != nil {
				t.Fatal(err)
			}
		}
		totals, err := late.As(admin).Totals(ctx, store.TotalOrders, store.DateRange{From: today, To: today})
		if err != nil || len(totals) != 1 || totals[0].Count != rounds*orders || totals[0].Amount.Compare(store.MinorUnits(330*rounds*orders).Sum()) != 0 {
			t.Errorf("got totals %+v, %v; want %d orders", totals, err, rounds*orders)
		}
	})
}

// TestCheckTotals_RebuildsSlots checks that a rebuild corrects the total of a day that has
// several slots.
func TestCheckTotals_RebuildsSlots(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		day := storetest.Now.Truncate(24 * time.Hour)
		wrong := []store.Entity{
			&store.Total{Kind: store.TotalOrders, Day: day, Shard: 2, Slot: 3, Count: 1, Amount: store.MinorUnits(5_00).Sum(), Version: 4},
			&store.Total{Kind: store.TotalOrders, Day: day, Shard: 2, Slot: 15, Count: 2, Amount: store.MinorUnits(5_00).Sum(), Version: 1},
			&store.Total{Kind: store.TotalOrders, Day: day, Shard: 4, Count: 2, Amount: store.MinorUnits(5_00).Sum(), Version: 1},
		}
		if loaded, err := s.Load(t.Context(), wrong, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		const want = "orders of 2026-11-21: stored 5 (15), correct 0 (0)"
		if got, result := checkTotals(t, s, true); len(got) != 1 || got[0] != want || result.Rebuilt != 1 || result.Changing > 0 {
			t.Errorf("got %q, %+v; want %q rebuilt", got, result, want)
		}
		if got, result := checkTotals(t, s, false); len(got) > 0 || result.Changing > 0 {
			t.Errorf("after rebuilding: got %q, %+v, want no differences", got, result)
		}
	})
}
