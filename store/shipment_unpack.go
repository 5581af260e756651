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

// CanUnpack reports whether the shipment can be unpacked: it has not left its warehouse.
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
	if !s.CanUnpack() {
		return InvalidField("", "Only a packed shipment can be unpacked. This one has left the warehouse, or is already unpacked.")
	}
	quantities, err := o.unshipLines(s)
	if err != nil {
		return err
	}
	reason := "unpacked"
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

// unshipLines subtracts the items of a shipment from the shipped quantities of their lines.
// It returns the quantities by product ID.
func (o *orderChange) unshipLines(s *ShipmentDetails) (map[string]int, error) {
	if o.ended() {
		return nil, InvalidField("", "This order is cancelled or returned, so its shipments can't be unpacked.")
	}
	if len(s.Items) == 0 {
		return nil, InvalidField("", "The contents of this shipment are unknown, so it can't be unpacked.")
	}
	quantities := map[string]int{}
	for i := range s.Items {
		quantities[s.Items[i].ProductID] += s.Items[i].Quantity
	}
	for _, product := range slices.Sorted(maps.Keys(quantities)) {
		line, n := o.line(product), quantities[product]
		switch {
		case line == nil:
			return nil, InvalidField("", "The order does not contain product %s, so this shipment can't be unpacked.", product)
		case line.Cancelled:
			return nil, InvalidField("", "The rest of %s was cancelled, so this shipment can't be unpacked. Mark it as shipped, and record a return.", line.label())
		case n > line.unreturned():
			return nil, InvalidField("", "Some of %s was already returned, so this shipment can't be unpacked. Mark it as shipped, and record a return of the rest.", line.label())
		}
		line.Shipped -= n
	}
	return quantities, nil
}
