package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"stockroom/store"
)

// stripeCheckout is the origin of Stripe's pages on which customers enter a card. Custom
// domains for these pages are not supported.
const stripeCheckout = "https://checkout.stripe.com"

// CardOrigin returns the origin of the pages on which customers enter a card.
func (s Stripe) CardOrigin() string {
	if s.client.address != stripeAddress {
		return s.client.address
	}
	return stripeCheckout
}

// checkoutSession is the part of a Checkout Session that shows the outcome; see
// https://docs.stripe.com/api/checkout/sessions/object. The SetupIntent and its payment
// method are expanded.
type checkoutSession struct {
	ID, URL, Mode, Status, Customer string
	Reference                       string `json:"client_reference_id"`
	Creation                        string `json:"customer_creation"` // "always" for a new customer
	SetupIntent                     struct {
		Status        string
		PaymentMethod struct {
			ID   string
			Card struct{ Last4 string }
		} `json:"payment_method"`
	} `json:"setup_intent"`
}

// StartCard creates a Checkout Session in which a customer enters a card; see
// https://docs.stripe.com/payments/save-and-reuse. A second call with the same key returns
// the same session. If Stripe no longer has the customer, the session creates a new
// customer.
func (s Stripe) StartCard(ctx context.Context, r CardRequest) (CardPage, error) {
	session, err := s.startSession(ctx, r)
	if isCustomerMissing(err) {
		r.Customer, r.Key = "", r.Key+"#new" // Stripe rejects other parameters with the same key, so use another key
		session, err = s.startSession(ctx, r)
	}
	if err != nil {
		return CardPage{}, fmt.Errorf("request to Stripe: %w", err)
	}
	if session.ID == "" || session.URL == "" {
		return CardPage{}, errors.New("request to Stripe: the session has no page")
	}
	return CardPage{Session: session.ID, URL: session.URL}, nil
}

// isCustomerMissing reports whether an error means that the Stripe account does not have
// the customer; see https://docs.stripe.com/error-codes#resource-missing.
func isCustomerMissing(err error) bool {
	var rejected *stripeError
	return errors.As(err, &rejected) && rejected.Code == "resource_missing" && rejected.Param == "customer"
}

func (s Stripe) startSession(ctx context.Context, r CardRequest) (session checkoutSession, err error) {
	form := url.Values{
		"mode":                    {"setup"},
		"payment_method_types[0]": {"card"},
		"client_reference_id":     {r.Link},
		"success_url":             {r.Return},
		"cancel_url":              {r.Return},
	}
	if r.Customer != "" {
		form.Set("customer", r.Customer)
	} else {
		form.Set("customer_creation", "always")
		form.Set("customer_email", r.Email)
	}
	err = s.client.post(ctx, "/v1/checkout/sessions", r.Key, form, &session)
	return session, err
}

// FindCard returns the state of a Checkout Session. It returns an error if the session
// belongs to another link. It returns a zero page if the session has expired, or if the
// customer ID of the subscription has changed since the session was created. The customer
// then gets a new page.
func (s Stripe) FindCard(ctx context.Context, r CardRequest, id string) (CardPage, error) {
	var session checkoutSession
	query := url.Values{"expand[]": {"setup_intent.payment_method"}}
	if err := s.client.get(ctx, "/v1/checkout/sessions/"+url.PathEscape(id), query, &session); err != nil {
		return CardPage{}, fmt.Errorf("request to Stripe: %w", err)
	}
	method := session.SetupIntent.PaymentMethod
	switch {
	case session.ID != id || session.Mode != "setup" || session.Reference != r.Link:
		return CardPage{}, errors.New("request to Stripe: the session belongs to another link")
	case r.Customer != "" && session.Customer != r.Customer && session.Creation != "always":
		return CardPage{}, nil
	case session.Status == "open":
		return CardPage{Session: id, URL: session.URL}, nil
	case session.Status == "expired":
		return CardPage{}, nil
	case session.Status != "complete" || session.SetupIntent.Status != "succeeded" || method.ID == "" || session.Customer == "":
		return CardPage{}, fmt.Errorf("request to Stripe: the session is %q, its setup %q", session.Status, session.SetupIntent.Status)
	}
	return CardPage{Session: id, Card: store.PaymentDetails{Card: store.CardDigits(method.Card.Last4), Customer: session.Customer, Method: method.ID}}, nil
}
