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

// Stripe takes payments by Stripe: each attempt is one PaymentIntent, made and
// confirmed in one request under the attempt's own key.
type Stripe struct{ client *stripe.Client }

// NewStripe makes the processor of an account at Stripe. An address other than
// "" is asked in the place of Stripe's own.
func NewStripe(key, address string) Stripe {
	config := &stripe.BackendConfig{
		// Whatever is asked again is asked by the run, which notes it.
		MaxNetworkRetries: stripe.Int64(0),
		EnableTelemetry:   stripe.Bool(false),
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	if address != "" {
		config.URL = stripe.String(address)
	}
	return Stripe{stripe.NewClient(key, stripe.WithBackends(stripe.NewBackendsWithConfig(config)))}
}

// attempt is the name under which a payment keeps the key of its attempt, so
// that it can be looked up after Stripe has forgotten the key.
const attempt = "stockroom_attempt"

// Charge implements Processor.
func (s Stripe) Charge(ctx context.Context, c Charge) (Outcome, error) {
	if c.Customer == "" || c.Method == "" {
		return Outcome{Declined: true, Why: "no payment method is known"}, nil
	}
	units, err := minorUnits(c.Amount, c.Currency)
	if err != nil {
		return Outcome{Declined: true, Why: err.Error()}, nil
	}
	params := &stripe.PaymentIntentCreateParams{
		Amount: stripe.Int64(units), Currency: stripe.String(strings.ToLower(c.Currency)),
		Customer: stripe.String(c.Customer), PaymentMethod: stripe.String(c.Method),
		Confirm: stripe.Bool(true), OffSession: stripe.Bool(true),
		Description: stripe.String("Subscription " + c.SubscriptionID + ", due " + c.DueDate.Format("2006-01-02")),
	}
	params.AddMetadata(attempt, c.Key)
	params.SetIdempotencyKey(c.Key)
	intent, err := s.client.V1PaymentIntents.Create(ctx, params)
	var refused *stripe.Error
	switch {
	case err == nil:
		return outcomeOf(intent)
	case errors.As(err, &refused) && isRefusal(refused):
		return Outcome{Declined: true, Why: refused.Msg}, nil
	}
	return Outcome{}, fmt.Errorf("asking Stripe: %w", err)
}

// isRefusal says that this payment cannot be taken. A key that Stripe does not
// take, or an attempt that is still under way there, say nothing of it.
func isRefusal(err *stripe.Error) bool {
	switch err.HTTPStatusCode {
	case http.StatusBadRequest, http.StatusPaymentRequired, http.StatusNotFound:
		return err.Type != stripe.ErrorTypeIdempotency
	}
	return false
}

// Find implements Processor.
func (s Stripe) Find(ctx context.Context, c Charge) (Outcome, bool, error) {
	quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(c.Key)
	params := &stripe.PaymentIntentSearchParams{SearchParams: stripe.SearchParams{Query: fmt.Sprintf("metadata['%s']:'%s'", attempt, quoted)}}
	for intent, err := range s.client.V1PaymentIntents.Search(ctx, params).All(ctx) {
		if err != nil {
			return Outcome{}, false, fmt.Errorf("asking Stripe: %w", err)
		}
		o, err := outcomeOf(intent)
		return o, err == nil, err
	}
	return Outcome{}, false, nil
}

// outcomeOf reads what became of a payment. One that is under way has no
// outcome yet.
func outcomeOf(intent *stripe.PaymentIntent) (Outcome, error) {
	switch intent.Status {
	case stripe.PaymentIntentStatusSucceeded:
		return Outcome{Reference: intent.ID}, nil
	case stripe.PaymentIntentStatusProcessing, stripe.PaymentIntentStatusRequiresCapture, stripe.PaymentIntentStatusRequiresConfirmation:
		return Outcome{}, fmt.Errorf("the payment %s is %s", intent.ID, intent.Status)
	}
	why := "the payment is " + strings.ReplaceAll(string(intent.Status), "_", " ")
	if intent.LastPaymentError != nil && intent.LastPaymentError.Msg != "" {
		why = intent.LastPaymentError.Msg
	}
	return Outcome{Declined: true, Why: why, Reference: intent.ID}, nil
}

// Decimals of the currencies that Stripe does not count in hundredths.
var decimals = map[string]int{
	"BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "JPY": 0, "KMF": 0, "KRW": 0, "MGA": 0, "PYG": 0, "RWF": 0, "UGX": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0,
	"BHD": 3, "JOD": 3, "KWD": 3, "OMR": 3, "TND": 3,
}

// minorUnits is an amount as Stripe counts it.
func minorUnits(amount store.Amount, currency string) (int64, error) {
	places, known := decimals[currency]
	if !known {
		places = 2
	}
	sum, ok := new(big.Rat).SetString(amount.String())
	if !ok {
		return 0, fmt.Errorf("%s is no amount", amount)
	}
	sum.Mul(sum, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)))
	if !sum.IsInt() || !sum.Num().IsInt64() {
		return 0, fmt.Errorf("%s %s cannot be charged: it has more than %d decimals", amount, currency, places)
	}
	return sum.Num().Int64(), nil
}
