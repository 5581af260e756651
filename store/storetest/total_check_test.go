package storetest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// checkTotals returns the differences that a check finds.
func checkTotals(t *testing.T, s *store.Store, rebuild bool) (differences []string, result store.TotalsResult) {
	t.Helper()
	result, err := s.CheckTotals(t.Context(), store.TotalsCheck{
		Rebuild: rebuild,
		Found:   func(d store.TotalDifference) { differences = append(differences, d.String()) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return differences, result
}

// TestCheckTotals_RebuildsUncounted checks a table whose orders were imported
// without being counted.
func TestCheckTotals_RebuildsUncounted(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		orders := []store.Entity{&store.Employee{ID: "e1", Name: "Rep", Version: 1}}
		for n := range 7 {
			id := fmt.Sprint("o", n)
			orders = append(orders,
				&store.Order{ID: id, CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(30_00), AccountRepID: "e1", Version: 1},
				&store.OrderItem{OrderID: id, ProductID: "p1", CustomerID: "c1", Date: storetest.Now, Price: store.MinorUnits(10_00), Quantity: 3, Shipped: 3, Returned: n % 2, Version: 1})
		}
		orders = append(orders,
			&store.Total{Kind: store.TotalOrders, Day: storetest.Now.AddDate(0, 0, -3).Truncate(24 * 60 * 60 * 1e9), Shard: 2, Count: 1, Amount: store.MinorUnits(5_00).Sum(), Version: 4},
			&store.Quota{EmployeeID: "e1", Period: store.QuarterOf(storetest.Now), Orders: -1, OrderTotal: store.MinorUnits(-30_00).Sum(), Version: 3})
		if loaded, err := s.Load(t.Context(), orders, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		want := fmt.Sprint([]string{
			"orders of 2026-11-18: counted 1 (5), rows 0 (0)",
			"orders of 2026-11-21: counted 0 (0), rows 7 (180)",
			"quota of e1 for 2026-Q4: counted -1 (-30), rows 7 (180)",
		})
		for range 2 {
			if got, result := checkTotals(t, s, false); fmt.Sprint(got) != want || result.Different != 3 || result.Rebuilt != 0 || result.Changing != 0 {
				t.Errorf("check: got %q, %+v", got, result)
			}
		}
		if got, result := checkTotals(t, s, true); fmt.Sprint(got) != want || result.Rebuilt != 3 || result.Changing != 0 {
			t.Errorf("rebuild: got %q, %+v; want 3 rebuilt", got, result)
		}
		if got, result := checkTotals(t, s, false); len(got) > 0 || result.Different != 0 || result.Compared != 3 {
			t.Errorf("check of the rebuilt table: got %q, %+v", got, result)
		}
	})
}

// TestCheckTotals_WhileOrdersArePlaced rebuilds while a server works.
func TestCheckTotals_WhileOrdersArePlaced(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, db *store.Store, _ *storetest.Clock) {
		s := &selling{t, db, db.As(admin), storetest.NewShop()}
		s.shop.Load(t, db)
		ctx, stop := context.WithCancel(t.Context())
		var placing sync.WaitGroup
		placing.Go(func() {
			for ctx.Err() == nil {
				if _, err := s.admin.PlaceOrder(t.Context(), s.taking(), s.store.NewToken()); err != nil {
					t.Error(err)
					return
				}
			}
		})
		for range 5 {
			checkTotals(t, db, true)
		}
		stop()
		placing.Wait()
		checkTotals(t, db, true)
		if got, result := checkTotals(t, db, false); len(got) > 0 || result.Changing > 0 {
			t.Errorf("got %q, %+v; want no differences", got, result)
		}
	})
}
