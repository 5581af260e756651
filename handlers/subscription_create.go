package handlers

import (
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showSubscribeForm(r *request) error { return r.showForm(r.subscribeForm) }

func subscribe(r *request) error {
	form, err := r.readForm(store.NewSubscriptionFields.Names()...)
	if err != nil {
		return err
	}
	f, shop := store.NewSubscription{AccountID: r.id(), Token: form.Token()}, r.shop
	entered := func(name string) string {
		if day, err := r.day(form, name); name == "from" && err == nil && !day.IsZero() { // r.day also accepts words such as today
			return day.Format(time.DateOnly)
		}
		return form.Get(name)
	}
	if err := shop.Wrong.Add(store.NewSubscriptionFields.Parse(&f, entered)); err != nil {
		return err
	}
	_, err = shop.CreateSubscription(r.ctx(), f)
	return r.finishChange(err, "Subscription created.", views.BillingPath(r.id()), r.rerender(form, r.subscribeForm))
}

func (r *request) subscribeForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	customer, err := r.customerOfAccount(r.id())
	if err != nil {
		return nil, err
	}
	p := views.Subscribing{
		Customer: customer,
		Form:     r.formState(form, rejected, 0), AccountID: r.id(),
		Fields: editFields(store.NewSubscriptionFields, form, rejected, nil, r.settings.Currency),
	}
	if customer != nil && customer.IsClosed() {
		p.Problem = "" // the page already says that the customer is closed
	}
	hideCardNumbers(p.Fields)
	p.Page = r.page("New subscription")
	return views.SubscribePage(p), nil
}

// hideCardNumbers replaces card numbers with their last four digits, because a page must
// never contain a complete card number.
func hideCardNumbers(fields []views.EditField) {
	for i := range fields {
		if f := &fields[i]; f.Spec.Name == store.FieldCard {
			f.Input.Value, f.Now = store.CardDigits(f.Input.Value), store.CardDigits(f.Now)
		}
	}
}
