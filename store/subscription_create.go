package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
)

// SubscriptionFields are what can be edited of a subscription.
var SubscriptionFields = termsFields(
	func(s *Subscription) *int { return &s.PaymentDay },
	func(s *Subscription) *Amount { return &s.PaymentAmount },
)

// SubscribeFields are those of the form of a new subscription.
var SubscribeFields = Fields[Subscribing](slices.Concat(
	Fields[Subscribing]{
		idField("sku", "SKU", func(f *Subscribing) *string { return &f.SKU }).required(),
	},
	termsFields(func(f *Subscribing) *int { return &f.Day }, func(f *Subscribing) *Amount { return &f.Amount }),
	Fields[Subscribing]{
		dayField("from", "First payment on or after", func(f *Subscribing) *time.Time { return &f.From }).
			hint("For example, 2026-12-01. Leave empty for today."),
		emailField("email", "Email for reminders", func(f *Subscribing) *string { return &f.Email }).
			hint("Leave empty to use the customer's email."),
	},
	inGroup("Payment method",
		cardField(func(f *Subscribing) *string { return &f.Details.Card }),
		textField("customer", "Customer ID at the payment processor", func(f *Subscribing) *string { return &f.Details.Customer }),
		textField("method", "Payment method ID at the payment processor", func(f *Subscribing) *string { return &f.Details.Method }),
	),
))

func termsFields[T any](day func(*T) *int, amount func(*T) *Amount) Fields[T] {
	return Fields[T]{
		moneyField("amount", "Amount per month", amount).required().alsoCheck(func(t *T) error {
			if amount(t).Sign() == 0 {
				return InvalidField("amount", "Enter an amount above zero.")
			}
			return nil
		}),
		wholeField("day", "Day of the month", 1, 31, day).required().hint("1 to 31. Shorter months use their last day."),
	}
}

// FieldCard is the name of the field of a card number.
const FieldCard = "card"

// cardField is a card number, of which the last four digits are kept.
func cardField[T any](of func(*T) *string) Field[T] {
	f := textField(FieldCard, "Card number", of).hint("Only the last four digits are stored, for reminders.")
	f.parse = func(t *T, text string) error { *of(t) = CardDigits(text); return nil }
	return f
}

// Subscribing is what the form of a new subscription says.
type Subscribing struct {
	AccountID string
	SKU       string
	Email     string // "": the customer's
	Day       int    // of the month
	Amount    Amount
	From      time.Time // the first payment is not before this day; zero is today
	Details   PaymentDetails
	Once      string // the form's token, which becomes the subscription's ID
}

// Subscribe begins a subscription and returns its ID.
func (a Access) Subscribe(ctx context.Context, f Subscribing) (id string, err error) {
	if err := a.require(Sell); err != nil {
		return "", err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return "", err
	}
	today := dayIn(a.store.now(), settings.Zone())
	if f.From.IsZero() {
		f.From = today
	}
	if err := SubscribeFields.check(&f); err != nil {
		return "", err
	}
	switch {
	case f.From.Before(today):
		return "", InvalidField("from", "Enter today or a later date.")
	case key.CheckID(f.Once) != nil:
		return "", fail(Invalid, "This form has expired. Reload the page.")
	}
	if f.Email, err = a.emailOf(ctx, f.AccountID, f.Email); err != nil {
		return "", err
	}
	c, err := a.change(ctx, f.Once)
	if err != nil {
		return "", err
	}
	due := FirstPayment(f.From, f.Day)
	s := &Subscription{
		ID: f.Once, AccountID: f.AccountID, SKU: f.SKU, Email: f.Email, Status: SubscriptionActive,
		PaymentDay: f.Day, PaymentAmount: f.Amount, NextPaymentDate: due, NextAttemptDate: due,
		NextReminderDate: laterDay(settings.reminderOf(due), today), PaymentDetails: f.Details, Created: a.store.now(), Version: 1,
	}
	c.Create(s)
	c.expect(nil, s)
	c.recordEvent(Event{Partition: accountPartition(s.AccountID), What: "subscribed", Why: "subscription " + s.ID + " to " + s.SKU, After: s.terms()})
	return s.ID, c.Commit(ctx)
}

func laterDay(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// emailOf is the address given, or else the customer's. It also finds out
// whether there is such an account.
func (a Access) emailOf(ctx context.Context, accountID, email string) (string, error) {
	email = strings.TrimSpace(email)
	customer, err := readConsistently[*Customer](ctx, a.store, getCustomer, key.Map{"customerID": accountID})
	if KindOf(err) == NotFound {
		known, err := a.SubscriptionsOfAccount(ctx, accountID, Page{Limit: 1})
		if err != nil {
			return "", err
		}
		if len(known.Rows) == 0 {
			return "", fail(NotFound, "There is no customer %s.", accountID)
		}
		customer = &Customer{Email: known.Rows[0].Email}
	} else if err != nil {
		return "", err
	}
	if email == "" {
		email = customer.Email
	}
	if email != "" && !isEmail(email) {
		return "", InvalidField("email", "Enter a valid email address.")
	}
	return email, nil
}

// terms are a subscription's as events tell them.
func (s *Subscription) terms() string {
	return fmt.Sprintf("%s on day %d, next on %s", s.PaymentAmount, s.PaymentDay, calendarDay(s.NextPaymentDate))
}

// SubscriptionForm is what every form about one subscription says.
type SubscriptionForm struct {
	AccountID, ID, SKU string
	Seen               int // the version that the form was made for
	Once               string
}

// alter makes a change of a subscription as the form saw it. The change tells
// what is different by the event that it returns.
func (a Access) alter(ctx context.Context, f SubscriptionForm, change func(Settings, *Subscription) (Event, error)) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	was, err := a.store.subscription(ctx, f.AccountID, f.ID, f.SKU)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Once)
	if err != nil {
		return err
	}
	if was.Version != f.Seen {
		return c.rejectOutdated(ctx, accountPartition(f.AccountID))
	}
	is := *was
	is.Version++
	event, err := change(settings, &is)
	if err != nil {
		return err
	}
	event.Partition, event.Why = accountPartition(f.AccountID), strings.TrimSpace("subscription "+f.ID+" "+event.Why)
	c.Replace(&is, was.Version)
	c.expect(was, &is)
	c.recordEvent(event)
	return c.Commit(ctx)
}

// ChangeSubscription gives a subscription another day of the month and another
// amount. Its next payment stays in its month where the new day still lies
// ahead, and goes to the month after it where it does not; a payment that is
// being tried is finished first, as it was agreed.
func (a Access) ChangeSubscription(ctx context.Context, f SubscriptionForm, day int, amount Amount) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	if err := SubscriptionFields.check(&Subscription{PaymentDay: day, PaymentAmount: amount}); err != nil {
		return err
	}
	return a.alter(ctx, f, func(settings Settings, s *Subscription) (Event, error) {
		if s.Status == SubscriptionCancelled {
			return Event{}, fail(Conflict, "A cancelled subscription cannot be changed.")
		}
		before := s.terms()
		if day != s.PaymentDay && s.Attempt == 0 && s.Asked.Key == "" {
			today := dayIn(a.store.now(), settings.Zone())
			due := s.NextPaymentDate
			s.reschedule(settings, FirstPayment(laterDay(today, dueIn(due.Year(), due.Month(), 1)), day), today)
		}
		s.PaymentDay, s.PaymentAmount = day, amount
		return Event{What: "subscription changed", Before: before, After: s.terms()}, nil
	})
}

func (s *Subscription) reschedule(settings Settings, due, today time.Time) {
	s.NextPaymentDate, s.NextAttemptDate, s.Attempt = due, due, 0
	s.NextReminderDate = laterDay(settings.reminderOf(due), today)
}

// PauseSubscription takes no more payments until it is resumed.
func (a Access) PauseSubscription(ctx context.Context, f SubscriptionForm) error {
	return a.alter(ctx, f, func(_ Settings, s *Subscription) (Event, error) {
		if !s.Live() {
			return Event{}, fail(Conflict, "Only a subscription that is paid for can be paused.")
		}
		before := string(s.Status)
		s.Status = SubscriptionPaused
		return Event{What: "subscription paused", Before: before, After: string(s.Status)}, nil
	})
}

// ResumeSubscription takes payments again, from the next due day on: for the
// time of the pause nothing is owed.
func (a Access) ResumeSubscription(ctx context.Context, f SubscriptionForm) error {
	return a.alter(ctx, f, func(settings Settings, s *Subscription) (Event, error) {
		if s.Status != SubscriptionPaused {
			return Event{}, fail(Conflict, "Only a paused subscription can be resumed.")
		}
		if s.Asked.Key != "" {
			return Event{}, fail(Conflict, "A payment of it is under way: wait until its outcome is known.")
		}
		today := dayIn(a.store.now(), settings.Zone())
		s.Status = SubscriptionActive
		if due := s.NextPaymentDate; s.Attempt > 0 || due.Before(today) {
			s.reschedule(settings, FirstPayment(laterDay(today, due.AddDate(0, 0, 1)), s.PaymentDay), today)
		}
		return Event{What: "subscription resumed", Before: string(SubscriptionPaused), After: s.terms()}, nil
	})
}

// CancelSubscription ends a subscription for good.
func (a Access) CancelSubscription(ctx context.Context, f SubscriptionForm, why string) error {
	return a.alter(ctx, f, func(_ Settings, s *Subscription) (Event, error) {
		if s.Status == SubscriptionCancelled {
			return Event{}, fail(Conflict, "It is cancelled already.")
		}
		before := string(s.Status)
		s.Status = SubscriptionCancelled
		return Event{What: "subscription cancelled", Why: MaskCardNumbers(why), Before: before, After: string(s.Status)}, nil
	})
}

// MayRetry says whether this user may try a payment again now or have a
// reminder sent again, and gives the subscription as the form saw it.
func (a Access) MayRetry(ctx context.Context, f SubscriptionForm) (*Subscription, error) {
	if err := a.require(RetryPayments); err != nil {
		return nil, err
	}
	s, err := a.store.subscription(ctx, f.AccountID, f.ID, f.SKU)
	if err != nil {
		return nil, err
	}
	if s.Version != f.Seen {
		c, err := a.change(ctx, f.Once)
		if err != nil {
			return nil, err
		}
		return nil, c.rejectOutdated(ctx, accountPartition(f.AccountID))
	}
	return s, nil
}
