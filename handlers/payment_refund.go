package handlers

import (
	"errors"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showRefundForm(r *request) error { return r.showForm(r.refundForm) }

func refundPayment(r *request) error {
	form, err := r.readForm("payment", "amount", store.FieldRefundCredit, "why")
	if err != nil {
		return err
	}
	refunding := store.RefundRequest{InvoiceID: r.id(), Version: form.Version(), PaymentID: form.Get("payment"), Why: form.Get("why")}
	refunding.Amount = money(form, "amount", &refunding.Wrong)
	refunding.Credit, _ = store.ParseMoney(store.FieldRefundCredit, form.Get(store.FieldRefundCredit)) // without a valid amount, the store asks for the confirmation
	refunding.Confirmed = r.site.store.IsConfirmed(web.Session(r.Context))
	err = r.shop.Refund(r.ctx(), refunding, form.Token())
	rejected := new(store.Error)
	switch isRejected := errors.As(err, &rejected); {
	case isRejected && rejected.Code == store.CodeNeedsProof:
		return r.askToConfirm()
	case isRejected && rejected.Field == store.FieldRefundCredit:
		page, err := r.refundForm(form, rejected)
		if err != nil {
			return err
		}
		return r.show(page)
	}
	return r.finishChange(err, r.recorded("Refund"), views.InvoicePath(r.id()), r.rerender(form, r.refundForm))
}

func (r *request) refundForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	invoice, err := r.shop.InvoiceForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.PaymentRefund{
		Form: r.formState(form, rejected, invoice.Version), Invoice: *invoice,
		Payment: formInput(form, rejected, "payment"), Amount: formInput(form, rejected, "amount"), Why: formInput(form, rejected, "why"),
	}
	if p.ToConfirm = rejected.About(store.FieldRefundCredit); p.ToConfirm != "" {
		amount, err := store.ParseMoney("amount", form.Get("amount"))
		if err != nil {
			return nil, err
		}
		p.Credit = invoice.RefundCredit(amount)
	}
	if !r.user.May(store.RefundAny) {
		p.Limit = &r.settings.RefundLimit
	}
	p.Page = r.page("Record refund")
	if rejected == nil {
		p.Amount = p.SuggestedAmount()
	}
	return views.PaymentRefundPage(p), nil
}
