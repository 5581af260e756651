package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"stockroom/store"
)

// Stripe is a processor that charges payments with Stripe. For each attempt, one request
// creates and confirms a PaymentIntent. The key of the attempt is the idempotency key; see
// https://docs.stripe.com/api/idempotent_requests. The processor does not retry requests,
// because the job must record each retry.
type Stripe struct{ client *stripeClient }

// NewStripe returns a processor for a Stripe account. address is the address of the API,
// or "" for Stripe's own.
func NewStripe(key, address string) Stripe { return Stripe{newStripeClient(key, address)} }

// Service returns store.ServiceStripe.
func (Stripe) Service() store.Service { return store.ServiceStripe }

// CheckAmount checks that Stripe can charge the amount in this currency.
func (Stripe) CheckAmount(amount store.Amount, currency string) error {
	_, err := stripeAmount(amount, currency)
	return err
}

// attemptKey is the metadata field with the key of the attempt. Find searches for it,
// because Stripe deletes idempotency keys after 24 hours.
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
	form := url.Values{
		"amount":                       {strconv.FormatInt(units, 10)},
		"currency":                     {strings.ToLower(c.Currency)},
		"customer":                     {c.Customer},
		"payment_method":               {c.Method},
		"confirm":                      {"true"},
		"off_session":                  {"true"},
		"description":                  {"Subscription " + c.SubscriptionID + ", due " + c.DueDate.Format("2006-01-02")},
		"metadata[" + attemptKey + "]": {c.Key},
	}
	var intent paymentIntent
	err = s.client.post(ctx, "/v1/payment_intents", c.Key, form, &intent)
	var refusal *stripeError
	switch {
	case err == nil:
		return outcomeOf(intent)
	case errors.As(err, &refusal) && isDecline(refusal):
		return Outcome{Declined: true, Reason: refusal.Message}, nil
	}
	return Outcome{}, fmt.Errorf("request to Stripe: %w", err)
}

// isDecline reports whether an error means that the payment was declined and the customer
// must act. After other errors, the next run repeats the charge.
func isDecline(err *stripeError) bool {
	if err.Status == http.StatusPaymentRequired {
		return true
	}
	return err.Code == "resource_missing" && (err.Param == "customer" || err.Param == "payment_method")
}

// Find searches for the PaymentIntent of the attempt.
func (s Stripe) Find(ctx context.Context, c Charge) (Outcome, bool, error) {
	quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(c.Key)
	var result struct {
		Data    []paymentIntent
		HasMore bool `json:"has_more"`
	}
	query := url.Values{"query": {fmt.Sprintf("metadata['%s']:'%s'", attemptKey, quoted)}}
	switch err := s.client.get(ctx, "/v1/payment_intents/search", query, &result); {
	case err != nil:
		return Outcome{}, false, fmt.Errorf("request to Stripe: %w", err)
	case len(result.Data) > 0:
		o, err := outcomeOf(result.Data[0])
		return o, err == nil, err
	case result.Data == nil || result.HasMore: // the response may lack PaymentIntents
		return Outcome{}, false, errors.New("request to Stripe: the search result is missing or incomplete")
	}
	return Outcome{}, false, nil
}

// paymentIntent is the part of a PaymentIntent that shows the outcome; see
// https://docs.stripe.com/api/payment_intents/object.
type paymentIntent struct {
	ID, Status       string
	LastPaymentError struct{ Message string } `json:"last_payment_error"`
}

// outcomeOf returns the outcome of a PaymentIntent, or an error if the payment is in
// progress or has an unknown status.
func outcomeOf(intent paymentIntent) (Outcome, error) {
	switch intent.Status {
	case "succeeded":
		return Outcome{Reference: intent.ID}, nil
	case "requires_payment_method", "requires_action", "canceled":
		reason := cmp.Or(intent.LastPaymentError.Message, "the payment is "+strings.ReplaceAll(intent.Status, "_", " "))
		return Outcome{Declined: true, Reason: reason, Reference: intent.ID}, nil
	}
	return Outcome{}, fmt.Errorf("payment %q is %q", intent.ID, intent.Status)
}
