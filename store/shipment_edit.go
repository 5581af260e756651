package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Next is the state that a parcel goes into from its present one; "" where
// its way is over.
func (s *Shipment) Next() ShipmentStatus {
	switch s.Status {
	case ShipmentPacked:
		return ShipmentSent
	case ShipmentSent:
		return ShipmentDelivered
	}
	return ""
}

// ShipmentUpdate says that a parcel went on: from packed to sent, with who carries
// it, or from sent to delivered.
type ShipmentUpdate struct {
	ShipmentID string
	Version    int // of the shipment, as the form showed it
	To         ShipmentStatus
	Carrier    string // where it is sent; "" leaves what is known
	Tracking   string
}

// AdvanceShipment moves a parcel of the user's own warehouses to its next state. Once
// all of an order has arrived, the order is delivered.
func (a Access) AdvanceShipment(ctx context.Context, f ShipmentUpdate, once string) error {
	if err := a.require(Ship); err != nil {
		return err
	}
	if err := checkLine(FieldCarrier, &f.Carrier); err != nil {
		return err
	}
	if err := checkLine(FieldTracking, &f.Tracking); err != nil {
		return err
	}
	found, err := a.Shipment(ctx, f.ShipmentID)
	if err != nil {
		return err
	}
	return a.changeOrder(ctx, found.OrderID, once, func(o *orderChange) error {
		n := slices.IndexFunc(o.Shipments, func(p ShipmentDetails) bool { return p.ID == f.ShipmentID })
		if n < 0 {
			return fail(NotFound, "There is no shipment %s.", f.ShipmentID)
		}
		s := &o.Shipments[n].Shipment
		if err := requireVersion(f.Version, s.Version); err != nil {
			return err
		}
		if s.Next() == "" || s.Next() != f.To {
			return InvalidField("to", "A parcel that is %s does not become %s.", strings.ToLower(string(s.Status)), strings.ToLower(string(f.To)))
		}
		before := s.Status
		s.Status = f.To
		s.Carrier, s.Tracking = cmp.Or(f.Carrier, s.Carrier), cmp.Or(f.Tracking, s.Tracking)
		o.recordOrderEvent(Event{What: "shipment " + s.ID + " " + strings.ToLower(string(f.To)), Before: string(before), After: string(f.To)})
		return nil
	})
}

// ShipmentForChange reads a shipment as it lies in the table just now, for a
// form that leads to a change of it.
func (a Access) ShipmentForChange(ctx context.Context, id string) (*Shipment, error) {
	found, err := a.Shipment(ctx, id)
	if err != nil {
		return nil, err
	}
	order, err := a.OrderForChange(ctx, found.OrderID)
	if err != nil {
		return nil, err
	}
	for i := range order.Shipments {
		if order.Shipments[i].ID == id {
			return &order.Shipments[i].Shipment, nil
		}
	}
	return nil, fail(NotFound, "There is no shipment %s.", id)
}
