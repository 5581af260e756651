package store

import (
	"context"
)

// credits says why, and for which items, a change of an order credits the order's
// invoices.
type credits struct {
	reason CreditReason
	lines  map[string][]DocumentLine // the credited items by invoice ID

	// refunded is the amount of a refund of the invoice with the ID invoiceID. Up to this
	// amount, the credit note of the refund also covers earlier credit without a credit
	// note, for example from an earlier program version.
	invoiceID string
	refunded  Amount
}

// documentActions returns the number of actions that are needed to credit this number of
// invoices: two for each invoice, and one for the number series. For 0 invoices, it
// returns 0.
func documentActions(invoices int) int {
	if invoices == 0 {
		return 0
	}
	return 2*invoices + 1
}

// issueDocuments creates the new invoices of the order, and a credit note for each invoice
// whose credit has increased. It takes their numbers, so call it last before Commit.
func (o *orderChange) issueDocuments(ctx context.Context, before *OrderDetails) error {
	invoices := make([]*Invoice, 0, 1)
	for i := len(before.Invoices); i < len(o.Invoices); i++ {
		invoices = append(invoices, &o.Invoices[i])
	}
	if err := o.issueInvoices(ctx, invoices); err != nil {
		return err
	}
	return o.issueCreditNotes(ctx, o.newCreditNotes(before))
}

func (o *orderChange) issueInvoices(ctx context.Context, invoices []*Invoice) error {
	for _, i := range invoices { // at most one, because an edit creates at most one invoice
		id, err := o.store.ids.New()
		if err != nil {
			return err
		}
		if i.Number, err = o.takeInvoiceNumber(ctx); err != nil {
			return err
		}
		i.ID, i.OrderID, i.CustomerID, i.TaxRate, i.Version = id, o.ID, o.CustomerID, o.taxRate, 1
		i.Date = o.store.now()
		i.DueDate = invoiceDueDate(i.Date, o.totals.zone)
		o.Create(i)
	}
	return nil
}

// newCreditNotes returns a credit note, without ID and number, for each invoice whose
// credit has increased, and for a refund of earlier credit; see credits.refunded. If an
// edit replaces items with other items of the same value, it returns a credit note with the
// amount 0.
func (o *orderChange) newCreditNotes(before *OrderDetails) (notes []*CreditNote) {
	for n := range before.Invoices {
		i := &o.Invoices[n]
		amount := i.Credit.Minus(before.Invoices[n].Credit)
		if i.ID == o.credits.invoiceID {
			amount = i.Credit.Minus(before.creditedBy(i.ID))
			if o.credits.refunded.Compare(amount) < 0 {
				amount = o.credits.refunded
			}
		}
		if amount.Sign() <= 0 && (o.credits.reason != CreditEdited || len(o.credits.lines[i.ID]) == 0) {
			continue
		}
		notes = append(notes, &CreditNote{
			OrderID:       o.ID,
			CustomerID:    i.CustomerID,
			InvoiceID:     i.ID,
			InvoiceNumber: i.Number,
			Date:          o.store.now(),
			Reason:        o.credits.reason,
			Amount:        amount,
			TaxRate:       i.TaxRate,
			Lines:         o.credits.lines[i.ID],
			Version:       1,
		})
	}
	return notes
}

func (o *orderChange) issueCreditNotes(ctx context.Context, notes []*CreditNote) error {
	if len(notes) == 0 {
		return nil
	}
	settings, err := o.store.Settings(ctx)
	if err != nil {
		return err
	}
	number := 0
	if settings.Numbering != NumberByID {
		if number, err = o.takeNumbers(ctx, SeriesCreditNotes, len(notes)); err != nil {
			return err
		}
	}
	for n, note := range notes {
		if note.ID, err = o.store.ids.New(); err != nil {
			return err
		}
		if number > 0 {
			note.Number = number + n
		}
		o.Create(note)
		o.CreditNotes = append(o.CreditNotes, *note)
	}
	return nil
}
