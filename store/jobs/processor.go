package jobs

import (
	"context"
	"time"

	"stockroom/store"
)

// Processor is a payment service.
type Processor interface {
	// Service returns store.ServiceStripe or store.ServiceRecord.
	Service() store.Service
	// CheckAmount returns Invalid if the processor cannot charge the amount in this
	// currency.
	CheckAmount(amount store.Amount, currency string) error
	// Charge charges a payment. A second call with the same key within 24 hours does not
	// charge again, and returns the same outcome. After an error, the outcome is unknown:
	// the customer may have been charged.
	Charge(ctx context.Context, c Charge) (Outcome, error)
	// Find looks up the outcome of the charge with the same key. found is false if the
	// processor never received the charge.
	Find(ctx context.Context, c Charge) (o Outcome, found bool, err error)
}

// Charge is one payment attempt.
type Charge struct {
	Key            string // idempotency key of the attempt
	AccountID      string
	SubscriptionID string
	DueDate        time.Time
	Amount         store.Amount
	Currency       string // ISO 4217
	Customer       string // ID at the processor
	Method         string // ID of the payment method at the processor
}

// Outcome is the outcome of a charge.
type Outcome struct {
	Declined  bool
	Reason    string // why the charge was declined
	Reference string // ID of the payment at the processor
}

// Record is a processor for a business that charges its customers outside Stockroom. It
// charges nothing and returns every payment as paid.
type Record struct{}

func (Record) Service() store.Service { return store.ServiceRecord }

// CheckAmount accepts every amount.
func (Record) CheckAmount(store.Amount, string) error { return nil }

// Charge always succeeds.
func (Record) Charge(context.Context, Charge) (Outcome, error) { return Outcome{}, nil }

func (Record) Find(context.Context, Charge) (Outcome, bool, error) { return Outcome{}, true, nil }

func chargeOf(currency string, s *store.Subscription) Charge {
	return Charge{
		Key:            s.PendingAttempt.Key,
		AccountID:      s.AccountID,
		SubscriptionID: s.ID,
		DueDate:        s.NextPaymentDate,
		Amount:         s.PendingAttempt.Amount,
		Currency:       currency,
		Customer:       s.PaymentDetails.Customer,
		Method:         s.PaymentDetails.Method,
	}
}
