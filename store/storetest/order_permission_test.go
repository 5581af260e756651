package storetest_test

import (
	"testing"

	"stockroom/store"
)

// TestOrders_Permissions checks that roles without the necessary permission cannot change
// orders, customers, products or shipments, and that a manager cannot change a shipment of
// another warehouse.
func TestOrders_Permissions(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		viewer, support := store.User{Name: "v", Role: store.Viewer}, store.User{Name: "s", Role: store.Support}
		manager := store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w2"}}
		for what, tt := range map[string]struct {
			make func(store.Access) error
			not  []store.User
		}{
			"place":          {func(a store.Access) error { _, err := a.PlaceOrder(ctx, s.sampleOrder(), ""); return err }, []store.User{viewer, manager}},
			"quote":          {func(a store.Access) error { _, err := a.Quote(ctx, s.sampleOrder().Basket); return err }, []store.User{viewer, manager}},
			"cancel":         {func(a store.Access) error { return a.CancelOrder(ctx, store.Cancellation{Why: "x"}, "") }, []store.User{viewer, manager}},
			"pay":            {func(a store.Access) error { return a.RecordPayment(ctx, store.PaymentRequest{}, "") }, []store.User{viewer, manager}},
			"refund":         {func(a store.Access) error { return a.Refund(ctx, store.RefundRequest{}, "") }, []store.User{viewer, manager}},
			"add customer":   {func(a store.Access) error { _, err := a.AddCustomer(ctx, store.Customer{}, ""); return err }, []store.User{viewer}},
			"save customer":  {func(a store.Access) error { return a.SaveCustomer(ctx, store.Customer{}, "") }, []store.User{viewer}},
			"add product":    {func(a store.Access) error { _, err := a.AddProduct(ctx, store.Product{}, ""); return err }, []store.User{viewer, support, manager}},
			"save product":   {func(a store.Access) error { return a.SaveProduct(ctx, store.Product{}, "") }, []store.User{viewer, support, manager}},
			"forward":        {func(a store.Access) error { return a.AdvanceShipment(ctx, store.ShipmentUpdate{}, "") }, []store.User{viewer, support}},
			"unpack":         {func(a store.Access) error { return a.UnpackShipment(ctx, store.Unpacking{}, "") }, []store.User{viewer, support}},
			"note":           {func(a store.Access) error { return a.NoteOnOrder(ctx, "o0001", "x", "") }, []store.User{viewer}},
			"customer notes": {func(a store.Access) error { return a.NoteOnCustomer(ctx, "c01", "x", "") }, []store.User{viewer}},
		} {
			for _, user := range tt.not {
				if err := tt.make(s.store.As(&user)); store.KindOf(err) != store.Forbidden {
					s.Errorf("%s as %s: got %v, want Forbidden", what, user.Role, err)
				}
			}
		}
		elsewhere := s.shop.Orders[1].Shipments[0]
		err := s.store.As(&manager).AdvanceShipment(ctx, store.ShipmentUpdate{ShipmentID: elsewhere.ID, Version: 1, To: store.ShipmentDelivered}, "")
		s.refused("a shipment of another warehouse", err, store.NotFound, "")
	})
}

func TestShipments_Advance(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, token := s.Context(), s.store.NewToken()
		manager := s.store.As(&store.User{Name: "m", Role: store.Manager, Warehouses: []string{"w0"}})
		parcel := s.shop.Orders[12].Shipments[0] // an open order with a packed shipment from w0
		sent := store.ShipmentUpdate{ShipmentID: parcel.ID, Version: 1, To: store.ShipmentSent, Carrier: "DHL", Tracking: "JD1"}
		early := sent
		early.To = store.ShipmentDelivered
		s.refused("delivered before it is sent", manager.AdvanceShipment(ctx, early, token), store.Invalid, "to")
		s.done("sent", manager.AdvanceShipment(ctx, sent, token))
		s.done("the same form", manager.AdvanceShipment(ctx, sent, token))
		s.refused("another form with the same version", manager.AdvanceShipment(ctx, sent, s.store.NewToken()), store.Conflict, "")
		delivered := store.ShipmentUpdate{ShipmentID: parcel.ID, Version: 2, To: store.ShipmentDelivered}
		s.done("delivered", manager.AdvanceShipment(ctx, delivered, s.store.NewToken()))
		o := s.order(parcel.OrderID)
		if p := o.Shipments[0]; p.Status != store.ShipmentDelivered || p.Carrier != "DHL" || p.Tracking != "JD1" || o.Status != store.OrderDelivered || len(o.Events) != 2 {
			s.Errorf("got order %+v, want it delivered by DHL, with two events", o)
		}
	})
}
