package jobs

import (
	"context"
	"errors"
	"fmt"
	"math/big"
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
// replaces that of Stripe's API.
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

// attemptKey is the metadata field with the key of the attempt. Stripe removes
// idempotency keys after 24 hours, but metadata can be searched.
const attemptKey = "stockroom_attempt"

// Charge creates and confirms a PaymentIntent.
func (s Stripe) Charge(ctx context.Context, c Charge) (Outcome, error) {
	if c.Customer == "" || c.Method == "" {
		return Outcome{Declined: true, Reason: "no payment method on file"}, nil
	}
	units, err := minorUnits(c.Amount, c.Currency)
	if err != nil {
		return Outcome{Declined: true, Reason: err.Error()}, nil
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

// isDecline reports whether the error is the final outcome of the payment. An
// invalid API key or an attempt in progress is not an outcome.
func isDecline(err *stripe.Error) bool {
	switch err.HTTPStatusCode {
	case http.StatusBadRequest, http.StatusPaymentRequired, http.StatusNotFound:
		return err.Type != stripe.ErrorTypeIdempotency
	}
	return false
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

// decimals lists the currencies that do not have two decimals; see
// https://docs.stripe.com/currencies#special-cases.
var decimals = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "JPY": 0, "KMF": 0, "KRW": 0, "MGA": 0, "PYG": 0, "RWF": 0, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3,
}

// minorUnits converts an amount to the smallest unit of its currency.
func minorUnits(amount store.Amount, currency string) (int64, error) {
	places, known := decimals[currency]
	if !known {
		places = 2
	}
	units, ok := new(big.Rat).SetString(amount.String())
	if !ok {
		return 0, fmt.Errorf("invalid amount %s", amount)
	}
	units.Mul(units, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)))
	if !units.IsInt() || !units.Num().IsInt64() {
		return 0, fmt.Errorf("cannot charge %s %s: more than %d decimals", amount, currency, places)
	}
	return units.Num().Int64(), nil
}
