package handlers

import (
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// subscriptionChange makes the change in a submitted form, and returns the success message.
type subscriptionChange func(r *request, f store.SubscriptionForm, form web.Form) (message string, err error)

func changeTerms(r *request, f store.SubscriptionForm, form web.Form) (string, error) {
	var terms store.Subscription
	if err := store.SubscriptionFields.Parse(&terms, form.Get); err != nil {
		return "", err
	}
	return "Subscription changed.", r.shop.ChangeSubscription(r.ctx(), f, terms.PaymentDay, terms.PaymentAmount)
}

func pauseSubscription(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	return "Subscription paused.", r.shop.PauseSubscription(r.ctx(), f)
}

func resumeSubscription(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	return "Subscription resumed.", r.shop.ResumeSubscription(r.ctx(), f)
}

func cancelSubscription(r *request, f store.SubscriptionForm, form web.Form) (string, error) {
	return "Subscription cancelled.", r.shop.CancelSubscription(r.ctx(), f, form.Get("why"))
}

func editPaymentMethod(r *request, f store.SubscriptionForm, form web.Form) (string, error) {
	var edited store.Subscription
	if err := store.PaymentMethodFields.Parse(&edited, form.Get); err != nil {
		return "", err
	}
	return "Payment method changed.", r.shop.EditPaymentMethod(r.ctx(), f, edited)
}

func skipPayment(r *request, f store.SubscriptionForm, form web.Form) (string, error) {
	return "Payment skipped.", r.shop.SkipPayment(r.ctx(), f, form.Get("why"))
}

func endSubscription(r *request, f store.SubscriptionForm, form web.Form) (string, error) {
	return "The subscription will be cancelled at the end of its period.", r.shop.EndSubscription(r.ctx(), f, form.Get("why"))
}

func keepSubscription(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	return "Subscription kept.", r.shop.KeepSubscription(r.ctx(), f)
}

func retryPayment(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	outcome, err := r.site.jobs.Retry(r.ctx(), r.user, f)
	switch outcome {
	case store.OutcomePaid:
		return "Payment charged.", err
	case store.OutcomeDeclined, store.OutcomePaused:
		return "Payment declined again.", err
	case store.OutcomeDropped:
		return "The earlier attempt never reached the payment service. Nothing was charged.", err
	}
	// The form was submitted before, someone else has changed the subscription, or an import
	// has added a receipt for the payment.
	return "No payment was charged this time. Check the subscription before you try again.", err
}

func resendReminder(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	return "Reminder queued.", r.site.jobs.Remind(r.ctx(), r.user, f)
}

func sendCardLink(r *request, f store.SubscriptionForm, _ web.Form) (string, error) {
	return "Card link queued.", r.site.jobs.SendCardLink(r.ctx(), r.user, f, r.site.tools.Origin(r.Context))
}

// showSubscriptionForm returns a handler that shows the form of an action.
func showSubscriptionForm(action views.SubscriptionAction) func(*request) error {
	return func(r *request) error { return r.showForm(r.subscriptionForm(action)) }
}

// changeSubscription returns a handler that makes the change of an action.
func changeSubscription(action views.SubscriptionAction, change subscriptionChange) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm(slices.Concat(store.SubscriptionFields.Names(), store.PaymentMethodFields.Names(), []string{"why", views.FieldSeen})...)
		if err != nil {
			return err
		}
		f := store.SubscriptionForm{AccountID: r.id(), ID: r.param("subscription"), SKU: r.param("sku"), Version: form.Version(), Token: form.Token()}
		message, err := change(r, f, form)
		return r.finishChange(err, message, views.BillingPath(r.id()), r.rerender(form, r.subscriptionForm(action)))
	}
}

func (r *request) subscriptionForm(action views.SubscriptionAction) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		s, err := r.shop.Subscription(r.ctx(), r.id(), r.param("subscription"), r.param("sku"))
		if err != nil {
			return nil, err
		}
		fields := store.SubscriptionFields
		if action == views.SubscriptionMethod {
			fields = store.PaymentMethodFields
		}
		p := views.SubscriptionChanging{
			Form: r.formState(form, rejected, s.Version), Action: action, Subscription: *s,
			Fields: editFields(fields, form, rejected, s, r.settings.Currency), Why: formInput(form, rejected, "why"),
		}
		p.Seen = seenOf(p.Fields, form, rejected, form.Get)
		hideCardNumbers(p.Fields)
		p.Page = r.page(action.Title())
		return views.SubscriptionPage(p), nil
	}
}
