package store

import (
	"context"
	"slices"
)

// FinishOrder completes a cancellation or return that did not fit into one transaction. The
// flag Unfinished marks such an order. FinishOrder cancels the remaining items, or marks
// the remaining shipments as returned, in several transactions. The last one clears the
// flag. If the order was neither cancelled nor returned, FinishOrder only clears the flag.
//
// If a transaction fails, FinishOrder returns an error of the kind Unfinished. The next
// call, or the next change of the order, continues from there.
func (a Access) FinishOrder(ctx context.Context, id string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	err := a.finishOrder(ctx, id)
	return unfinished(err, "Saved, but some items or shipments of the order still have their previous status. Choose Finish change to complete it.")
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

// finishOrderStep commits one transaction of FinishOrder, and returns the order with its
// changes.
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
	default: // only an import can have set the flag
		o.Unfinished = false
	}
	return &o.OrderDetails, o.save(ctx, before)
}

// IsPartlyCancelled reports whether a cancellation of the order is unfinished, so that some
// items are not yet cancelled. It looks for the event of the cancellation, because a partly
// shipped order does not get the status CANCELLED.
func (d *OrderDetails) IsPartlyCancelled() bool {
	if !d.Unfinished || d.sum((*OrderItem).Open) == 0 {
		return false
	}
	return d.Status == OrderCancelled || !d.ended() && slices.ContainsFunc(d.Events, func(e Event) bool {
		return e.What == EventOrderCancelled
	})
}
