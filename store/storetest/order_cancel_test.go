package storetest_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestCancelOrder_AlreadyCancelled checks that an open line of an imported order
// with the status CANCELLED can be cancelled.
func TestCancelOrder_AlreadyCancelled(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		price := store.MinorUnits(1000)
		loaded, err := s.Load(t.Context(), []store.Entity{
			&store.Customer{ID: "c", Name: "Ada"},
			&store.Product{ID: "p", Name: "Lamp", Price: price},
			&store.Order{ID: "o", CustomerID: "c", Date: storetest.Now, Status: store.OrderCancelled, Total: price, ItemCount: 1, ShipmentState: store.NothingShipped},
			&store.OrderItem{OrderID: "o", ProductID: "p", CustomerID: "c", Date: storetest.Now, Price: price, Quantity: 1},
		}, store.LoadOptions{})
		if err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(loaded.Rejected, err)
		}
		if found, _ := checkBusiness(t, s, store.BusinessCheck{Wait: atOnce}); len(found) != 1 || found[0].Rule != store.CheckOrderState {
			t.Errorf("got %v, want a finding about the status", found)
		}
		admin := s.As(&store.User{Name: "admin", Role: store.Admin})
		if err := admin.CancelOrder(t.Context(), store.Cancellation{OrderID: "o", Version: 1, Why: "x"}, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		if found, _ := checkBusiness(t, s, store.BusinessCheck{Wait: atOnce}); len(found) > 0 {
			t.Errorf("got %v, want no finding", found)
		}
		if level, err := admin.StockLevelOf(t.Context(), "p"); err != nil || level.Committed != 0 {
			t.Errorf("got %+v, %v; want nothing committed", level, err)
		}
	})
}
