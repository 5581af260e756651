package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Invoice is the page of an invoice.
type Invoice struct {
	Page
	Invoice           store.Invoice
	Customer          *store.Customer // nil if the customer was deleted; the page then shows the ID
	CanPay, CanRefund bool            // the user may, and the invoice allows it
}

// InvoicePayments lists the payments of an invoice.
type InvoicePayments struct {
	Page
	InvoiceID string
	Rows      []store.Payment
}

// InvoicePrint is an invoice to print.
type InvoicePrint struct {
	Page
	Invoice  store.Invoice
	Order    store.OrderDetails // the order of the invoice
	Customer *store.Customer    // nil if the customer was deleted; the invoice then shows the delivery address
}

// invoiceBadge returns the badge of the invoice's status, or the badge Overdue. Overdue
// is not a stored status: it depends on the due date.
func (p *Page) invoiceBadge(i *store.Invoice) ui.Badge {
	if p.overdue(i) {
		return invoiceBadge(store.InvoiceOverdue)
	}
	return invoiceBadge(i.Status)
}

func (p *Page) overdue(i *store.Invoice) bool {
	return i.IsOverdue(p.Now, p.zone())
}

func paidSum(payments []store.Payment) store.Amount {
	var sum store.Amount
	for _, payment := range payments {
		sum = sum.Plus(payment.Amount)
	}
	return sum
}
