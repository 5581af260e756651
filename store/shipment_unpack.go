package store

import (
	"context"
	"maps"
	"slices"
)

// Unpacking is a request to unpack a shipment.
type Unpacking struct {
	ShipmentID string
	Version    int    // version of the shipment that the form showed
	Why        string // reason; may be empty
}

// CanUnpack reports whether the status of the shipment allows to unpack it: it has not left
// its warehouse. See also OrderDetails.CheckUnpack.
func (s *Shipment) CanUnpack() bool { return s.Status == ShipmentPacked }

// UnpackShipment returns the items of a packed shipment to the stock of its warehouse, in
// one transaction. The order still has to ship them. The shipment keeps its items, which are
// ledger entries, and gets the status UNPACKED. Managers can unpack only shipments of their
// own warehouses.
//
// UnpackShipment returns NotFound, or Conflict if the shipment has another version. It
// returns Invalid if the shipment is not packed, if its items are unknown, if they were
// returned or the rest of their lines was cancelled, or if checkOptionalReason rejects the
// reason.
func (a Access) UnpackShipment(ctx context.Context, u Unpacking, token string) error {
	if err := a.require(Ship); err != nil {
		return err
	}
	why, err := checkOptionalReason(u.Why)
	if err != nil {
		return err
	}
	return a.changeShipment(ctx, u.ShipmentID, u.Version, token, func(o *orderChange, s *ShipmentDetails) error {
		if err := a.RequireShipFrom(s.WarehouseID); err != nil {
			return err
		}
		return o.unpack(ctx, s, why)
	})
}

func (o *orderChange) unpack(ctx context.Context, s *ShipmentDetails, why string) error {
	if err := o.CheckUnpack(s); err != nil {
		return err
	}
	quantities := s.quantities()
	for product, n := range quantities {
		o.line(product).Shipped -= n
	}
	reason := unpackedReason
	if why != "" {
		reason += ": " + why
	}
	if err := o.restock(ctx, s.WarehouseID, quantities, reason); err != nil {
		return err
	}
	if actions := len(quantities)*lineActions + 1; actions > o.actionsLeft() { // one action for the shipment
		return InvalidField("", "This shipment has too many products to unpack it in one step. Mark it as shipped, and record a return.")
	}
	s.Status = ShipmentUnpacked
	before := o.ShipmentState
	if o.Status == OrderShipped || o.Status == OrderDelivered {
		o.Status = OrderOpen // updateState sets it to PAID if the order is paid
	}
	o.updateState()
	o.recordOrderEvent(Event{What: EventShipmentUnpacked, Subject: s.ID, Before: string(before), After: string(o.ShipmentState), Why: why})
	return nil
}

// CheckUnpack returns Invalid, with the reason, if a shipment of the order can't be unpacked.
func (d *OrderDetails) CheckUnpack(s *ShipmentDetails) error {
	switch {
	case !s.CanUnpack():
		return InvalidField("", "Only a packed shipment can be unpacked. This one has left the warehouse, or is already unpacked.")
	case d.ended():
		return InvalidField("", "This order is cancelled or returned, so its shipments can't be unpacked.")
	case len(s.Items) == 0:
		return InvalidField("", "The contents of this shipment are unknown, so it can't be unpacked.")
	}
	quantities := s.quantities()
	for _, product := range slices.Sorted(maps.Keys(quantities)) {
		line := d.line(product)
		switch {
		case line == nil:
			return InvalidField("", "The order does not contain product %s, so this shipment can't be unpacked.", product)
		case line.Cancelled:
			return InvalidField("", "The rest of %s was cancelled, so this shipment can't be unpacked. Mark it as shipped, and record a return.", line.label())
		case quantities[product] > line.unreturned():
			return InvalidField("", "Some of %s was already returned, so this shipment can't be unpacked. Mark it as shipped, and record a return of the rest.", line.label())
		}
	}
	return nil
}

// quantities returns the quantities in the shipment by product ID.
func (s *ShipmentDetails) quantities() map[string]int {
	quantities := map[string]int{}
	for i := range s.Items {
		quantities[s.Items[i].ProductID] += s.Items[i].Quantity
	}
	return quantities
}
