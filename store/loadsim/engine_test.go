package loadsim_test

import (
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/loadsim"
)

var admin = &store.User{Name: "admin", Role: store.Admin}

var smallShop = loadsim.Scenario{Customers: 1, Products: 1, Lines: 1, Warehouses: 1}

// placeAll places orders at the same time. It returns how many were placed.
func placeAll(t *testing.T, s *store.Store, orders int) (placed int) {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	for range orders {
		all.Go(func() {
			basket := store.Basket{Customer: "c000000", Lines: []store.BasketLine{{Product: "p00000", Quantity: 1}}}
			_, err := s.As(admin).PlaceOrder(t.Context(), store.NewOrder{Basket: basket, Total: store.MinorUnits(1999)}, s.NewToken())
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				placed++
			} else if store.KindOf(err) != store.Busy {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return placed
}

// TestEngine_CountsConflicts places orders of one customer at the same time. They conflict,
// because all of them change the totals of the day.
func TestEngine_CountsConflicts(t *testing.T) {
	onEngine(t, 1, loadsim.Limits{Quota: loadsim.DefaultQuota, Partitions: 4}, smallShop.Entities(today), func(t *testing.T, s *store.Store, e *loadsim.Engine) {
		placed := placeAll(t, s, 4)
		counts := e.Meter.Take()
		if counts.ConflictShare() == 0 || counts.WasteShare() == 0 {
			t.Errorf("got %s, want conflicts and wasted units", counts.Report(time.Second))
		}
		time.Sleep(time.Second) // by then, the index has the orders
		orders, err := s.As(admin).Orders(t.Context(), store.OrderFilter{Status: store.OrderOpen}, false, store.Page{})
		if err != nil || len(orders.Rows) != placed {
			t.Errorf("got %d orders, %v; want %d", len(orders.Rows), err, placed)
		}
	})
}

// TestEngine_ThrottlesTable makes more writes than the quota of the table allows. Some
// of them must be throttled.
func TestEngine_ThrottlesTable(t *testing.T) {
	onEngine(t, 15, loadsim.Limits{Quota: 100, Partitions: 4}, smallShop.Entities(today), func(t *testing.T, s *store.Store, e *loadsim.Engine) {
		placeAll(t, s, 50)
		if counts := e.Meter.Take(); counts.Throttled() == 0 {
			t.Errorf("got no throttled request, want some:\n%s", counts.Report(time.Second))
		}
	})
}

// TestEngine_IndexLags lists the open orders right after an order was placed, and again a
// second later. Some of the first lists must lack the order. All later lists must contain
// it.
func TestEngine_IndexLags(t *testing.T) {
	onEngine(t, 1, loadsim.Limits{Quota: loadsim.DefaultQuota, Partitions: 4}, smallShop.Entities(today), func(t *testing.T, s *store.Store, _ *loadsim.Engine) {
		listed := func() int {
			found, err := s.As(admin).Orders(t.Context(), store.OrderFilter{Status: store.OrderOpen}, false, store.Page{Limit: store.MaxLimit})
			if err != nil {
				t.Error(err)
			}
			return len(found.Rows)
		}
		missing := 0
		for n := range 20 {
			placeAll(t, s, 1)
			if listed() <= n {
				missing++
			}
			time.Sleep(time.Second)
			if got := listed(); got != n+1 {
				t.Fatalf("a second later: got %d orders, want %d", got, n+1)
			}
		}
		if missing == 0 {
			t.Error("the index always had the latest order, want some reads without it")
		}
	})
}
