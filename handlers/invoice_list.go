package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func listInvoices(r *request) error {
	q, err := readStatusQuery(r, store.InvoiceStatuses)
	if err != nil {
		return err
	}
	f := store.InvoiceFilter{Status: q.status, DateRange: q.days}
	return respondList(r, q.Query, listPage[store.Invoice]{
		file: "invoices", columns: invoiceColumns, newestFirst: q.status == "", reversible: true,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Invoice], error) {
			return r.shop.Invoices(ctx, f, q.reverse, p)
		},
		page: func(l views.List, rows []store.Invoice) templ.Component {
			return views.InvoicesPage(views.Invoices{Page: r.page("Invoices"), List: l, Status: q.status, From: q.from, To: q.to, Rows: rows})
		},
	})
}
