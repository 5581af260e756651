package handlers

import (
	"context"

	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

func listInvoices(r *request) error {
	q, err := readByStatus(r, store.InvoiceStatuses)
	if err != nil {
		return err
	}
	f := store.InvoiceFilter{Status: q.status, DateRange: q.days}
	return answerList(r, q.Query, listing[store.Invoice]{
		file: "invoices", columns: invoiceColumns, newest: q.status == "", turns: true,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Invoice], error) {
			return r.shop.Invoices(ctx, f, q.reverse, p)
		},
		page: func(l views.List, rows []store.Invoice) templ.Component {
			return views.InvoicesPage(views.Invoices{Page: r.page("Invoices"), List: l, Status: q.status, From: q.from, To: q.to, Rows: rows})
		},
	})
}

func showInvoice(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	invoice, err := r.shop.Invoice(r.ctx(), r.id())
	if err != nil {
		return err
	}
	var customer *store.Customer
	t := thing{
		path: views.InvoicePath(invoice.ID),
		json: func() any { return invoice },
		page: func() templ.Component {
			return views.InvoicePage(views.Invoice{
				Page: r.page("Invoice " + invoice.ID), Invoice: *invoice, Customer: customer,
				MayPay: r.user.May(store.Sell) && invoice.CanPay(), MayRefund: r.user.May(store.Sell) && invoice.CanRefund(),
			})
		},
	}
	if !r.file() {
		t.reads = append(t.reads, func(ctx context.Context) error {
			return ifThere(&customer)(r.shop.Customer(ctx, invoice.CustomerID))
		})
	}
	return answerThing(r, q, t)
}

func listPayments(r *request) error {
	rows, err := r.shop.Payments(r.ctx(), r.id())
	return answerWhole(r, "payments", paymentColumns, rows, err, func(id string) templ.Component {
		return views.InvoicePaymentsPage(views.InvoicePayments{Page: r.page("Payments of invoice " + id), InvoiceID: id, Rows: rows})
	})
}

func printInvoice(r *request) error {
	invoice, err := r.shop.Invoice(r.ctx(), r.id())
	if err != nil {
		return err
	}
	var order *store.OrderDetails
	var customer *store.Customer
	all, ctx := errgroup.WithContext(r.ctx())
	all.Go(func() (err error) { order, err = r.shop.Order(ctx, invoice.OrderID); return err })
	all.Go(func() error { return ifThere(&customer)(r.shop.Customer(ctx, invoice.CustomerID)) })
	if err := all.Wait(); err != nil {
		return err
	}
	return r.show(views.InvoicePrintPage(views.InvoicePrint{
		Page: r.page("Invoice " + invoice.ID), Invoice: *invoice, Order: *order, Customer: customer,
	}))
}
