package storetest_test

import (
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// unfinishedOrder returns the items of an imported order with three units of product
// p10 and the flag Unfinished.
func unfinishedOrder(status store.OrderStatus, shipped int) []store.Entity {
	return []store.Entity{
		&store.Order{ID: "x1", CustomerID: "c07", Date: storetest.Now, Status: status, Total: store.MinorUnits(330), ItemCount: 3, Unfinished: true, PaymentState: store.InvoiceVoid, ShipmentState: store.NothingShipped, Version: 1},
		&store.OrderItem{OrderID: "x1", ProductID: "p10", CustomerID: "c07", Date: storetest.Now, Price: store.MinorUnits(110), Quantity: 3, Shipped: shipped, Version: 1},
		&store.Shipment{ID: "x1s", OrderID: "x1", WarehouseID: "w1", Date: storetest.Now, Status: store.ShipmentSent, Version: 1},
	}
}

// TestFinishOrder_NotCancelled ships an order that has the flag Unfinished but was
// neither cancelled nor returned. All items must be shipped, and the flag must be
// cleared.
func TestFinishOrder_NotCancelled(t *testing.T) {
	sell(t, func(s *selling) {
		s.done("load", loadAll(s.Context(), s.store, unfinishedOrder(store.OrderOpen, 1)))
		s.done("ship", s.admin.ShipOpenItems(s.Context(), "x1", "w1", ""))
		o := s.order("x1")
		if o.Status != store.OrderShipped || o.Unfinished || o.Items[0].Cancelled || o.Items[0].Shipped != 3 {
			s.Errorf("got an order with status %s, unfinished %t, line %+v; want it shipped and finished", o.Status, o.Unfinished, o.Items[0])
		}
	})
}

// TestFinishOrder_NotReturned checks that FinishOrder clears the flag of a shipped order
// that was not returned, and changes nothing else.
func TestFinishOrder_NotReturned(t *testing.T) {
	sell(t, func(s *selling) {
		s.done("load", loadAll(s.Context(), s.store, unfinishedOrder(store.OrderShipped, 3)))
		s.done("finish", s.admin.FinishOrder(s.Context(), "x1"))
		o := s.order("x1")
		if o.Status != store.OrderShipped || o.Unfinished || o.Shipments[0].Status != store.ShipmentSent {
			s.Errorf("got an order with status %s, unfinished %t, shipment %s; want it shipped and finished", o.Status, o.Unfinished, o.Shipments[0].Status)
		}
	})
}

// TestFinishOrder_Cancelled checks that FinishOrder cancels the open lines of an
// imported order with the status CANCELLED.
func TestFinishOrder_Cancelled(t *testing.T) {
	sell(t, func(s *selling) {
		s.done("load", loadAll(s.Context(), s.store, unfinishedOrder(store.OrderCancelled, 0)))
		before := s.level("p10")
		s.done("finish", s.admin.FinishOrder(s.Context(), "x1"))
		o := s.order("x1")
		if o.Status != store.OrderCancelled || o.Unfinished || !o.Items[0].Cancelled || s.level("p10") == before {
			s.Errorf("got an order with status %s, unfinished %t, line %+v; want it cancelled and finished", o.Status, o.Unfinished, o.Items[0])
		}
	})
}
