package store

import "context"

// Cancellation is a request to cancel the open items of an order.
type Cancellation struct {
	OrderID string
	Version int // version of the order that the form showed
	Why     string
}

// CancelOrder cancels all items of an order that have not shipped, and credits them
// on the invoice. An invoice without payments becomes void. Payments above the new
// total can be refunded. It returns NotFound, Invalid if the reason is missing or no
// item can be cancelled, or Conflict if the order has another version.
func (a Access) CancelOrder(ctx context.Context, c Cancellation, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	why, err := checkReason(c.Why)
	if err != nil {
		return err
	}
	return a.changeOrder(ctx, c.OrderID, token, func(o *orderChange) error {
		if err := requireVersion(c.Version, o.Version); err != nil {
			return err
		}
		if !o.CanCancel() {
			return InvalidField("", "This order has no items left to cancel.")
		}
		var value Amount
		for i := range o.Items {
			line := &o.Items[i]
			if open := line.Open(); open > 0 {
				value = value.Plus(line.Price.Times(open))
				line.Cancelled = true
			}
		}
		creditInvoices(o.Invoices, value)
		o.recordOrderEvent(Event{What: EventOrderCancelled, Why: why})
		return nil
	})
}
