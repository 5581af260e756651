package store

import (
	"context"
	"slices"
)

// FinishOrder finishes the cancellation or return of an order whose flag Unfinished is
// set, in transactions of limited size. It cancels the items that are still open, or marks
// the remaining shipments as returned. The last transaction also clears the flag. If a
// transaction fails, FinishOrder returns an error of the kind Unfinished. The next call, or
// the next change of the order, continues where it stopped. If the order was neither
// cancelled nor returned, FinishOrder only clears the flag.
func (a Access) FinishOrder(ctx context.Context, id string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	err := a.finishOrder(ctx, id)
	return unfinished(err, "Saved, but some items or shipments of the order still have their previous status. Choose Finish order to complete the change.")
}

func (a Access) finishOrder(ctx context.Context, id string) error {
	return retryOnConflict(ctx, func() error {
		order, err := a.readOrder(ctx, id)
		for err == nil && order.Unfinished {
			order, err = a.finishOrderStep(ctx, order)
		}
		return err
	})
}

// finishOrderStep commits one transaction of FinishOrder and returns the order as
// stored.
func (a Access) finishOrderStep(ctx context.Context, before *OrderDetails) (*OrderDetails, error) {
	c, err := a.change(ctx, "")
	if err != nil {
		return nil, err
	}
	o := &orderChange{change: c, OrderDetails: before.clone()}
	defer o.unlockItems()
	o.recordOrderEvent(Event{What: EventOrderFinished})
	switch {
	case before.IsPartlyCancelled():
		o.cancelLines()
	case before.Status == OrderReturned:
		o.Unfinished = !o.markShipments(stepItems)
	default: // the flag comes from an import
		o.Unfinished = false
	}
	return &o.OrderDetails, o.save(ctx, before)
}

// IsPartlyCancelled reports whether a cancellation of the order is unfinished: some
// items are not yet cancelled. It looks for the event of the cancellation, because a
// partly shipped order does not get the status CANCELLED.
func (d *OrderDetails) IsPartlyCancelled() bool {
	if !d.Unfinished || d.sum((*OrderItem).Open) == 0 {
		return false
	}
	return d.Status == OrderCancelled || !d.ended() && slices.ContainsFunc(d.Events, func(e Event) bool {
		return e.What == EventOrderCancelled
	})
}
