package handlers

import (
	"context"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func listInvoices(r *request) error {
	q, err := readStatusQuery(r, store.InvoiceFilters)
	if err != nil {
		return err
	}
	f := store.InvoiceFilter{Status: q.status, DateRange: q.days}
	return respondList(r, q.Query, listPage[store.Invoice]{
		file: q.file("invoices"), columns: invoiceColumns, shown: views.InvoiceColumns, newestFirst: q.status == "", reversible: true,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Invoice], error) {
			return r.shop.Invoices(ctx, f, q.reverse, p)
		},
		older: q.older(r.settings.Zone(), func(before store.DateRange) (time.Time, error) {
			newest, err := r.shop.NewestInvoice(r.ctx(), before)
			if err != nil {
				return time.Time{}, err
			}
			return newest.Date, nil
		}),
		page: func(l views.List, rows []store.Invoice) templ.Component {
			return views.InvoicesPage(views.Invoices{Page: r.page("Invoices"), List: l, Status: q.status, From: q.from, To: q.to, Rows: rows})
		},
	})
}
