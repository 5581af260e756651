package store

import (
	"context"
	"strings"
)

// PaymentMethodFields are the fields of a subscription that say how the customer pays and
// where the emails go.
var PaymentMethodFields = Fields[Subscription](append(
	Fields[Subscription]{
		emailField("email", "Email", func(s *Subscription) *string { return &s.Email }).
			hint("Receives the reminders, the emails about declined payments and the card links."),
	},
	methodFields(func(s *Subscription) *PaymentDetails { return &s.PaymentDetails })...,
))

func methodFields[T any](of func(*T) *PaymentDetails) []Field[T] {
	return inGroup("Payment method",
		cardField(func(t *T) *string { return &of(t).Card }),
		textField("customer", "Customer ID at the payment service", func(t *T) *string { return &of(t).Customer }),
		textField("method", "Payment method ID at the payment service", func(t *T) *string { return &of(t).Method }),
	)
}

// FieldCard is the name of the form field for a card number.
const FieldCard = "card"

// cardField returns a field for a card number. Only the last four digits are stored.
func cardField[T any](of func(*T) *string) Field[T] {
	f := textField(FieldCard, "Card number", of).hint("Only the last four digits are stored, for reminders.")
	f.parse = func(t *T, text string) error { *of(t) = CardDigits(text); return nil }
	return f
}

// String describes the payment method, for events.
func (d PaymentDetails) String() string {
	var parts []string
	if d.Card != "" {
		parts = append(parts, "card •••• "+CardDigits(d.Card))
	}
	if d.Method != "" {
		parts = append(parts, "payment method "+d.Method)
	}
	if len(parts) == 0 {
		return "no payment method"
	}
	return strings.Join(parts, ", ")
}

// EditPaymentMethod changes the email address and the payment method of a subscription. The
// next attempt uses the new payment method. EditPaymentMethod returns Conflict if the
// subscription is cancelled, if the outcome of an attempt is unknown, or if the
// subscription has changed. It can also return Forbidden, NotFound or Invalid.
func (a Access) EditPaymentMethod(ctx context.Context, f SubscriptionForm, edited Subscription) error {
	if err := a.require(Subscribe); err != nil {
		return err
	}
	if err := PaymentMethodFields.check(&edited); err != nil {
		return err
	}
	return a.editSubscription(ctx, f, func(_ *change, _ Settings, s *Subscription) (Event, error) {
		switch {
		case s.Status == SubscriptionCancelled:
			return Event{}, fail(Conflict, "A cancelled subscription can't be changed.")
		case s.PendingAttempt.Key != "":
			return Event{}, fail(Conflict, "The outcome of a payment attempt is not known yet. Change the payment method after the next payment run.")
		}
		if err := PaymentMethodFields.checkEmails(s, &edited); err != nil {
			return Event{}, err
		}
		before, emailBefore := s.PaymentDetails.String(), s.Email
		PaymentMethodFields.copy(s, &edited)
		e := Event{What: EventPaymentMethodChanged, Before: before, After: s.PaymentDetails.String()}
		if s.Email != emailBefore {
			e.Why = "and its email address" // the history does not contain the address itself
		}
		return e, nil
	})
}
