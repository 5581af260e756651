package store

import (
	"cmp"
	"context"
	"slices"
)

// Next returns the next status, or "" if there is none.
func (s *Shipment) Next() ShipmentStatus {
	switch s.Status {
	case ShipmentPacked:
		return ShipmentSent
	case ShipmentSent:
		return ShipmentDelivered
	}
	return ""
}

// ShipmentUpdate is a request to mark a packed shipment as sent, with its carrier,
// or a sent shipment as delivered.
type ShipmentUpdate struct {
	ShipmentID string
	Version    int // version of the shipment that the form showed
	To         ShipmentStatus
	Carrier    string // "" keeps the current carrier
	Tracking   string
}

// AdvanceShipment moves a shipment to its next status. Managers can move only shipments of
// their own warehouses. When all shipments of an order are delivered and no items are open,
// the order becomes delivered, too. AdvanceShipment returns NotFound, or Conflict if the
// shipment has another version. It returns Invalid if To is not the next status, or if
// checkLine rejects the carrier or the tracking number.
func (a Access) AdvanceShipment(ctx context.Context, u ShipmentUpdate, token string) error {
	if err := a.require(Ship); err != nil {
		return err
	}
	if err := checkLine(FieldCarrier, &u.Carrier); err != nil {
		return err
	}
	if err := checkLine(FieldTracking, &u.Tracking); err != nil {
		return err
	}
	return a.changeShipment(ctx, u.ShipmentID, u.Version, token, func(o *orderChange, s *ShipmentDetails) error {
		if s.Next() == "" || s.Next() != u.To {
			return InvalidField("to", "The status of this shipment can't be changed in this way. Open the shipment's page again.")
		}
		before := s.Status
		s.Status = u.To
		s.Carrier, s.Tracking = cmp.Or(u.Carrier, s.Carrier), cmp.Or(u.Tracking, s.Tracking)
		// Whether the order is delivered depends on all its shipments. If two shipments
		// change to delivered at the same time, the changes must therefore conflict. Other
		// changes of two shipments need not conflict.
		what, onlyParts := EventShipmentSent, true
		if u.To == ShipmentDelivered {
			what, onlyParts = EventShipmentDelivered, false
		}
		o.onlyParts = onlyParts
		o.recordOrderEvent(Event{What: what, Subject: s.ID, Before: string(before), After: string(u.To)})
		return nil
	})
}

// changeShipment changes a shipment of an order; see changeOrder. It returns NotFound if
// there is no such shipment or the user does not manage its warehouse. It returns Conflict
// if the shipment does not have the given version.
func (a Access) changeShipment(ctx context.Context, id string, version int, token string, work func(*orderChange, *ShipmentDetails) error) error {
	found, err := a.Shipment(ctx, id)
	if err != nil {
		return err
	}
	return a.changeOrder(ctx, found.OrderID, token, func(o *orderChange) error {
		n := slices.IndexFunc(o.Shipments, func(s ShipmentDetails) bool { return s.ID == id })
		if n < 0 {
			return shipmentNotFound(id)
		}
		s := &o.Shipments[n]
		if err := requireVersion(version, s.Version); err != nil {
			return err
		}
		return work(o, s)
	})
}

// ShipmentForChange makes a consistent read of a shipment with its items, and of its order.
// It returns NotFound if there is no such shipment or the user does not manage its warehouse.
func (a Access) ShipmentForChange(ctx context.Context, id string) (*ShipmentDetails, *OrderDetails, error) {
	found, err := a.Shipment(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	order, err := a.OrderForChange(ctx, found.OrderID)
	if err != nil {
		return nil, nil, err
	}
	for i := range order.Shipments {
		if order.Shipments[i].ID == id {
			return &order.Shipments[i], order, nil
		}
	}
	return nil, nil, shipmentNotFound(id)
}
