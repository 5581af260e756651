package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showCancelForm(r *request) error { return r.showForm(r.cancelForm) }

func cancelOrder(r *request) error {
	form, err := r.readForm("why")
	if err != nil {
		return err
	}
	err = r.shop.CancelOrder(r.ctx(), store.Cancellation{OrderID: r.id(), Version: form.Version(), Why: form.Get("why")}, form.Token())
	return r.finishOrderChange(err, "Order cancelled.", r.id(), r.rerender(form, r.cancelForm))
}

func (r *request) cancelForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	order, err := r.shop.OrderForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	return views.OrderCancelPage(views.OrderCancel{
		Page: r.page("Cancel order"), Form: r.formState(form, rejected, order.Version), Order: *order, Why: formInput(form, rejected, "why"),
	}), nil
}
