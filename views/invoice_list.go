package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Invoices is the list of invoices: oldest first if it is filtered by status, otherwise
// newest first. The parameter sort reverses this order.
type Invoices struct {
	Page
	List
	Status   store.InvoiceStatus // status filter; "" for all
	From, To ui.Input            // range of invoice dates
	Filters  []ui.Param          // the filters, with dates instead of names of periods
	Rows     []store.Invoice
}

// canRemind reports whether the user can send reminders of the invoices of the list.
func (p *Invoices) canRemind() bool {
	switch p.Status {
	case "", store.InvoiceDue, store.InvoiceOverdue, store.InvoiceUnpaid, store.InvoicePartial:
		return p.may(store.Sell)
	}
	return false
}

func (p *Invoices) actions() []bulkAction {
	actions := []bulkAction{{ButtonPrint, "Print invoices"}, {ButtonPDF, "Download PDF"}}
	if p.canRemind() {
		actions = append([]bulkAction{{string(store.BulkInvoiceReminder), "Send payment reminders"}}, actions...)
	}
	return actions
}

func (p *Invoices) totalLabel() string {
	if p.isWhole() {
		return "Total"
	}
	return "Total of this page"
}

// sumInvoices returns the sums of the amounts, of the balances due and of the amounts to
// refund. The last two are separate, because a refund to one customer does not reduce what
// another customer owes. The sums cover only the given invoices, because the table has no
// totals by status.
func sumInvoices(invoices []store.Invoice) (amount, due, back store.Sum) {
	for i := range invoices {
		amount = amount.Plus(invoices[i].Amount.Sum())
		if owed := invoices[i].BalanceDue().Sum(); owed.Sign() < 0 {
			back = back.Minus(owed)
		} else {
			due = due.Plus(owed)
		}
	}
	return amount, due, back
}
