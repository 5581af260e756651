package storetest_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// send marks all packed shipments of an order as shipped.
func (s *selling) send(orderID string) {
	s.Helper()
	sendAll(s.T, s.admin, orderID)
}

func sendAll(t *testing.T, a store.Access, orderID string) {
	t.Helper()
	o, err := a.Order(t.Context(), orderID)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range o.Shipments {
		if p.Status != store.ShipmentPacked {
			continue
		}
		if err := a.AdvanceShipment(t.Context(), store.ShipmentUpdate{ShipmentID: p.ID, Version: p.Version, To: store.ShipmentSent}, ""); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *selling) returning(orderID string, quantities map[string]int) store.ReturnRequest {
	s.Helper()
	return store.ReturnRequest{OrderID: orderID, Version: s.order(orderID).Version, Quantities: quantities, WarehouseID: "w0", Why: "broken"}
}

// TestReturnItems_Packed returns the items of an order with a packed and a sent shipment.
// Only the items that have left the warehouse can be returned. The others can be unpacked,
// and then cancelled.
func TestReturnItems_Packed(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("paying", s.admin.RecordPayment(ctx, s.paying(id, "0", "6.64"), ""))
		s.done("packing", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 2, "p11": 2}), ""))
		if o := s.order(id); o.CanReturn() || s.admin.CanReturnItems(o) {
			s.Error("packed: got an order with items that can be returned, want none")
		}
		s.refused("packed items", s.admin.ReturnItems(ctx, s.returning(id, map[string]int{"p10": 1}), ""), store.Invalid, "quantity-p10")
		s.send(id)
		s.done("packing others", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 1}), ""))
		packed := s.order(id).Shipments[1].ID
		if got := s.admin.Returnable(s.order(id)); got["p10"] != 2 || got["p11"] != 2 || got["p12"] != 0 {
			s.Errorf("got %v that can be returned, want 2 of p10 and 2 of p11", got)
		}
		err := s.admin.ReturnItems(ctx, s.returning(id, map[string]int{"p10": 3}), "")
		s.refused("also the packed one", err, store.Invalid, "quantity-p10")
		if err == nil || !strings.Contains(err.Error(), "unpack") {
			s.Errorf("got %v, want advice to unpack the shipment", err)
		}
		s.done("what was sent", s.admin.ReturnItems(ctx, s.returning(id, map[string]int{"p10": 2, "p11": 2}), ""))
		o := s.order(id)
		if o.Status != store.OrderPaid || o.CanReturn() || o.Shipments[0].Status != store.ShipmentSent || o.Invoices[0].BalanceDue().String() != "-4.42" {
			s.Errorf("got the order %+v, want it paid, with a balance of -4.42", o)
		}
		s.done("unpacking", s.admin.UnpackShipment(ctx, s.unpacking(id, packed), ""))
		if o = s.order(id); o.Status != store.OrderPaid || o.ShipmentState != store.PartlyShipped || strings.Join(o.OpenLines, ", ") != "1 p10, 1 p12" {
			s.Errorf("unpacked: got the order %+v, want it paid, with 1 of p10 and p12 open", o.Order)
		}
		s.done("cancelling", s.admin.CancelOrder(ctx, store.Cancellation{OrderID: id, Version: o.Version, Why: "x"}, ""))
		if o = s.order(id); o.Status != store.OrderReturned || o.Invoices[0].BalanceDue().String() != "-6.64" {
			s.Errorf("cancelled: got the order %+v, want it returned, with a balance of -6.64", o.Order)
		}
		if a, b := s.inStock("p10", "w0"), s.inStock("p11", "w0"); a != 20 || b != 22 {
			s.Errorf("got %d and %d in w0, want 20 and 22 as before", a, b)
		}
		requireLevels(s.T, s.store)
	})
}

// TestReturnItems_Imported returns items of two imported orders: one with a packed shipment
// of unknown contents, and one whose packed items were partly returned before the import.
func TestReturnItems_Imported(t *testing.T) {
	sell(t, func(s *selling) {
		order := func(id string, returned int) []store.Entity {
			return []store.Entity{
				&store.Order{ID: id, CustomerID: "c01", Date: storetest.Now, Status: store.OrderShipped, ItemCount: 3, ShipmentState: store.FullyShipped, Total: store.MinorUnits(330), Version: 1},
				&store.OrderItem{OrderID: id, ProductID: "p10", CustomerID: "c01", Date: storetest.Now, Name: "Lamp", Price: store.MinorUnits(110), Quantity: 3, Shipped: 3, Returned: returned, Version: 1},
				&store.Shipment{ID: id + "-1", OrderID: id, WarehouseID: "w0", Date: storetest.Now, Status: store.ShipmentPacked, Version: 1},
			}
		}
		unknown := append(order("unknown", 0),
			&store.Shipment{ID: "unknown-2", OrderID: "unknown", WarehouseID: "w0", Date: storetest.Now, Status: store.ShipmentSent, Version: 1},
			&store.ShipmentItem{ID: "unknown-2-1", OrderID: "unknown", ShipmentID: "unknown-2", ProductID: "p10", Quantity: 1, Version: 1})
		earlier := append(order("earlier", 1),
			&store.ShipmentItem{ID: "earlier-1-1", OrderID: "earlier", ShipmentID: "earlier-1", ProductID: "p10", Quantity: 3, Version: 1})
		loaded, err := s.store.Load(s.Context(), slices.Concat(unknown, earlier), store.LoadOptions{})
		if err != nil || len(loaded.Rejected) > 0 {
			s.Fatal(err, loaded.Rejected)
		}
		for id, want := range map[string]int{"unknown": 1, "earlier": 0} {
			if got := s.admin.Returnable(s.order(id))["p10"]; got != want {
				s.Errorf("%s: got %d that can be returned, want %d", id, got, want)
			}
			s.refused(id, s.admin.ReturnItems(s.Context(), s.returning(id, map[string]int{"p10": want + 1}), ""), store.Invalid, "quantity-p10")
		}
		err = s.admin.UnpackShipment(s.Context(), s.unpacking("earlier", "earlier-1"), "")
		s.refused("unpacking returned items", err, store.Invalid, "")
		for _, id := range []string{"unknown", "earlier"} {
			s.send(id)
			left := s.admin.Returnable(s.order(id))["p10"]
			s.done("returning "+id, s.admin.ReturnItems(s.Context(), s.returning(id, map[string]int{"p10": left}), ""))
			s.refused("returning again", s.admin.ReturnItems(s.Context(), s.returning(id, map[string]int{"p10": 1}), ""), store.Conflict, "")
			if o := s.order(id); o.Status != store.OrderReturned || o.Items[0].Returned != 3 || o.Shipments[0].Status != store.ShipmentReturned {
				s.Errorf("%s: got the order %+v, want it returned", id, o)
			}
		}
	})
}

// TestReturnItems_WhileUnpacked returns items of a shipment while another shipment of the
// same product is unpacked or marked as shipped. No piece may get into the stock twice.
func TestReturnItems_WhileUnpacked(t *testing.T) {
	sell(t, func(s *selling) {
		kept := 0
		for n := range 12 {
			id := s.placeOrder()
			s.done("packing one", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 1}), s.store.NewToken()))
			s.send(id)
			s.done("packing another", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 1}), s.store.NewToken()))
			u, r := s.unpacking(id, s.order(id).Shipments[1].ID), s.returning(id, map[string]int{"p10": 1 + n%2})
			var all sync.WaitGroup
			all.Go(func() { _ = s.admin.ReturnItems(s.Context(), r, s.store.NewToken()) })
			all.Go(func() { _ = s.admin.UnpackShipment(s.Context(), u, s.store.NewToken()) })
			all.Go(func() {
				_ = s.admin.AdvanceShipment(s.Context(), store.ShipmentUpdate{ShipmentID: u.ShipmentID, Version: u.Version, To: store.ShipmentSent}, s.store.NewToken())
			})
			all.Wait()
			o := s.order(id)
			line, second := o.Items[0], o.Shipments[1]
			shipped := 2
			if second.Status == store.ShipmentUnpacked {
				shipped = 1
			}
			if second.Status == store.ShipmentPacked || line.Shipped != shipped || line.Returned > shipped {
				s.Errorf("got the shipment %+v and the line %+v, want it unpacked or sent, and the line accordingly", second.Shipment, line)
			}
			kept += line.Shipped - line.Returned
		}
		if got := s.inStock("p10", "w0"); got != 20-kept {
			s.Errorf("got %d on hand, want %d", got, 20-kept)
		}
		item, err := s.admin.StockItem(s.Context(), "p10", "w0")
		s.done("looking", err)
		unbroken(s.T, ledger(s.T, s.admin, "p10", "w0"), item)
		requireLevels(s.T, s.store)
	})
}
