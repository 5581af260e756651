package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showReversalForm(r *request) error { return r.showForm(r.reversalForm) }

func reversePayment(r *request) error {
	form, err := r.readForm("payment", "why")
	if err != nil {
		return err
	}
	err = r.shop.ReversePayment(r.ctx(), store.ReversalRequest{
		InvoiceID: r.id(), Version: form.Version(), PaymentID: form.Get("payment"), Why: form.Get("why"),
	}, form.Token())
	return r.finishChange(err, "Payment reversed.", views.InvoicePath(r.id()), r.rerender(form, r.reversalForm))
}

func (r *request) reversalForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	invoice, err := r.shop.InvoiceForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	return views.PaymentReversalPage(views.PaymentReversal{
		Page: r.page("Reverse payment"), Form: r.formState(form, rejected, invoice.Version), Invoice: *invoice,
		Payment: formInput(form, rejected, "payment"), Why: formInput(form, rejected, "why"),
	}), nil
}
