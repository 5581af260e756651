package store

import (
	"context"

	"stockroom/store/key"
)

// orderChange is a change of an order in the making: the order as it lies in
// the table, whose parts are changed in place, and the transaction that
// writes those that were.
type orderChange struct {
	*change
	OrderDetails
}

// changeOrder changes one order, on whose whole partition nobody else writes
// meanwhile: every change raises the Version of the order itself. work
// changes the parts, tells what was done, and puts into the transaction what
// lies elsewhere. once is the token of the form that asked; a form that was
// sent before is done already, whatever the order has become since.
func (a Access) changeOrder(ctx context.Context, id, once string, work func(*orderChange) error) error {
	return retryOnConflict(ctx, func() error {
		was, err := a.orderForChange(ctx, id)
		if err != nil {
			return err
		}
		if before, err := was.did(once); before || err != nil {
			return err
		}
		c, err := a.change(ctx, once)
		if err != nil {
			return err
		}
		o := &orderChange{change: c, OrderDetails: was.clone()}
		if err := work(o); err != nil {
			return err
		}
		o.settle()
		o.writeParts(was)
		if err := o.count(ctx, was.Tally()); err != nil {
			return err
		}
		return o.Commit(ctx)
	})
}

// orderForChange reads all of an order consistently, whosever its parcels are.
func (a Access) orderForChange(ctx context.Context, id string) (*OrderDetails, error) {
	items, err := a.store.table.Partition(ctx, getOrderDetails, key.Map{"orderID": id}, true)
	if err != nil {
		return nil, err
	}
	details, err := assembleOrder(items)
	if err == nil && details.ID == "" {
		err = fail(NotFound, "There is no order %s.", id)
	}
	return details, err
}

// OrderForChange reads all of an order as it lies in the table just now, for a
// form that leads to a change of it. A manager sees the parcels of their own
// warehouses only.
func (a Access) OrderForChange(ctx context.Context, id string) (*OrderDetails, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	details, err := a.orderForChange(ctx, id)
	if err != nil {
		return nil, err
	}
	details.Shipments = a.ownShipments(details.Shipments)
	return details, nil
}

// did says whether a form changed this order before.
func (d *OrderDetails) did(once string) (bool, error) {
	for i := range d.Events {
		if before, err := isApplied(d.Events[i].Token, once); before || err != nil {
			return before, err
		}
	}
	return false, nil
}

// madeFor refuses a form that was made for another version of a thing.
func requireVersion(version, now int) error {
	if version != now {
		return errOutdated()
	}
	return nil
}

// happened tells in the order's partition what was done.
func (o *orderChange) recordOrderEvent(e Event) {
	e.Partition = "o#" + o.ID
	o.recordEvent(e)
}

// writeParts writes those parts that are other than they were, each in the
// place of the version that was read, and the order in any case.
func (o *orderChange) writeParts(was *OrderDetails) {
	for i := range o.Items {
		if line := &o.Items[i]; changed(*line, was.Items[i]) {
			o.replaceNext(line, &line.Version)
		}
	}
	for i := range o.Invoices {
		if invoice := &o.Invoices[i]; changed(*invoice, was.Invoices[i]) {
			o.replaceNext(invoice, &invoice.Version)
		}
	}
	for i := range was.Shipments {
		if parcel := &o.Shipments[i]; changed(parcel.Shipment, was.Shipments[i].Shipment) {
			o.replaceNext(&parcel.Shipment, &parcel.Version)
		}
	}
	for i := len(was.Shipments); i < len(o.Shipments); i++ {
		parcel := &o.Shipments[i]
		o.Create(&parcel.Shipment)
		for n := range parcel.Items {
			o.Create(&parcel.Items[n])
		}
	}
	o.replaceNext(&o.Order, &o.Order.Version)
}

// replaceNext puts an entity in the place of the version that it was read in.
func (c *change) replaceNext(e Entity, version *int) {
	seen := *version
	*version++
	c.Replace(e, seen)
}

// count moves the totals of the day and the account rep's quota by what the
// order counts for more or less than it did.
func (o *orderChange) count(ctx context.Context, was Tally) error {
	by := o.Tally()
	by.Count -= was.Count
	by.Amount = by.Amount.Minus(was.Amount)
	return o.sold(ctx, o.AccountRepID, by)
}

// sold counts what was sold more or less.
func (c *change) sold(ctx context.Context, repID string, by Tally) error {
	if by.Count == 0 && by.Amount.Sign() == 0 {
		return nil
	}
	c.addTotal(by)
	return c.moveQuota(ctx, repID, by)
}
