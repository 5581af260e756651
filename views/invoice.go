package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Invoices is the list of invoices: of one status, oldest first, or of all,
// newest first.
type Invoices struct {
	Page
	List                         // parameters status, from, to, sort, limit
	Status   store.InvoiceStatus // "" is all
	From, To ui.Input            // the days of the invoices
	Rows     []store.Invoice
}

// Invoice is one invoice: what was paid of it and what is owed.
type Invoice struct {
	Page
	Invoice           store.Invoice
	Customer          *store.Customer // nil: not read, or gone; their ID is shown
	MayPay, MayRefund bool            // the user may, and there is something to
}

// InvoicePayments are the payments of an invoice, by themselves.
type InvoicePayments struct {
	Page
	InvoiceID string
	Rows      []store.Payment
}

// InvoicePrint is an invoice to be printed and sent.
type InvoicePrint struct {
	Page
	Invoice  store.Invoice
	Order    store.OrderDetails // whose lines it bills
	Customer *store.Customer    // nil: gone; the delivery address stands instead
}

// invoiceBadge is the invoice's status, or that it should have been paid by
// now: that follows from the day, so no status of the table says it.
func (p *Page) invoiceBadge(i *store.Invoice) ui.Badge {
	if p.overdue(i) {
		return ui.Badge{Word: "Overdue", Tone: ui.Wrong}
	}
	return invoiceBadge(i.Status)
}

func (p *Page) overdue(i *store.Invoice) bool {
	return !i.DueDate.IsZero() && i.BalanceDue().Sign() > 0 && daysBetween(in(p.Now, p.Zone), in(i.DueDate, p.Zone)) < 0
}

func paidSum(payments []store.Payment) store.Amount {
	var sum store.Amount
	for _, payment := range payments {
		sum = sum.Plus(payment.Amount)
	}
	return sum
}
