package store

import "context"

// Cancellation calls off what has not left of an order.
type Cancellation struct {
	OrderID string
	Version int // of the order, as the form showed it
	Why     string
}

// CancelOrder calls off what has not left yet. What it costs is taken off the
// invoice, which is void where nothing was paid; what was paid too much is
// for a refund.
func (a Access) CancelOrder(ctx context.Context, what Cancellation, once string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	why, err := reason(what.Why)
	if err != nil {
		return err
	}
	return a.changeOrder(ctx, what.OrderID, once, func(o *orderChange) error {
		if err := requireVersion(what.Version, o.Version); err != nil {
			return err
		}
		if !o.CanCancel() {
			return InvalidField("", "Nothing of this order is left to cancel.")
		}
		var worth Amount
		for i := range o.Items {
			line := &o.Items[i]
			if open := line.Open(); open > 0 {
				worth = worth.Plus(line.Price.Times(open))
				line.Cancelled = true
			}
		}
		credit(o.Invoices, worth)
		o.recordOrderEvent(Event{What: "cancelled", Why: why})
		return nil
	})
}
