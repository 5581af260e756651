package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// InvoiceFilter selects invoices by status and days. The zero filter selects the invoices
// of the last openMonths months.
type InvoiceFilter struct {
	Status InvoiceStatus
	DateRange
}

// Invoice returns an invoice with its payments, or NotFound.
func (a Access) Invoice(ctx context.Context, id string) (*Invoice, error) {
	return a.invoice(ctx, getInvoice, id)
}

// Payments returns the payments of an invoice, or NotFound if there is no such
// invoice.
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
		err = invoiceNotFound(id)
	}
	if err != nil {
		return nil, err
	}
	return table.DecodeAs[*Invoice](schema, items[0], nil)
}

// invoicesWithNumber returns the invoices with a number, up to searchLimit. Imported
// invoices can have the same number as other invoices.
func (a Access) invoicesWithNumber(ctx context.Context, number int) (List[Invoice], error) {
	q := table.Query{Pattern: getInvoiceByNumber, Values: key.Map{"number": SeriesInvoices.format(number)}}
	return list(ctx, a.store, q, Page{Limit: searchLimit}, decodeAs[Invoice])
}

func invoiceNotFound(id string) error { return fail(NotFound, "Invoice %s not found.", id) }

// overdueRounds is the maximum number of pages of due invoices that are read for one page
// of overdue invoices.
const overdueRounds = 3

// Invoices lists the invoices with a status, oldest first. Without a status, it lists
// invoices of all statuses, newest first, and a range without a first day covers
// openMonths months. With InvoiceDue, it lists unpaid and partly paid invoices. With
// InvoiceOverdue, it lists overdue invoices. In both lists, unpaid invoices come before
// partly paid ones. With InvoiceToRefund, it lists invoices with an amount to refund. In the
// list of paid invoices, these come last. reverse inverts the order.
func (a Access) Invoices(ctx context.Context, f InvoiceFilter, reverse bool, page Page) (List[Invoice], error) {
	if err := a.require(Browse); err != nil {
		return List[Invoice]{}, err
	}
	switch f.Status {
	case InvoiceOverdue:
		return a.overdueInvoices(ctx, f.DateRange, reverse, page)
	case InvoiceDue, InvoicePaid:
		statuses := dueStatuses
		if f.Status == InvoicePaid {
			statuses = paidStatuses
		}
		q, err := a.invoicesWith(ctx, statuses, f.DateRange, reverse)
		if err != nil {
			return List[Invoice]{}, err
		}
		return list(ctx, a.store, q, page, decodeAs[Invoice])
	}
	q, err := a.byStatusOrMonth(ctx, getInvoicesByStatus, getInvoicesByMonth, string(f.Status), f.DateRange)
	if err != nil {
		return List[Invoice]{}, err
	}
	q.Reverse = reverse
	return list(ctx, a.store, q, page, decodeAs[Invoice])
}

// Statuses in the index of statuses that lists combine, in the order of the lists.
var (
	dueStatuses  = []string{string(InvoiceUnpaid), string(InvoicePartial)}
	paidStatuses = []string{string(InvoicePaid), string(InvoiceToRefund)}
)

func (a Access) invoicesWith(ctx context.Context, statuses []string, r DateRange, reverse bool) (table.Query, error) {
	q, err := a.store.inRange(ctx, getInvoicesByStatus, r, nil)
	q.Segment, q.Segments, q.Reverse = "status", statuses, reverse
	return q, err
}

func (a Access) overdueInvoices(ctx context.Context, r DateRange, reverse bool, page Page) (List[Invoice], error) {
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return List[Invoice]{}, err
	}
	q, err := a.invoicesWith(ctx, dueStatuses, r, reverse)
	if err != nil {
		return List[Invoice]{}, err
	}
	now := a.store.now()
	found, err := a.store.filteredPages(ctx, q, page, overdueRounds, func(rows []Row) (kept []Row, read int, err error) {
		for _, row := range rows {
			var i Invoice
			switch err := decodeAs(row, &i); {
			case err != nil && (!page.Partial || KindOf(err) != Damaged):
				return nil, 0, err
			case err != nil || i.IsOverdue(now, settings.Zone()):
				kept = append(kept, row)
			}
		}
		return kept, len(rows), nil
	})
	if err != nil {
		return List[Invoice]{}, err
	}
	return decodeList(found, page, decodeAs[Invoice])
}

// InvoiceForChange makes a consistent read of an invoice. It returns NotFound if there is
// no such invoice.
func (a Access) InvoiceForChange(ctx context.Context, id string) (*Invoice, error) {
	found, err := a.invoice(ctx, getInvoice, id)
	if err != nil {
		return nil, err
	}
	items, err := a.store.table.Partition(ctx, getOrderInvoices, key.Map{"orderID": found.OrderID}, true)
	invoices, err := decodeAll(items, err, decodeAs[Invoice])
	if err != nil {
		return nil, err
	}
	for i := range invoices {
		if invoices[i].ID == id {
			return &invoices[i], nil
		}
	}
	return nil, invoiceNotFound(id)
}
