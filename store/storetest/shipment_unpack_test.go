package storetest_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// unpacking returns a request to unpack a shipment, with its stored version.
func (s *selling) unpacking(orderID, shipmentID string) store.Unpacking {
	s.Helper()
	d := s.order(orderID)
	n := slices.IndexFunc(d.Shipments, func(s store.ShipmentDetails) bool { return s.ID == shipmentID })
	return store.Unpacking{ShipmentID: shipmentID, Version: d.Shipments[n].Version, Why: "wrong warehouse"}
}

func (s *selling) advance(id string, version int, to store.ShipmentStatus) {
	s.Helper()
	s.done(string(to), s.admin.AdvanceShipment(s.Context(), store.ShipmentUpdate{ShipmentID: id, Version: version, To: to}, s.store.NewToken()))
}

// TestUnpackShipment unpacks one of two packed shipments of a paid order, and ships its
// items from another warehouse.
func TestUnpackShipment(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id, token := s.Context(), s.placeOrder(), s.store.NewToken()
		s.done("paying", s.admin.RecordPayment(ctx, s.paying(id, "0", "6.64"), ""))
		levels := s.level("p10")
		s.done("from w0", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 3, "p11": 2}), ""))
		s.done("from w1", s.admin.ShipItems(ctx, s.packing(id, "w1", map[string]int{"p12": 1}), ""))
		o := s.order(id)
		before, total := o, s.counted()
		parcel := o.Shipments[0]
		if o.Status != store.OrderShipped || !parcel.CanUnpack() {
			s.Fatalf("got the order %+v, want it completely packed", o)
		}
		manager := s.store.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w0"}})
		u := s.unpacking(id, parcel.ID)
		s.done("unpacking", manager.UnpackShipment(ctx, u, token))
		s.done("the same form", manager.UnpackShipment(ctx, u, token))
		s.refused("another form with the same version", manager.UnpackShipment(ctx, u, s.store.NewToken()), store.Conflict, "")
		s.refused("an unpacked shipment", manager.UnpackShipment(ctx, s.unpacking(id, parcel.ID), s.store.NewToken()), store.Invalid, "")

		o = s.order(id)
		if o.Status != store.OrderPaid || o.ShipmentState != store.PartlyShipped || o.PaymentState != store.InvoicePaid || strings.Join(o.OpenLines, ", ") != "3 p10, 2 p11" {
			s.Errorf("got the order %+v, want it paid and partly shipped, with 3 of p10 and 2 of p11 open", o.Order)
		}
		if p := o.Shipments[0]; p.Status != store.ShipmentUnpacked || p.CanUnpack() || p.Next() != "" || len(p.Items) != 2 {
			s.Errorf("got the shipment %+v, want it unpacked, with its items", p)
		}
		if last := o.Events[len(o.Events)-1]; last.What != store.EventShipmentUnpacked || last.Subject != parcel.ID || last.Why != "wrong warehouse" || last.By != "m" || len(o.Events) != len(before.Events)+1 {
			s.Errorf("got %d events, the last one %+v; want one of the unpacked shipment", len(o.Events), last)
		}
		if a, b, c := s.inStock("p10", "w0"), s.inStock("p11", "w0"), s.inStock("p12", "w1"); a != 20 || b != 22 || c != 23 {
			s.Errorf("got %d and %d in w0 and %d in w1, want 20, 22 and 23", a, b, c)
		}
		if got := s.level("p10"); got != levels {
			s.Errorf("got on hand, committed, available %s; want %s as before the shipment", got, levels)
		}
		if got := s.counted(); got.Count != total.Count || got.Amount.String() != total.Amount.String() || o.Invoices[0].BalanceDue().Sign() != 0 || len(o.CreditNotes) != 0 {
			s.Errorf("got totals %+v and the order %+v, want the same totals and no credit", got, o)
		}
		item, err := s.admin.StockItem(ctx, "p10", "w0")
		s.done("looking", err)
		moves := ledger(s.T, s.admin, "p10", "w0")
		unbroken(s.T, moves, item)
		if last := moves[len(moves)-1]; len(moves) != 2 || last.Delta != 3 || last.OrderID != id || last.Reason != "unpacked: wrong warehouse" || last.By != "m" {
			s.Errorf("got the ledger %+v, want an entry of 3 unpacked pieces last", moves)
		}

		s.done("the rest", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p11": 2}), ""))
		s.done("from the other warehouse", s.admin.ShipItems(ctx, s.packing(id, "w1", map[string]int{"p10": 3}), ""))
		for _, p := range s.order(id).Shipments {
			if p.Status == store.ShipmentPacked {
				s.advance(p.ID, 1, store.ShipmentSent)
				s.advance(p.ID, 2, store.ShipmentDelivered)
			}
		}
		if o = s.order(id); o.Status != store.OrderDelivered {
			s.Errorf("got the order %+v, want it delivered", o.Order)
		}
		s.done("returning everything", s.admin.ReturnItems(ctx, store.ReturnRequest{OrderID: id, Version: o.Version, Quantities: map[string]int{"p10": 3, "p11": 2, "p12": 1}, Why: "x"}, ""))
		if o = s.order(id); o.Status != store.OrderReturned || o.Shipments[0].Status != store.ShipmentUnpacked || o.Shipments[1].Status != store.ShipmentReturned {
			s.Errorf("got the order %+v, want it returned, with one unpacked shipment", o)
		}
		requireLevels(s.T, s.store)
	})
}

// TestUnpackShipment_Unpaid unpacks the only shipment of an unpaid order. The address of the
// order can then be changed again.
func TestUnpackShipment_Unpaid(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("shipping", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 3, "p11": 2}), ""))
		if s.order(id).CanChangeShipTo() {
			s.Error("packed: got an address that can be changed, want none")
		}
		u := s.unpacking(id, s.order(id).Shipments[0].ID)
		u.Why = " "
		s.done("unpacking", s.admin.UnpackShipment(ctx, u, ""))
		o := s.order(id)
		if o.Status != store.OrderOpen || o.ShipmentState != store.NothingShipped || !o.CanChangeShipTo() || !o.CanCancel() || o.CanReturn() {
			s.Errorf("got the order %+v, want it open, with nothing shipped", o)
		}
		if moves := ledger(s.T, s.admin, "p11", "w0"); moves[len(moves)-1].Reason != "unpacked" {
			s.Errorf("got the ledger %+v, want the reason unpacked last", moves)
		}
		s.done("cancelling", s.admin.CancelOrder(ctx, store.Cancellation{OrderID: id, Version: o.Version, Why: "x"}, ""))
		if o = s.order(id); o.Status != store.OrderCancelled {
			s.Errorf("got the order %+v, want it cancelled", o)
		}
	})
}

func TestUnpackShipment_Invalid(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, id := s.Context(), s.placeOrder()
		s.done("shipping", s.admin.ShipItems(ctx, s.packing(id, "w0", map[string]int{"p10": 2, "p11": 2}), ""))
		parcel := s.order(id).Shipments[0].ID
		u := s.unpacking(id, parcel)
		for what, tt := range map[string]struct {
			user store.User
			kind store.Kind
		}{
			"another manager's shipment": {store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w1", "w2"}}, store.NotFound},
			"support":                    {store.User{Name: "s", Role: store.Support}, store.Forbidden},
			"a viewer":                   {store.User{Name: "v", Role: store.Viewer}, store.Forbidden},
		} {
			s.refused(what, s.store.As(&tt.user).UnpackShipment(ctx, u, s.store.NewToken()), tt.kind, "")
		}
		outdated, long, unknown := u, u, u
		outdated.Version, long.Why, unknown.ShipmentID = 7, strings.Repeat("x", 10_000), "none"
		s.refused("an outdated form", s.admin.UnpackShipment(ctx, outdated, ""), store.Conflict, "")
		s.refused("a long reason", s.admin.UnpackShipment(ctx, long, ""), store.Invalid, "why")
		s.refused("an unknown shipment", s.admin.UnpackShipment(ctx, unknown, ""), store.NotFound, "")

		s.done("another shipment", s.admin.ShipItems(ctx, s.packing(id, "w1", map[string]int{"p12": 1}), ""))
		s.done("cancelling the rest of p10", s.admin.CancelOrder(ctx, store.Cancellation{OrderID: id, Version: s.order(id).Version, Why: "x"}, ""))
		s.refused("a cancelled line", s.admin.UnpackShipment(ctx, s.unpacking(id, parcel), ""), store.Invalid, "")
		second := s.order(id).Shipments[1]
		if second.ID == parcel {
			second = s.order(id).Shipments[0]
		}
		s.advance(second.ID, 1, store.ShipmentSent)
		s.refused("a shipment that has left", s.admin.UnpackShipment(ctx, s.unpacking(id, second.ID), ""), store.Invalid, "")
		s.advance(second.ID, 2, store.ShipmentDelivered)
		s.refused("a delivered shipment", s.admin.UnpackShipment(ctx, s.unpacking(id, second.ID), ""), store.Invalid, "")
		if a, b := s.inStock("p10", "w0"), s.inStock("p12", "w1"); a != 18 || b != 23 {
			s.Errorf("got %d of p10 and %d of p12, want 18 and 23", a, b)
		}
	})
}

// TestUnpackShipment_Imported tries to unpack imported shipments: one without items, one
// whose order has no lines, and one of a returned order. Each must be rejected.
func TestUnpackShipment_Imported(t *testing.T) {
	sell(t, func(s *selling) {
		shipment := func(id string, items ...store.ShipmentItem) []store.Entity {
			all := []store.Entity{
				&store.Order{ID: id, CustomerID: "c01", Date: storetest.Now, Status: store.OrderOpen, Version: 1},
				&store.Shipment{ID: "s" + id, OrderID: id, WarehouseID: "w0", Date: storetest.Now, Status: store.ShipmentPacked, Version: 1},
			}
			for i := range items {
				items[i].ID, items[i].OrderID, items[i].ShipmentID, items[i].Version = fmt.Sprint(id, i), id, "s"+id, 1
				all = append(all, &items[i])
			}
			return all
		}
		ended := shipment("ended", store.ShipmentItem{ProductID: "p10", Quantity: 1})
		ended[0].(*store.Order).Status = store.OrderReturned
		entities := slices.Concat(shipment("empty"), shipment("lineless", store.ShipmentItem{ProductID: "p10", Quantity: 1}), ended)
		loaded, err := s.store.Load(s.Context(), entities, store.LoadOptions{})
		if err != nil || len(loaded.Rejected) > 0 {
			s.Fatal(err, loaded.Rejected)
		}
		for _, id := range []string{"empty", "lineless", "ended"} {
			s.refused(id, s.admin.UnpackShipment(s.Context(), store.Unpacking{ShipmentID: "s" + id, Version: 1}, ""), store.Invalid, "")
		}
	})
}

// TestUnpackShipment_WhileItLeaves unpacks shipments while they are marked as shipped. One
// of the two changes must fail.
func TestUnpackShipment_WhileItLeaves(t *testing.T) {
	sell(t, func(s *selling) {
		unpacked, sent := 0, 0
		for range 12 {
			id := s.placeOrder()
			s.done("shipping", s.admin.ShipItems(s.Context(), s.packing(id, "w0", map[string]int{"p10": 1}), s.store.NewToken()))
			u := s.unpacking(id, s.order(id).Shipments[0].ID)
			var both sync.WaitGroup
			var unpack, advance error
			both.Go(func() { unpack = s.admin.UnpackShipment(s.Context(), u, s.store.NewToken()) })
			both.Go(func() {
				advance = s.admin.AdvanceShipment(s.Context(), store.ShipmentUpdate{ShipmentID: u.ShipmentID, Version: u.Version, To: store.ShipmentSent}, s.store.NewToken())
			})
			both.Wait()
			o := s.order(id)
			switch o.Shipments[0].Status {
			case store.ShipmentUnpacked:
				unpacked++
				if unpack != nil || store.KindOf(advance) != store.Conflict || o.Items[0].Shipped != 0 {
					s.Errorf("unpacked: got %v and %v and the order %+v, want a conflict of the other change", unpack, advance, o)
				}
			case store.ShipmentSent:
				sent++
				if advance != nil || store.KindOf(unpack) != store.Conflict || o.Items[0].Shipped != 1 {
					s.Errorf("sent: got %v and %v and the order %+v, want a conflict of the other change", unpack, advance, o)
				}
			default:
				s.Errorf("got the shipment %+v, want it unpacked or sent", o.Shipments[0])
			}
		}
		if got := s.inStock("p10", "w0"); got != 20-sent {
			s.Errorf("%d unpacked, %d sent: got %d on hand, want %d", unpacked, sent, got, 20-sent)
		}
		item, err := s.admin.StockItem(s.Context(), "p10", "w0")
		s.done("looking", err)
		unbroken(s.T, ledger(s.T, s.admin, "p10", "w0"), item)
		requireLevels(s.T, s.store)
	})
}

// TestUnpackShipment_MaxLines unpacks shipments with the maximum number of lines. If none
// of their products was ever in stock at the warehouse, the transaction would be too
// large, so the form must be rejected.
func TestUnpackShipment_MaxLines(t *testing.T) {
	for _, known := range []int{store.MaxShipmentLines, store.MaxShipmentLines - 3, 0} {
		t.Run(fmt.Sprint(known), func(t *testing.T) {
			sell(t, func(s *selling) {
				entities := []store.Entity{
					&store.Order{ID: "o", CustomerID: "c01", Date: storetest.Now, Status: store.OrderShipped, ItemCount: store.MaxShipmentLines, Total: store.MinorUnits(100 * store.MaxShipmentLines), ShipmentState: store.FullyShipped, Version: 1},
					&store.Shipment{ID: "s", OrderID: "o", WarehouseID: "w0", Date: storetest.Now, Status: store.ShipmentPacked, Tracking: "TRACK-1", Version: 1},
				}
				for n := range store.MaxShipmentLines {
					id := fmt.Sprintf("many%02d", n)
					entities = append(entities,
						&store.Product{ID: id, Name: id, Version: 1},
						&store.OrderItem{OrderID: "o", ProductID: id, CustomerID: "c01", Date: storetest.Now, Price: store.MinorUnits(100), Quantity: 1, Shipped: 1, Version: 1},
						&store.ShipmentItem{ID: id, OrderID: "o", ShipmentID: "s", ProductID: id, Quantity: 1, Version: 1})
					if n < known {
						entities = append(entities, &store.WarehouseItem{ProductID: id, WarehouseID: "w0", Name: id, Quantity: 1, Version: 1})
					}
				}
				loaded, err := s.store.Load(s.Context(), entities, store.LoadOptions{})
				if err != nil || len(loaded.Rejected) > 0 {
					s.Fatal(err, loaded.Rejected)
				}
				err = s.admin.UnpackShipment(s.Context(), store.Unpacking{ShipmentID: "s", Version: 1, Why: "x"}, "")
				if known == 0 {
					s.refused("no known stock", err, store.Invalid, "")
					return
				}
				s.done("unpacking", err)
				if o := s.order("o"); o.Status != store.OrderOpen || len(o.OpenLines) != store.MaxShipmentLines || s.inStock("many00", "w0") != 2 {
					s.Errorf("got the order %+v, want all lines open", o.Order)
				}
				requireLevels(s.T, s.store)
			})
		})
	}
}

// TestUnpackShipment_KeepsTheBooksConsistent unpacks a shipment, and then removes one of its
// lines from the order. The check must find nothing.
func TestUnpackShipment_KeepsTheBooksConsistent(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		b := storetest.NewBusiness()
		stock := &store.WarehouseItem{ProductID: "p2", WarehouseID: "w1", Name: "Bulb", Quantity: 9, Version: 1}
		if loaded, err := s.Load(t.Context(), append(b.Entities(), stock), store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		a := &selling{T: t, store: s, admin: s.As(admin)}
		clean := func(after string) {
			t.Helper()
			found, result := checkBusiness(t, s, store.BusinessCheck{})
			if len(found) > 0 || result.Changing > 0 {
				t.Errorf("after %s: got the findings %+v, want none", after, found)
			}
		}
		basket := store.Basket{Customer: "c1", Lines: []store.BasketLine{{Product: "p1", Quantity: 2}, {Product: "p2", Quantity: 4}}}
		id, err := a.admin.PlaceOrder(t.Context(), store.NewOrder{Basket: basket, Total: store.MinorUnits(28_00)}, s.NewToken())
		a.done("placing", err)
		clock.Advance(time.Minute)
		a.done("shipping", a.admin.ShipOpenItems(t.Context(), id, "w1", s.NewToken()))
		clean("shipping")
		clock.Advance(time.Minute)
		a.done("unpacking", a.admin.UnpackShipment(t.Context(), a.unpacking(id, a.order(id).Shipments[0].ID), s.NewToken()))
		clean("unpacking")
		clock.Advance(time.Minute)
		edit := store.OrderEdit{OrderID: id, Version: a.order(id).Version, Lines: []store.BasketLine{{Product: "p2", Quantity: 0}}, Total: store.MinorUnits(20_00)}
		a.done("removing a line", a.admin.EditOrder(t.Context(), edit, s.NewToken()))
		clean("removing a line")
		clock.Advance(time.Minute)
		a.done("shipping again", a.admin.ShipOpenItems(t.Context(), id, "w1", s.NewToken()))
		clean("shipping again")
	})
}
