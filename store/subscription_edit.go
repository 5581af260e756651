package store

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// SubscriptionFields are the editable fields of a subscription.
var SubscriptionFields = termsFields(
	func(s *Subscription) *int { return &s.PaymentDay },
	func(s *Subscription) *Amount { return &s.PaymentAmount },
)

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

func (s *Subscription) terms() string {
	return fmt.Sprintf("%s on day %d, next on %s", s.PaymentAmount, s.PaymentDay, longDay(s.NextPaymentDate))
}

// SubscriptionForm identifies the subscription in a form.
type SubscriptionForm struct {
	AccountID, ID, SKU string
	Version            int // the version that the form showed
	Token              string
}

// editSubscription calls edit to change a subscription, and records the event that edit
// returns. edit can add writes and conditions to the change. editSubscription returns
// Forbidden, NotFound, or Conflict if the form showed another version.
func (a Access) editSubscription(ctx context.Context, f SubscriptionForm, edit func(*change, Settings, *Subscription) (Event, error)) error {
	if err := a.require(Subscribe); err != nil {
		return err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return err
	}
	before, err := a.store.subscription(ctx, f.AccountID, f.ID, f.SKU)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return err
	}
	if before.Version != f.Version {
		return c.rejectOutdated(ctx, accountPartition(f.AccountID))
	}
	after := *before
	after.Version++
	event, err := edit(c, settings, &after)
	if err != nil {
		return err
	}
	event.Partition, event.Why = accountPartition(f.AccountID), strings.TrimSpace("subscription "+f.ID+" "+event.Why)
	event.Values = stateValues(before, &after)
	c.Replace(&after, before.Version)
	c.moveTotals(before, &after)
	c.recordEvent(event)
	return c.Commit(ctx)
}

// ChangeSubscription changes the payment day and the amount. The next payment moves to the
// new day in the same month or, if that day has passed, in the following month. The date
// does not change if an attempt to charge the next payment was declined, or if its outcome
// is unknown. ChangeSubscription returns Forbidden, NotFound, Invalid, or Conflict if the
// subscription is cancelled, will be cancelled, or has changed.
func (a Access) ChangeSubscription(ctx context.Context, f SubscriptionForm, day int, amount Amount) error {
	if err := a.require(Subscribe); err != nil {
		return err
	}
	if err := SubscriptionFields.check(&Subscription{PaymentDay: day, PaymentAmount: amount}); err != nil {
		return err
	}
	return a.editSubscription(ctx, f, func(_ *change, settings Settings, s *Subscription) (Event, error) {
		switch {
		case s.Status == SubscriptionCancelled:
			return Event{}, fail(Conflict, "A cancelled subscription can't be changed.")
		case s.Ending:
			return Event{}, fail(Conflict, "This subscription will be cancelled on %s. To change it, choose Keep on the page of the account first.", longDay(s.NextPaymentDate))
		}
		if err := CheckDecimals("amount", amount, s.PaymentAmount, settings.Currency); err != nil {
			return Event{}, err
		}
		before := s.terms()
		if day != s.PaymentDay && s.Attempt == 0 && s.PendingAttempt.Key == "" {
			today := dayIn(a.store.now(), settings.Zone())
			due := s.NextPaymentDate
			s.reschedule(settings, FirstPayment(later(today, dueIn(due.Year(), due.Month(), 1)), day), today)
		}
		s.PaymentDay, s.PaymentAmount = day, amount
		return Event{What: EventSubscriptionChanged, Before: before, After: s.terms()}, nil
	})
}

// PauseSubscription stops the payments of a subscription until it is resumed. It returns
// Forbidden, NotFound, or Conflict if no payment will be charged (see Charged) or the
// subscription has changed.
func (a Access) PauseSubscription(ctx context.Context, f SubscriptionForm) error {
	return a.editSubscription(ctx, f, func(_ *change, _ Settings, s *Subscription) (Event, error) {
		if !s.Charged() {
			return Event{}, fail(Conflict, "This subscription is paused or cancelled, or will be cancelled at the end of its period, so it can't be paused.")
		}
		before := string(s.Status)
		s.Status = SubscriptionPaused
		return Event{What: EventSubscriptionPaused, Before: before, After: string(s.Status)}, nil
	})
}

// ResumeSubscription resumes payments from the next due day on. Payments that were
// due during the pause are not charged. A reminder that was due during the pause
// becomes due today. It returns Forbidden, NotFound, or Conflict if the subscription
// is not paused, has a pending attempt or has changed.
func (a Access) ResumeSubscription(ctx context.Context, f SubscriptionForm) error {
	return a.editSubscription(ctx, f, func(_ *change, settings Settings, s *Subscription) (Event, error) {
		if s.Status != SubscriptionPaused {
			return Event{}, fail(Conflict, "Only a paused subscription can be resumed.")
		}
		if s.PendingAttempt.Key != "" {
			return Event{}, fail(Conflict, "The outcome of a payment attempt is not known yet. Resume the subscription after the next payment run.")
		}
		today := dayIn(a.store.now(), settings.Zone())
		s.Status = SubscriptionActive
		if due := s.NextPaymentDate; s.Attempt > 0 || due.Before(today) {
			s.reschedule(settings, FirstPayment(later(today, due.AddDate(0, 0, 1)), s.PaymentDay), today)
		}
		s.NextReminderDate = later(s.NextReminderDate, today)
		return Event{What: EventSubscriptionResumed, Before: string(SubscriptionPaused), After: s.terms()}, nil
	})
}

// CancelSubscription ends a subscription permanently. It returns Conflict if the
// subscription is already cancelled or has changed, and Invalid if checkOptionalReason
// rejects the reason. It can also return Forbidden or NotFound.
func (a Access) CancelSubscription(ctx context.Context, f SubscriptionForm, why string) error {
	if err := a.require(Subscribe); err != nil {
		return err
	}
	why, err := checkOptionalReason(why)
	if err != nil {
		return err
	}
	return a.editSubscription(ctx, f, func(_ *change, settings Settings, s *Subscription) (Event, error) {
		if s.Status == SubscriptionCancelled {
			return Event{}, fail(Conflict, "This subscription is already cancelled.")
		}
		before := string(s.Status)
		s.cancel(dayIn(a.store.now(), settings.Zone()))
		return Event{What: EventSubscriptionCancelled, Why: why, Before: before, After: string(s.Status)}, nil
	})
}

func (s *Subscription) cancel(today time.Time) {
	s.Status, s.Ending, s.Cancelled = SubscriptionCancelled, false, today
}

// EndSubscription cancels a subscription at the end of its paid period. On the day of the
// next payment, the payments job cancels it instead of charging it. EndSubscription
// returns Conflict if the outcome of an attempt is unknown, or if the subscription is not
// active, already ends or has changed. It returns Invalid if checkOptionalReason rejects
// the reason. It can also return Forbidden or NotFound.
func (a Access) EndSubscription(ctx context.Context, f SubscriptionForm, why string) error {
	if err := a.require(Subscribe); err != nil {
		return err
	}
	why, err := checkOptionalReason(why)
	if err != nil {
		return err
	}
	return a.editSubscription(ctx, f, func(_ *change, _ Settings, s *Subscription) (Event, error) {
		if !s.CanEnd() {
			return Event{}, fail(Conflict, "Only an active subscription without a declined or unconfirmed payment can be cancelled at the end of its period.")
		}
		s.Ending = true
		return Event{What: EventSubscriptionEnding, Why: why, After: "ends on " + longDay(s.NextPaymentDate)}, nil
	})
}

// CanEnd reports whether the subscription can be cancelled at the end of its period.
func (s *Subscription) CanEnd() bool {
	return s.Status == SubscriptionActive && !s.Ending && s.PendingAttempt.Key == ""
}

// KeepSubscription undoes EndSubscription. It returns Forbidden, NotFound, or Conflict if
// the subscription does not end or has changed.
func (a Access) KeepSubscription(ctx context.Context, f SubscriptionForm) error {
	return a.editSubscription(ctx, f, func(_ *change, settings Settings, s *Subscription) (Event, error) {
		if !s.Ending {
			return Event{}, fail(Conflict, "This subscription will not be cancelled at the end of its period, so there is nothing to undo.")
		}
		s.Ending = false
		s.NextReminderDate = later(s.NextReminderDate, dayIn(a.store.now(), settings.Zone()))
		return Event{What: EventSubscriptionKept, Before: "ends on " + longDay(s.NextPaymentDate), After: s.terms()}, nil
	})
}

// SkipPayment skips the next payment. The customer pays again a month later. If the
// payment was declined, it is not retried. SkipPayment returns Conflict if no payment
// will be charged, if the outcome of an attempt is unknown, or if the subscription has
// changed. It returns Invalid if checkOptionalReason rejects the reason. It can also
// return Forbidden or NotFound.
func (a Access) SkipPayment(ctx context.Context, f SubscriptionForm, why string) error {
	if err := a.require(Subscribe); err != nil {
		return err
	}
	why, err := checkOptionalReason(why)
	if err != nil {
		return err
	}
	return a.editSubscription(ctx, f, func(_ *change, settings Settings, s *Subscription) (Event, error) {
		if !s.CanSkip() {
			return Event{}, fail(Conflict, "This subscription has no next payment that can be skipped.")
		}
		before := longDay(s.NextPaymentDate)
		s.advanceTo(settings, s.LastPaymentDate, s.NextPaymentDate, dayIn(a.store.now(), settings.Zone()))
		return Event{What: EventPaymentSkipped, Why: why, Before: "next payment " + before, After: "next payment " + longDay(s.NextPaymentDate)}, nil
	})
}

// CanSkip reports whether the next payment of the subscription can be skipped.
func (s *Subscription) CanSkip() bool { return s.Charged() && s.PendingAttempt.Key == "" }

// CanRetry checks whether the user can retry a payment or resend a reminder, and returns
// the subscription. If the form was already submitted, it returns nil and no error. It
// returns Forbidden, NotFound, or Conflict if the form showed another version.
func (a Access) CanRetry(ctx context.Context, f SubscriptionForm) (*Subscription, error) {
	if err := a.require(Subscribe); err != nil {
		return nil, err
	}
	s, err := a.store.subscription(ctx, f.AccountID, f.ID, f.SKU)
	if err != nil {
		return nil, err
	}
	if s.Version != f.Version {
		c, err := a.change(ctx, f.Token)
		if err != nil {
			return nil, err
		}
		return nil, c.rejectOutdated(ctx, accountPartition(f.AccountID))
	}
	return s, nil
}
