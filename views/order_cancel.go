package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// OrderCancel is the form that cancels the unshipped items of an order.
type OrderCancel struct {
	Page
	Form
	Order store.OrderDetails
	Why   ui.Input
}

// amounts returns sums over all invoices of the order: what was paid, what the cancellation
// credits, and what is then due and to refund.
func (p OrderCancel) amounts() (paid, credit, due, refund store.Amount) {
	for i, after := range p.Order.InvoicesAfterCancel() {
		paid = paid.Plus(after.Paid())
		credit = credit.Plus(after.Credit).Minus(p.Order.Invoices[i].Credit)
		if after.BalanceDue().Sign() < 0 {
			refund = refund.Plus(owedSum(after))
		} else {
			due = due.Plus(after.BalanceDue())
		}
	}
	return paid, credit, due, refund
}
