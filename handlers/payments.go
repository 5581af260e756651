package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// paymentFields are the fields of the form that takes payments.
var paymentFields = []string{
	store.FieldVoucherKind, store.FieldVoucherAmount, store.FieldVoucherCode,
	store.FieldCardKind, store.FieldCardAmount, store.FieldCardDigits,
}

func askPayment(r *request) error { return r.ask(r.paymentForm) }

func takePayment(r *request) error {
	form, err := r.form(paymentFields...)
	if err != nil {
		return err
	}
	paying := store.Paying{
		InvoiceID: r.id(), Version: form.Version(),
		Voucher: store.Payment{Type: form.Get(store.FieldVoucherKind), Data: form.Get(store.FieldVoucherCode)},
		Card:    store.Payment{Type: form.Get(store.FieldCardKind), Data: form.Get(store.FieldCardDigits)},
	}
	if paying.Voucher.Amount, err = money(form, store.FieldVoucherAmount); err == nil {
		paying.Card.Amount, err = money(form, store.FieldCardAmount)
	}
	if err == nil {
		err = r.shop.Pay(r.ctx(), paying, form.Once())
	}
	return r.changed(err, "The payment was taken.", views.InvoicePath(r.id()), r.again(form, r.paymentForm))
}

func (r *request) paymentForm(form web.Form, refused *store.Error) (templ.Component, error) {
	invoice, err := r.shop.InvoiceForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.Paying{
		Form: r.formOf(form, refused, invoice.Version), Invoice: *invoice,
		VoucherKind:   typed(form, refused, store.FieldVoucherKind),
		VoucherAmount: typed(form, refused, store.FieldVoucherAmount),
		VoucherCode:   typed(form, refused, store.FieldVoucherCode),
		CardKind:      typed(form, refused, store.FieldCardKind),
		CardAmount:    typed(form, refused, store.FieldCardAmount),
		CardDigits:    typed(form, refused, store.FieldCardDigits),
	}
	if refused == nil {
		p.CardAmount = views.Owing(invoice)
	}
	p.Page = r.page("Take a payment")
	return views.PayPage(p), nil
}

func askRefund(r *request) error { return r.ask(r.refundForm) }

func refund(r *request) error {
	form, err := r.form("payment", "amount", "why")
	if err != nil {
		return err
	}
	refunding := store.Refunding{InvoiceID: r.id(), Version: form.Version(), PaymentID: form.Get("payment"), Why: form.Get("why")}
	if refunding.Amount, err = money(form, "amount"); err == nil {
		err = r.shop.Refund(r.ctx(), refunding, form.Once())
	}
	return r.changed(err, "The refund was noted.", views.InvoicePath(r.id()), r.again(form, r.refundForm))
}

func (r *request) refundForm(form web.Form, refused *store.Error) (templ.Component, error) {
	invoice, err := r.shop.InvoiceForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.Refunding{
		Form: r.formOf(form, refused, invoice.Version), Invoice: *invoice,
		Payment: typed(form, refused, "payment"), Amount: typed(form, refused, "amount"), Why: typed(form, refused, "why"),
	}
	if refused == nil {
		p.Amount = views.DueBack(invoice)
	}
	p.Page = r.page("Refund")
	return views.RefundPage(p), nil
}
