package storetest_test

import (
	"fmt"
	"slices"
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

// TestCancelOrder_AfterReturn cancels the rest of an order whose shipped items were all
// returned. The order and its shipments are then returned, even if the shipments do not fit
// into the transaction of the cancellation.
func TestCancelOrder_AfterReturn(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("shipping", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 3}), ""))
		s.send(id)
		s.done("returning", s.admin.ReturnItems(ctx, s.returning(id, map[string]int{"p10": 3}), ""))
		if o := s.order(id); o.Status == store.OrderReturned || o.Shipments[0].Status != store.ShipmentSent {
			s.Fatalf("got the order %+v, want it open, with a sent shipment", o)
		}
		large := []store.Entity{
			&store.Order{ID: "x1", CustomerID: "c07", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(440), ItemCount: 4, PaymentState: store.InvoiceVoid, ShipmentState: store.PartlyShipped, Version: 1},
			&store.OrderItem{OrderID: "x1", ProductID: "p10", CustomerID: "c07", Date: storetest.Now, Price: store.MinorUnits(110), Quantity: 3, Shipped: 3, Returned: 3, Version: 1},
			&store.OrderItem{OrderID: "x1", ProductID: "p11", CustomerID: "c07", Date: storetest.Now, Price: store.MinorUnits(110), Quantity: 1, Version: 1},
		}
		for n := range 120 {
			large = append(large, &store.Shipment{ID: fmt.Sprintf("x1s%03d", n), OrderID: "x1", WarehouseID: "w1", Date: storetest.Now, Status: store.ShipmentSent, Version: 1})
		}
		s.done("load", loadAll(ctx, s.store, large))
		for _, id := range []string{id, "x1"} {
			s.done("cancelling "+id, s.admin.CancelOrder(ctx, store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, ""))
			o := s.order(id)
			left := slices.DeleteFunc(slices.Clone(o.Shipments), func(p store.ShipmentDetails) bool { return p.Status == store.ShipmentReturned })
			if o.Status != store.OrderReturned || o.Unfinished || len(left) > 0 {
				s.Errorf("%s: got the status %s, unfinished %t, and %d shipments that are not returned; want it returned, with all shipments", id, o.Status, o.Unfinished, len(left))
			}
		}
	})
}
