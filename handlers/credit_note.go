package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showCreditNote(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	note, err := r.shop.CreditNote(r.ctx(), r.id())
	if err != nil {
		return err
	}
	var customer *store.Customer
	d := detailPage{
		path: views.CreditNotePath(note.ID),
		json: func() any { return note },
		page: func() templ.Component {
			return views.CreditNotePage(views.CreditNote{Page: r.page("Credit note " + note.NumberText()), Note: *note, Customer: customer, CanSend: r.user.May(store.Sell)})
		},
	}
	if !r.wantsFile() {
		d.reads = append(d.reads, func(ctx context.Context) error {
			return ifFound(&customer)(r.shop.Customer(ctx, note.CustomerID))
		})
	}
	return respondDetail(r, q, d)
}

func printCreditNote(r *request) error {
	paper, err := r.creditNotePaper()
	if err != nil {
		return err
	}
	return r.show(views.CreditNotePrintPage(paper))
}

func sendCreditNotePDF(r *request) error {
	paper, err := r.creditNotePaper()
	if err != nil {
		return err
	}
	logo, err := r.shop.PDFLogo(r.ctx(), r.settings.Company)
	if err != nil {
		return err
	}
	file, err := paper.PDF(logo)
	return r.sendPDF("credit-note-"+paper.Note.NumberText(), file, err)
}

// creditNotePaper reads the data for printing a credit note.
func (r *request) creditNotePaper() (views.CreditNotePrint, error) {
	note, err := r.shop.CreditNote(r.ctx(), r.id())
	if err != nil {
		return views.CreditNotePrint{}, err
	}
	p := views.CreditNotePrint{Note: *note, Company: r.settings.Company}
	if err := ifFound(&p.Customer)(r.shop.Customer(r.ctx(), note.CustomerID)); err != nil {
		return p, err
	}
	if p.Customer == nil {
		order, err := r.shop.Order(r.ctx(), note.OrderID)
		if err != nil {
			return p, err
		}
		p.Order = order.Order
	}
	p.Page = r.page("Credit note " + note.NumberText())
	return p, nil
}

// sendPDF sends a PDF that the browser opens, or returns err if it is not nil. The
// argument name is the name of the file, without extension.
func (r *request) sendPDF(name string, file []byte, err error) error {
	if err != nil {
		return err
	}
	return web.SendInline(r.Context, name+".pdf", "application/pdf", file)
}
