package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Invoice is the page of an invoice.
type Invoice struct {
	Page
	Invoice           store.Invoice
	Customer          *store.Customer // nil if the customer does not exist; the page then shows the ID
	CreditNotes       []store.CreditNote
	CanSend           bool
	CanPay, CanRefund bool // the user has the permission, and the invoice allows it
	CanReverse        bool // the user has the permission, and the invoice allows it
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
	Order    store.OrderDetails // order of the invoice
	Customer *store.Customer    // nil if the customer does not exist; the invoice then shows the delivery address
	Company  store.Company
}

// InvoicePrints is a page with several invoices to print.
type InvoicePrints struct {
	Page
	Invoices []InvoicePrint
	Company  store.Company
}

// papers returns the text and amounts of the invoices.
func (p *InvoicePrints) papers() []*paper {
	var papers []*paper
	for i := range p.Invoices {
		papers = append(papers, p.Invoices[i].paper())
	}
	return papers
}

// PDF returns the printed invoices as one PDF.
func (p *InvoicePrints) PDF(logo *store.Logo) ([]byte, error) {
	return papersPDF(&p.Page, &p.Company, logo, "Invoices", p.papers())
}

// supplied returns the days of the first and the last shipment, or "" if nothing has
// shipped. By law, an invoice shows the date of supply if it differs from the invoice
// date.
func (p *InvoicePrint) supplied() string {
	var first, last time.Time
	for i := range p.Order.Shipments {
		if p.Order.Shipments[i].Status == store.ShipmentUnpacked {
			continue
		}
		shipped := p.Order.Shipments[i].Date
		if first.IsZero() || shipped.Before(first) {
			first = shipped
		}
		if shipped.After(last) {
			last = shipped
		}
	}
	if first.IsZero() {
		return ""
	}
	from, to := p.day(first), p.day(last)
	if from == to {
		return from
	}
	return from + " to " + to
}

func invoiceBadge(p *Page, i *store.Invoice) ui.Badge {
	return invoiceStatusBadge(i.ShownStatus(p.Now, p.zone()))
}

func paidSum(payments []store.Payment) store.Amount {
	var sum store.Amount
	for _, payment := range payments {
		sum = sum.Plus(payment.Amount)
	}
	return sum
}
