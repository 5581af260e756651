package handlers

import (
	"context"

	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

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
	var notes []store.CreditNote
	t := detailPage{
		path: views.InvoicePath(invoice.ID),
		json: func() any { return invoice },
		page: func() templ.Component {
			return views.InvoicePage(views.Invoice{
				Page: r.page("Invoice " + invoice.NumberText()), Invoice: *invoice, Customer: customer, CreditNotes: notes, CanSend: r.user.May(store.Sell),
				CanPay: r.user.May(store.Sell) && invoice.CanPay(), CanRefund: r.user.CanRefund(r.settings) && invoice.CanRefund(),
				CanReverse: r.user.May(store.Sell) && len(invoice.Reversible()) > 0,
			})
		},
	}
	if !r.wantsFile() {
		t.reads = append(t.reads, func(ctx context.Context) error {
			return ifFound(&customer)(r.shop.Customer(ctx, invoice.CustomerID))
		}, func(ctx context.Context) (err error) {
			notes, err = r.shop.CreditNotesOfInvoice(ctx, invoice)
			return err
		})
	}
	return respondDetail(r, q, t)
}

func listPayments(r *request) error {
	rows, err := r.shop.Payments(r.ctx(), r.id())
	return respondRows(r, "payments", paymentColumns, rows, err, func(id string) templ.Component {
		return views.InvoicePaymentsPage(views.InvoicePayments{Page: r.page("Payments of invoice " + id), InvoiceID: id, Rows: rows})
	})
}

func printInvoice(r *request) error {
	paper, err := r.invoicePaper()
	if err != nil {
		return err
	}
	return r.show(views.InvoicePrintPage(paper))
}

func sendInvoicePDF(r *request) error {
	paper, err := r.invoicePaper()
	if err != nil {
		return err
	}
	logo, err := r.shop.PDFLogo(r.ctx(), r.settings.Company)
	if err != nil {
		return err
	}
	file, err := paper.PDF(logo)
	return r.sendPDF("invoice-"+paper.Invoice.NumberText(), file, err)
}

// invoicePaper reads the data for printing an invoice.
func (r *request) invoicePaper() (views.InvoicePrint, error) {
	invoice, err := r.shop.Invoice(r.ctx(), r.id())
	if err != nil {
		return views.InvoicePrint{}, err
	}
	var order *store.OrderDetails
	var customer *store.Customer
	all, ctx := errgroup.WithContext(r.ctx())
	all.Go(func() (err error) { order, err = r.shop.Order(ctx, invoice.OrderID); return err })
	all.Go(func() error { return ifFound(&customer)(r.shop.Customer(ctx, invoice.CustomerID)) })
	if err := all.Wait(); err != nil {
		return views.InvoicePrint{}, err
	}
	return views.InvoicePrint{
		Page: r.page("Invoice " + invoice.NumberText()), Invoice: *invoice, Order: *order, Customer: customer, Company: r.settings.Company,
	}, nil
}
