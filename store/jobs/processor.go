package jobs

import (
	"context"
	"time"

	"stockroom/store"
)

// Processor takes payments.
type Processor interface {
	// Charge asks for a payment. Asked again with the same key, it answers the
	// same and takes nothing twice. An error means that nobody knows the
	// outcome: the payment may have been taken.
	Charge(ctx context.Context, c Charge) (Outcome, error)
	// Find looks up what became of a payment that was asked for with this key;
	// found is false where the processor was never asked.
	Find(ctx context.Context, c Charge) (o Outcome, found bool, err error)
}

// Charge is one attempt to take a payment.
type Charge struct {
	Key            string // the attempt's own
	AccountID      string
	SubscriptionID string
	DueDate        time.Time
	Amount         store.Amount
	Currency       string // ISO 4217
	Customer       string // as the processor knows them
	Method         string // of payment, as the processor knows it
}

// Outcome is what a processor answers.
type Outcome struct {
	Declined  bool
	Why       string // it was
	Reference string // by which the processor knows the payment
}

// Record is the processor of a business that takes its payments elsewhere: it
// marks them as paid.
type Record struct{}

// Charge implements Processor.
func (Record) Charge(context.Context, Charge) (Outcome, error) { return Outcome{}, nil }

// Find implements Processor: what is only noted is never unknown.
func (Record) Find(context.Context, Charge) (Outcome, bool, error) { return Outcome{}, true, nil }

func chargeOf(currency string, s *store.Subscription) Charge {
	return Charge{
		Key: s.Asked.Key, AccountID: s.AccountID, SubscriptionID: s.ID, DueDate: s.NextPaymentDate, Amount: s.Asked.Amount, Currency: currency,
		Customer: s.PaymentDetails.Customer, Method: s.PaymentDetails.Method,
	}
}
