package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// InvoiceFilter narrows the list of invoices: to a status, to a range of days.
type InvoiceFilter struct {
	Status InvoiceStatus
	DateRange
}

// Invoice finds an invoice by ID, with its payments.
func (a Access) Invoice(ctx context.Context, id string) (*Invoice, error) {
	return a.invoice(ctx, getInvoice, id)
}

// Payments lists the payments of an invoice.
func (a Access) Payments(ctx context.Context, invoiceID string) ([]Payment, error) {
	invoice, err := a.invoice(ctx, getPayments, invoiceID)
	if err != nil {
		return nil, err
	}
	return invoice.Payments, nil
}

func (a Access) invoice(ctx context.Context, p *Pattern, id string) (*Invoice, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, p, key.Map{"invoiceID": id}, false)
	if err == nil && len(items) == 0 {
		err = fail(NotFound, "There is no invoice %s.", id)
	}
	if err != nil {
		return nil, err
	}
	return table.DecodeAs[*Invoice](schema, items[0], nil)
}

// Invoices lists invoices: of one status, oldest first, or of all, newest
// first. Reverse turns the order round.
func (a Access) Invoices(ctx context.Context, f InvoiceFilter, reverse bool, page Page) (List[Invoice], error) {
	if err := a.require(Browse); err != nil {
		return List[Invoice]{}, err
	}
	q, err := a.byStatusOrMonth(ctx, getInvoicesByStatus, getInvoicesByMonth, string(f.Status), f.DateRange)
	if err != nil {
		return List[Invoice]{}, err
	}
	q.Reverse = reverse
	return list(ctx, a.store, q, page, decodeAs[Invoice])
}
