package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/stripe/stripe-go/v85"

	"stockroom/store"
)

// Stripe charges payments with Stripe. Each attempt is one PaymentIntent,
// created and confirmed in one request with the attempt's key as idempotency
// key; see https://docs.stripe.com/api/idempotent_requests.
type Stripe struct{ client *stripe.Client }

// NewStripe makes a processor for a Stripe account. If address is not "", it
// replaces the address of Stripe's API.
func NewStripe(key, address string) Stripe {
	config := &stripe.BackendConfig{
		// Retries are made by the run, which records them.
		MaxNetworkRetries: stripe.Int64(0),
		EnableTelemetry:   stripe.Bool(false),
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	if address != "" {
		config.URL = stripe.String(address)
	}
	return Stripe{stripe.NewClient(key, stripe.WithBackends(stripe.NewBackendsWithConfig(config)))}
}

// Service returns store.ServiceStripe.
func (Stripe) Service() store.Service { return store.ServiceStripe }

// CheckAmount checks the amount by Stripe's rules of the currency.
func (Stripe) CheckAmount(amount store.Amount, currency string) error {
	_, err := stripeAmount(amount, currency)
	return err
}

// attemptKey is the metadata field with the key of the attempt. Stripe removes
// idempotency keys after 24 hours, but metadata can be searched.
const attemptKey = "stockroom_attempt"

// Charge creates and confirms a PaymentIntent.
func (s Stripe) Charge(ctx context.Context, c Charge) (Outcome, error) {
	if c.Customer == "" || c.Method == "" {
		return Outcome{Declined: true, Reason: "no payment method on file"}, nil
	}
	units, err := stripeAmount(c.Amount, c.Currency)
	if err != nil {
		return Outcome{}, err
	}
	params := &stripe.PaymentIntentCreateParams{
		Amount:        stripe.Int64(units),
		Currency:      stripe.String(strings.ToLower(c.Currency)),
		Customer:      stripe.String(c.Customer),
		PaymentMethod: stripe.String(c.Method),
		Confirm:       stripe.Bool(true),
		OffSession:    stripe.Bool(true),
		Description:   stripe.String("Subscription " + c.SubscriptionID + ", due " + c.DueDate.Format("2006-01-02")),
	}
	params.AddMetadata(attemptKey, c.Key)
	params.SetIdempotencyKey(c.Key)
	intent, err := s.client.V1PaymentIntents.Create(ctx, params)
	var apiErr *stripe.Error
	switch {
	case err == nil:
		return outcomeOf(intent)
	case errors.As(err, &apiErr) && isDecline(apiErr):
		return Outcome{Declined: true, Reason: apiErr.Msg}, nil
	}
	return Outcome{}, fmt.Errorf("request to Stripe: %w", err)
}

// isDecline reports whether the error is the final outcome of the payment, about
// which the customer has to do something. Other errors are about the request or the
// server. The business has to do something about them, and the charge is repeated.
func isDecline(err *stripe.Error) bool {
	if err.HTTPStatusCode == http.StatusPaymentRequired {
		return true
	}
	return err.Code == stripe.ErrorCodeResourceMissing && (err.Param == "customer" || err.Param == "payment_method")
}

// Find searches for the PaymentIntent of the attempt.
func (s Stripe) Find(ctx context.Context, c Charge) (Outcome, bool, error) {
	quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(c.Key)
	params := &stripe.PaymentIntentSearchParams{SearchParams: stripe.SearchParams{Query: fmt.Sprintf("metadata['%s']:'%s'", attemptKey, quoted)}}
	for intent, err := range s.client.V1PaymentIntents.Search(ctx, params).All(ctx) {
		if err != nil {
			return Outcome{}, false, fmt.Errorf("request to Stripe: %w", err)
		}
		o, err := outcomeOf(intent)
		return o, err == nil, err
	}
	return Outcome{}, false, nil
}

// outcomeOf returns the outcome of a PaymentIntent, or an error if it is still
// in progress.
func outcomeOf(intent *stripe.PaymentIntent) (Outcome, error) {
	switch intent.Status {
	case stripe.PaymentIntentStatusSucceeded:
		return Outcome{Reference: intent.ID}, nil
	case stripe.PaymentIntentStatusProcessing, stripe.PaymentIntentStatusRequiresCapture, stripe.PaymentIntentStatusRequiresConfirmation:
		return Outcome{}, fmt.Errorf("payment %s is %s", intent.ID, intent.Status)
	}
	reason := "the payment is " + strings.ReplaceAll(string(intent.Status), "_", " ")
	if intent.LastPaymentError != nil && intent.LastPaymentError.Msg != "" {
		reason = intent.LastPaymentError.Msg
	}
	return Outcome{Declined: true, Reason: reason, Reference: intent.ID}, nil
}
