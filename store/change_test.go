package store_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestChange_RepeatedFormAppliesOnce checks that a cancellation form that is submitted
// twice changes the total of the day only once. With the same version, another form and a
// form without a token must be rejected.
func TestChange_RepeatedFormAppliesOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		shop, a := storetest.NewShop(), s.As(&store.User{Name: "kim", Role: store.Admin})
		shop.Load(t, s)
		before := ordersOfDay(t, s).Count
		var order store.Order
		for range 2 {
			id, err := a.PlaceOrder(t.Context(), newOrder(&shop, shop.Customers[1].ID), s.NewToken())
			if err != nil {
				t.Fatal(err)
			}
			details, err := a.Order(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			order = details.Order
		}
		cancel := func(token string) error {
			return a.CancelOrder(t.Context(), store.Cancellation{OrderID: order.ID, Version: order.Version, Why: "test"}, token)
		}
		token := s.NewToken()
		if first := cancel(token); first != nil {
			t.Fatal(first)
		}
		if again := cancel(token); again != nil {
			t.Errorf("same form again: got %v, want no error", again)
		}
		if other := cancel(s.NewToken()); store.KindOf(other) != store.Conflict {
			t.Errorf("another form with the same version: got %v, want Conflict", other)
		}
		if none := cancel(""); store.KindOf(none) != store.Conflict {
			t.Errorf("without a form token: got %v, want Conflict", none)
		}
		if total := ordersOfDay(t, s); total.Count != before+1 || total.Amount.Compare(order.Total.Sum()) != 0 {
			t.Errorf("got total %+v, want %d orders and the amount %s", total, before+1, order.Total)
		}
	})
}

func newOrder(shop *storetest.Shop, customer string) store.NewOrder {
	product := shop.Products[1]
	return store.NewOrder{
		Basket: store.Basket{Customer: customer, Lines: []store.BasketLine{{Product: product.ID, Quantity: 1}}},
		Total:  product.Price,
	}
}

func ordersOfDay(t *testing.T, s *store.Store) store.DayTotal {
	t.Helper()
	today := store.DateRange{From: storetest.Now, To: storetest.Now}
	totals, err := s.As(&store.User{Name: "a", Role: store.Admin}).Totals(t.Context(), store.TotalOrders, today)
	if err != nil || len(totals) > 1 {
		t.Fatalf("got totals %v, error %v, want at most one", totals, err)
	}
	if len(totals) == 0 {
		return store.DayTotal{}
	}
	return totals[0]
}

// TestChange_UnreliableConnection places several orders at the same time, over a connection
// that throttles requests and loses responses. Each order must be placed once, even if it
// takes several tries.
func TestChange_UnreliableConnection(t *testing.T) {
	const writers, changes = 8, 12
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	reliable := store.New(db, "OnlineShop", clock.Now)
	if err := reliable.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	shop := storetest.NewShop()
	shop.Load(t, reliable)
	before := ordersOfDay(t, reliable).Count
	connection := storetest.NewUnreliable(db, 15, 7)
	s := store.New(connection, "OnlineShop", clock.Now)
	a := s.As(&store.User{Name: "kim", Role: store.Admin})
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range changes {
				token := s.NewToken()
				for try := 0; ; try++ {
					_, err := a.PlaceOrder(t.Context(), newOrder(&shop, shop.Customers[w].ID), token)
					if err == nil {
						break
					}
					if try == 500 {
						t.Errorf("writer %d, change %d: %v", w, n, err)
						return
					}
				}
			}
		})
	}
	all.Wait()
	if total := ordersOfDay(t, reliable); total.Count != before+writers*changes {
		t.Errorf("got %d changes in the total, want %d", total.Count-before, writers*changes)
	}
	if connection.Failed() == 0 {
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
	late := time.Date(2026, 11, 30, 23, 30, 0, 0, time.UTC) // already December in Stockholm
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
