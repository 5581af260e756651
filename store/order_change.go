package store

import (
	"context"
	"reflect"

	"stockroom/store/key"
	"stockroom/store/table"
)

// orderChange is a change of one order. Callers modify the OrderDetails. changeOrder then
// writes the lines, invoices and shipments that have changed.
type orderChange struct {
	*change
	OrderDetails
	credits   credits
	event     Event // see recordOrderEvent
	onlyParts bool  // leave the item of the order as it is if only lines, invoices or shipments change; see changeOrder
}

// changeOrder changes one order. The function work modifies the parts of the order (lines,
// invoices and shipments) and records the event. It may also add writes of other items to
// the transaction. If an earlier cancellation or return of the order is Unfinished,
// changeOrder finishes it first.
//
// changeOrder increments the Version of the order, so that concurrent changes of the order
// conflict. However, if work sets onlyParts and the item of the order stays the same,
// changeOrder does not write this item. The change then conflicts only with changes of the
// same parts.
//
// token is the form token. If the form was already submitted, changeOrder changes nothing.
func (a Access) changeOrder(ctx context.Context, id, token string, work func(*orderChange) error) error {
	return retryOnConflict(ctx, func() error {
		before, err := a.readOrder(ctx, id)
		if err != nil {
			return err
		}
		if before.Unfinished {
			if err := a.finishOrder(ctx, id); err != nil {
				return err
			}
			if before, err = a.readOrder(ctx, id); err != nil {
				return err
			}
		}
		if applied, err := before.isApplied(token); applied || err != nil {
			if applied && err == nil {
				reportRepeated(a.Repeated)
			}
			return err
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		o := &orderChange{change: c, OrderDetails: before.clone()}
		defer o.unlockItems()
		if err := work(o); err != nil {
			return err
		}
		return o.save(ctx, before)
	})
}

// save writes the changed parts of the order, new invoices and credit notes, and the event.
// It also updates the totals, the quota of the account rep and the stock levels.
func (o *orderChange) save(ctx context.Context, before *OrderDetails) error {
	o.updateState()
	o.writeParts(before)
	o.countCommitted(before.Items, o.Items)
	if err := o.updateSale(ctx, before.Tally()); err != nil {
		return err
	}
	defer o.endNumbering() // deferred, so that other orders can take numbers even after a panic
	if err := o.issueDocuments(ctx, before); err != nil {
		return err
	}
	o.event.Partition, o.event.Values = orderPartition(o.ID), eventValues(orderValues(before, &o.OrderDetails)...)
	o.recordEvent(o.event)
	return o.Commit(ctx)
}

// Numbers of actions (writes and checks) in a transaction that changes an order.
const (
	savedActions = 4 // actions for the order, its event, the total of its day and the quota
	lineActions  = 2 // actions for a changed line and its stock level
)

// actionsLeft returns how many actions can still be added to the transaction before save is
// called. It reserves savedActions actions for save.
func (o *orderChange) actionsLeft() int { return table.MaxActions - o.Len() - savedActions }

// readOrder makes a consistent read of the whole order, including the shipments of all
// warehouses. It returns NotFound if there is no such order.
func (a Access) readOrder(ctx context.Context, id string) (*OrderDetails, error) {
	items, err := a.store.table.Partition(ctx, getOrderDetails, key.Map{"orderID": id}, true)
	if err != nil {
		return nil, err
	}
	details, err := assembleOrder(items)
	if err == nil && details.ID == "" {
		err = orderNotFound(id)
	}
	return details, err
}

// OrderForChange makes a consistent read of the whole order. It returns NotFound if there
// is no such order. Managers see only the shipments of their own warehouses.
func (a Access) OrderForChange(ctx context.Context, id string) (*OrderDetails, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	details, err := a.readOrder(ctx, id)
	if err != nil {
		return nil, err
	}
	details.Shipments = a.ownShipments(details.Shipments)
	return details, nil
}

// isApplied reports whether the form with this token has already changed the order. It
// returns Conflict if the form had other values then.
func (d *OrderDetails) isApplied(token string) (bool, error) {
	for i := range d.Events {
		if applied, err := isApplied(d.Events[i].Token, token); applied || err != nil {
			return applied, err
		}
	}
	return false, nil
}

func requireVersion(shown, now int) error {
	if shown != now {
		return errOutdated()
	}
	return nil
}

func orderPartition(id string) string { return partitionOf(getOrderDetails, "orderID", id) }

// recordOrderEvent sets the event of the change. save later adds it to the transaction,
// together with the values that the change replaces.
func (o *orderChange) recordOrderEvent(e Event) { o.event = e }

// writeParts adds writes of the order and of its lines, invoices and shipments that have
// changed. It also creates new shipments. before is the order as it was read.
func (o *orderChange) writeParts(before *OrderDetails) {
	o.writeLines(before.Items)
	for i := range before.Invoices {
		if invoice := &o.Invoices[i]; differ(*invoice, before.Invoices[i]) {
			o.replaceNext(invoice, &invoice.Version)
		}
	}
	for i := range before.Shipments {
		if s := &o.Shipments[i]; differ(s.Shipment, before.Shipments[i].Shipment) {
			o.replaceNext(&s.Shipment, &s.Version)
			o.updateWords(&before.Shipments[i].Shipment, &s.Shipment)
		}
	}
	for i := len(before.Shipments); i < len(o.Shipments); i++ {
		s := &o.Shipments[i]
		o.Create(&s.Shipment)
		for n := range s.Items {
			o.Create(&s.Items[n])
		}
	}
	o.UpdateOpenLines()
	if !o.onlyParts || differ(o.Order, before.Order) {
		o.replaceNext(&o.Order, &o.Order.Version)
	}
}

// writeLines adds writes of new and changed lines, and deletes removed lines. before
// contains the lines as they are stored.
func (o *orderChange) writeLines(before []OrderItem) {
	read := map[string]*OrderItem{}
	for i := range before {
		read[before[i].ProductID] = &before[i]
	}
	for i := range o.Items {
		line := &o.Items[i]
		switch stored := read[line.ProductID]; {
		case stored == nil:
			o.Create(line)
		case differ(*line, *stored):
			o.replaceNext(line, &line.Version)
		}
		delete(read, line.ProductID)
	}
	for i := range before {
		if line := &before[i]; read[line.ProductID] != nil {
			o.DeleteVersion(line, line.Version)
		}
	}
}

func differ[T any](a, b T) bool { return !reflect.DeepEqual(a, b) }

// replaceNext increments the version of an entity and adds a write of the entity. The write
// fails if the stored item no longer has the version that was read. version points to the
// Version of e.
func (c *change) replaceNext(e Entity, version *int) {
	read := *version
	*version++
	c.Replace(e, read)
}

// updateSale updates the totals of the order's day and the quota of the account rep. It
// adds the present Tally of the order minus its Tally before the change, which is the
// argument before.
func (o *orderChange) updateSale(ctx context.Context, before Tally) error {
	t := o.Tally()
	t.Count -= before.Count
	t.Amount = t.Amount.Minus(before.Amount)
	return o.recordSale(ctx, o.AccountRepID, t)
}

// recordSale adds a tally to the totals of its day, and to the quota of the account rep
// unless repID is "".
func (c *change) recordSale(ctx context.Context, repID string, t Tally) error {
	if t.Count == 0 && t.Amount.Sign() == 0 {
		return nil
	}
	c.addTotal(t)
	if repID == "" {
		return nil
	}
	return c.countSale(ctx, repID, t)
}
