package store

import (
	"context"
)

// Cancellation is a request to cancel the items of an order that have not shipped.
type Cancellation struct {
	OrderID string
	Version int // version of the order that the form showed
	Why     string
}

// CancelOrder cancels all items of an order that have not shipped yet, and credits them with a
// credit note for each invoice that billed them. An invoice becomes void if it has no payments
// and nothing is left to pay. If the payments then exceed the amount of the invoices, the
// excess can be refunded. CancelOrder returns NotFound, or Conflict if the order has another
// version. It returns Invalid if the reason is missing or no item can be cancelled.
//
// An imported order can have more lines and invoices than fit into one transaction.
// CancelOrder then cancels the remaining lines in more transactions. If one of these fails,
// the first lines stay cancelled, and CancelOrder returns an error of the kind Unfinished;
// see FinishOrder.
func (a Access) CancelOrder(ctx context.Context, c Cancellation, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	why, err := checkReason(c.Why)
	if err != nil {
		return err
	}
	steps := false
	err = a.changeOrder(ctx, c.OrderID, token, func(o *orderChange) error {
		if err := requireVersion(c.Version, o.Version); err != nil {
			return err
		}
		if !o.CanCancel() {
			return InvalidField("", "This order has no items left to cancel.")
		}
		o.recordOrderEvent(Event{What: EventOrderCancelled, Why: why})
		o.cancelLines()
		steps = o.Unfinished
		return nil
	})
	if err != nil || !steps {
		return err
	}
	return a.FinishOrder(ctx, c.OrderID)
}

// cancelLines cancels the items that have not shipped, and credits them. It cancels as many
// lines as fit into one transaction. If all shipped items were returned, it also marks the
// shipments as returned. If some lines or shipments remain, it sets Unfinished.
func (o *orderChange) cancelLines() {
	before := o.keptByInvoice()
	var cancelled []invoiceCredit
	lines, left := 0, o.actionsLeft()
	o.Unfinished = false
	for i := range o.Items {
		line := &o.Items[i]
		if line.Open() == 0 {
			continue
		}
		line.Cancelled = true
		more := o.dropCredits(before)
		actions := (lines+1)*lineActions + documentActions(creditedInvoices(more))
		if lines > 0 && (lines == MaxLines || actions > left) {
			line.Cancelled, o.Unfinished = false, true
			break
		}
		lines, cancelled = lines+1, more
	}
	o.credits = credits{reason: CreditCancelled, lines: o.addCredits(cancelled)}
	if o.becomesReturned() {
		o.markShipmentsReturned(left - lines*lineActions - documentActions(creditedInvoices(cancelled)))
	}
}

// InvoicesAfterCancel returns the invoices of the order as CancelOrder would leave them.
func (d *OrderDetails) InvoicesAfterCancel() []Invoice {
	after := d.clone()
	before := after.keptByInvoice()
	for i := range after.Items {
		if line := &after.Items[i]; line.Open() > 0 {
			line.Cancelled = true
		}
	}
	after.addCredits(after.dropCredits(before))
	return after.Invoices
}
