package handlers

import (
	"cmp"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// documentSender handles the form that emails a kind of document.
type documentSender struct {
	kind store.EmailKind
	find func(*request) (name, customerID string, err error)
}

var invoiceSender = documentSender{store.EmailInvoice, func(r *request) (name, customerID string, err error) {
	i, err := r.shop.Invoice(r.ctx(), r.id())
	if err != nil {
		return "", "", err
	}
	return "Invoice " + i.NumberText(), i.CustomerID, nil
}}

var creditNoteSender = documentSender{store.EmailCreditNote, func(r *request) (name, customerID string, err error) {
	n, err := r.shop.CreditNote(r.ctx(), r.id())
	if err != nil {
		return "", "", err
	}
	return "Credit note " + n.NumberText(), n.CustomerID, nil
}}

var confirmationSender = documentSender{store.EmailConfirmation, func(r *request) (name, customerID string, err error) {
	o, err := r.shop.Order(r.ctx(), r.id())
	if err != nil {
		return "", "", err
	}
	return "Order " + o.ID, o.CustomerID, nil
}}

func (d documentSender) show(r *request) error { return r.showForm(d.form(r)) }

func (d documentSender) submit(r *request) error {
	form, err := r.readForm(store.FieldTo)
	if err != nil {
		return err
	}
	period, err := d.period(r)
	if err != nil {
		return err
	}
	err = r.shop.SendDocument(r.ctx(), store.DocumentEmail{Kind: d.kind, ID: r.id(), Period: period, To: form.Get(store.FieldTo)}, form.Token())
	if err == nil {
		r.site.jobs.StartDelivery()
	}
	return r.finishChange(err, "Email queued.", views.SentFrom(d.kind, r.id(), period), r.rerender(form, d.form(r)))
}

// period returns the period of a statement, or no period for other documents.
func (d documentSender) period(r *request) (store.DateRange, error) {
	if d.kind != store.EmailStatement {
		return store.DateRange{}, nil
	}
	return r.statementPeriod()
}

// form returns the function that shows the form. A new form contains the customer's email
// address.
func (d documentSender) form(r *request) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		name, customerID, err := d.find(r)
		if err != nil {
			return nil, err
		}
		period, err := d.period(r)
		if err != nil {
			return nil, err
		}
		p := views.DocumentSend{
			Form: r.formState(form, rejected, 0), Kind: d.kind, ID: r.id(), Period: period, Name: name,
			To: formInput(form, rejected, store.FieldTo), MailServer: r.site.jobs.SendsEmails(),
		}
		if err := ifFound(&p.Customer)(r.shop.Customer(r.ctx(), customerID)); err != nil {
			return nil, err
		}
		if rejected == nil && p.Customer != nil {
			p.To.Value = cmp.Or(p.To.Value, p.Customer.Email)
		}
		p.Page = r.page("Send email")
		return views.DocumentSendPage(p), nil
	}
}

func printConfirmation(r *request) error {
	paper, err := r.confirmation()
	if err != nil {
		return err
	}
	return r.show(views.OrderConfirmationPage(paper))
}

func sendConfirmationPDF(r *request) error {
	paper, err := r.confirmation()
	if err != nil {
		return err
	}
	logo, err := r.shop.PDFLogo(r.ctx(), r.settings.Company)
	if err != nil {
		return err
	}
	file, err := paper.PDF(logo)
	return r.sendPDF("order-"+paper.Order.ID, file, err)
}

// confirmation reads the data for the confirmation of an order.
func (r *request) confirmation() (views.OrderConfirmation, error) {
	order, err := r.shop.Order(r.ctx(), r.id())
	if err != nil {
		return views.OrderConfirmation{}, err
	}
	var customer *store.Customer
	if err := ifFound(&customer)(r.shop.Customer(r.ctx(), order.CustomerID)); err != nil {
		return views.OrderConfirmation{}, err
	}
	return views.NewOrderConfirmation(r.page("Confirmation of order "+order.ID), *order, customer, r.settings.Company), nil
}
