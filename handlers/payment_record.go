package handlers

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

var paymentFields = []string{
	store.FieldVoucherKind, store.FieldVoucherAmount, store.FieldVoucherCode,
	store.FieldRestMethod, store.FieldRestAmount, store.FieldRestReference, store.FieldReceived, store.FieldSimilar,
}

func showPaymentForm(r *request) error { return r.showForm(r.paymentForm) }

func recordPayment(r *request) error {
	form, err := r.readForm(paymentFields...)
	if err != nil {
		return err
	}
	err = r.shop.RecordPayment(r.ctx(), r.enteredPayment(form), form.Token())
	return r.finishChange(err, r.recorded("Payment"), views.InvoicePath(r.id()), r.rerender(form, r.paymentForm))
}

// enteredPayment reads the entered payment from the form.
func (r *request) enteredPayment(form web.Form) store.PaymentRequest {
	paying := store.PaymentRequest{
		InvoiceID: r.id(), Version: form.Version(), Shown: splitIDs(form.Get(store.FieldSimilar)),
		Voucher: store.Payment{Type: form.Get(store.FieldVoucherKind), Data: strings.TrimSpace(form.Get(store.FieldVoucherCode))},
		Rest:    store.Payment{Type: form.Get(store.FieldRestMethod), Data: form.Get(store.FieldRestReference)},
	}
	paying.Voucher.Amount = money(form, store.FieldVoucherAmount, &paying.Wrong)
	paying.Rest.Amount = money(form, store.FieldRestAmount, &paying.Wrong)
	var err error
	paying.Received, err = store.ParseDay(store.FieldReceived, form.Get(store.FieldReceived))
	_ = paying.Wrong.Add(err) // ParseDay returns only Invalid
	return paying
}

// recorded returns the message for a recorded payment or refund. If the form had already
// recorded it, for example because the user went back to the form, the message says so.
func (r *request) recorded(what string) string {
	if *r.shop.Repeated {
		return what + " already recorded. It was not recorded again."
	}
	return what + " recorded."
}

func (r *request) paymentForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	invoice, err := r.shop.InvoiceForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.PaymentRecord{
		Form: r.formState(form, rejected, invoice.Version), Invoice: *invoice,
		VoucherKind:   formInput(form, rejected, store.FieldVoucherKind),
		VoucherAmount: formInput(form, rejected, store.FieldVoucherAmount),
		VoucherCode:   formInput(form, rejected, store.FieldVoucherCode),
		RestMethod:    formInput(form, rejected, store.FieldRestMethod),
		RestAmount:    formInput(form, rejected, store.FieldRestAmount),
		RestReference: formInput(form, rejected, store.FieldRestReference),
		Received:      formInput(form, rejected, store.FieldReceived),
		Question:      rejected.About(store.FieldSimilar),
	}
	if rejected == nil {
		p.RestAmount = views.Owing(invoice, r.settings.Currency)
		p.Received.Value = r.today().Format(time.DateOnly)
	} else {
		paying := r.enteredPayment(form)
		p.Similar = paying.Similar(invoice, r.now(), r.settings.Zone())
	}
	for name, input := range map[string]*ui.Input{store.FieldVoucherCode: &p.VoucherCode, store.FieldRestReference: &p.RestReference} {
		if store.MaskedField(name, form.Get) != form.Get(name) {
			input.Value = "" // never show it again, because it may be a full card number
		}
	}
	p.Page = r.page("Record payment")
	return views.PaymentRecordPage(p), nil
}
