package handlers

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// subscriptionChange makes one kind of change of a subscription from its form,
// and says what was done.
type subscriptionChange func(r *request, f store.SubscriptionForm, form web.Form) (done string, err error)

func changeTerms(r *request, f store.SubscriptionForm, form web.Form) (string, error) {
	paymentDay, err := number(form, "day")
	if err != nil {
		return "", err
	}
	sum, err := money(form, "amount")
	if err != nil {
		return "", err
	}
	return "The subscription was changed.", r.shop.ChangeSubscription(r.ctx(), f, paymentDay, sum)
}

func pauseSubscription(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	return "The subscription is paused.", r.shop.PauseSubscription(r.ctx(), f)
}

func resumeSubscription(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	return "The subscription goes on.", r.shop.ResumeSubscription(r.ctx(), f)
}

func cancelSubscription(r *request, f store.SubscriptionForm, form web.Form) (string, error) {
	return "The subscription is cancelled.", r.shop.CancelSubscription(r.ctx(), f, form.Get("why"))
}

func retryPayment(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	outcome, err := r.site.jobs.Retry(r.ctx(), r.user, f)
	if outcome == store.OutcomeDeclined || outcome == store.OutcomePaused {
		return "The payment was declined again.", err
	}
	return "The payment was taken.", err
}

func resendReminder(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	return "The reminder was sent.", r.site.jobs.Resend(r.ctx(), r.user, f)
}

// askSubscription shows the form of a change of a subscription.
func askSubscription(action views.SubscriptionAction) func(*request) error {
	return func(r *request) error { return r.showForm(r.subscriptionForm(action)) }
}

// changeSubscription makes a change of a subscription.
func changeSubscription(action views.SubscriptionAction, change subscriptionChange) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm("day", "amount", "why")
		if err != nil {
			return err
		}
		f := store.SubscriptionForm{AccountID: r.id(), ID: r.param("subscription"), SKU: r.param("sku"), Seen: form.Version(), Once: form.Once()}
		done, err := change(r, f, form)
		return r.finishChange(err, done, views.BillingPath(r.id()), r.rerender(form, r.subscriptionForm(action)))
	}
}

func (r *request) subscriptionForm(action views.SubscriptionAction) formPage {
	return func(form web.Form, refused *store.Error) (templ.Component, error) {
		s, err := r.shop.Subscription(r.ctx(), r.id(), r.param("subscription"), r.param("sku"))
		if err != nil {
			return nil, err
		}
		p := views.SubscriptionChanging{
			Form: r.formState(form, refused, s.Version), Action: action, Subscription: *s,
			Day: formInput(form, refused, "day"), Amount: formInput(form, refused, "amount"), Why: formInput(form, refused, "why"),
		}
		if refused == nil {
			p.Day, p.Amount = ui.Input{Value: strconv.Itoa(s.PaymentDay)}, ui.Input{Value: s.PaymentAmount.String()}
		}
		p.Page = r.page(action.Title())
		return views.SubscriptionPage(p), nil
	}
}

func askSubscribe(r *request) error { return r.showForm(r.subscribeForm) }

func subscribe(r *request) error {
	form, err := r.readForm("sku", "amount", "day", "from", "email", "card", "customer", "method")
	if err != nil {
		return err
	}
	f := store.Subscribing{
		AccountID: r.id(), SKU: form.Get("sku"), Email: form.Get("email"), Once: form.Once(),
		Details: store.PaymentDetails{Card: store.CardDigits(form.Get("card")), Customer: form.Get("customer"), Method: form.Get("method")},
	}
	if f.Amount, err = money(form, "amount"); err == nil {
		f.Day, err = number(form, "day")
	}
	if text := form.Get("from"); err == nil && text != "" {
		first, _, ok := web.ParseDays(text, r.now())
		if f.From = calendarOf(first); !ok {
			err = store.InvalidField("from", "This is no day: write one such as 2026-12-01.")
		}
	}
	if err == nil {
		_, err = r.shop.Subscribe(r.ctx(), f)
	}
	return r.finishChange(err, "The subscription has begun.", views.BillingPath(r.id()), r.rerender(form, r.subscribeForm))
}

func (r *request) subscribeForm(form web.Form, refused *store.Error) (templ.Component, error) {
	if _, err := r.customerOfAccount(r.id()); err != nil {
		return nil, err
	}
	p := views.Subscribing{
		Form: r.formState(form, refused, 0), AccountID: r.id(),
		SKU: formInput(form, refused, "sku"), Day: formInput(form, refused, "day"), Amount: formInput(form, refused, "amount"), From: formInput(form, refused, "from"),
		Email: formInput(form, refused, "email"), Card: formInput(form, refused, "card"), Customer: formInput(form, refused, "customer"), Payment: formInput(form, refused, "method"),
	}
	p.Card.Value = store.CardDigits(p.Card.Value) // of a whole number no page shows more
	p.Page = r.page("New subscription")
	return views.SubscribePage(p), nil
}

// calendarOf is a day without its place.
func calendarOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
