package store

import (
	"context"
	"slices"
	"strings"
	"time"
)

// subscriptionState lists the values of a subscription that an undo restores. It omits
// the payment method and the email address, which an undo does not restore.
var subscriptionState = slices.Concat(Fields[Subscription]{
	choiceField("status", "Status", []FieldOption{
		{string(SubscriptionActive), "Active"},
		{string(SubscriptionPastDue), "Past due"},
		{string(SubscriptionPaused), "Paused"},
		{string(SubscriptionCancelled), "Cancelled"},
	}, func(s *Subscription) *SubscriptionStatus { return &s.Status }),
	flagField("ending", "Cancel at end of period", func(s *Subscription) *bool { return &s.Ending }),
	dayField("payment", "Next payment", func(s *Subscription) *time.Time { return &s.NextPaymentDate }),
	dayField("attempt", "Next payment attempt", func(s *Subscription) *time.Time { return &s.NextAttemptDate }),
	countField("declined", "Declined attempts", 0, maxQuantity, func(s *Subscription) *int { return &s.Attempt }),
	dayField("reminder", "Next reminder", func(s *Subscription) *time.Time { return &s.NextReminderDate }),
}, SubscriptionFields)

// chargeState contains subscriptionState and the time of the last payment, which
// only a payment changes.
var chargeState = slices.Concat(subscriptionState, Fields[Subscription]{
	instantField("paid", "Last payment", func(s *Subscription) *time.Time { return &s.LastPaymentDate }),
})

func (s *Subscription) version() *int { return &s.Version }

// part identifies the subscription in the values of an event; see EventValue.Part.
func (s *Subscription) part() string { return s.ID + "#" + s.SKU }

// stateValues returns the values of an event that records a change of a subscription.
func stateValues(before, after *Subscription) string {
	return eventValues(subscriptionState.values(before, after, after.part())...)
}

// subscriptionOf makes a consistent read of the subscription of an event.
func subscriptionOf(ctx context.Context, a Access, e *Event) (*Subscription, error) {
	if err := a.require(Subscribe); err != nil {
		return nil, err
	}
	id, sku, _ := strings.Cut(e.onlyPart(), "#")
	return a.store.subscription(ctx, e.recordID(), id, sku)
}

// restoreSubscription sets the state of a subscription to an earlier one, under the rules
// of the forms. It returns Invalid if a cancellation would be undone, but the customer is
// closed. It returns Conflict if the outcome of a payment attempt is unknown, if a form would
// reject the state, or if the customer is closed at the same time. It also returns Conflict if
// a payment of the earlier state has become due since, because nobody has charged it.
func (a Access) restoreSubscription(ctx context.Context, to Subscription, token string) error {
	f := SubscriptionForm{AccountID: to.AccountID, ID: to.ID, SKU: to.SKU, Version: to.Version, Token: token}
	return a.editSubscription(ctx, f, func(c *change, settings Settings, s *Subscription) (Event, error) {
		today := dayIn(a.store.now(), settings.Zone())
		if to.Status == SubscriptionActive && to.Attempt > 0 {
			to.Status = SubscriptionPastDue // an attempt was declined after the change
		}
		switch {
		case s.PendingAttempt.Key != "":
			return Event{}, fail(Conflict, "The outcome of a payment attempt is not known yet. Undo the change after the next payment run.")
		case to.Live() && to.NextAttemptDate.Before(today):
			return Event{}, fail(Conflict, "The payment of %s was due in the meantime. Change the subscription instead, or create a new one if it is cancelled.", longDay(to.NextAttemptDate))
		case to.Status == SubscriptionCancelled && s.Status == SubscriptionCancelled:
			return Event{}, fail(Conflict, "The subscription is cancelled. Only its cancellation can be undone.")
		case s.Status == SubscriptionCancelled:
			customer, err := a.openCustomer(ctx, s.AccountID)
			if err != nil {
				return Event{}, err
			}
			c.requireStillOpen(customer)
		case to.Ending && (s.Ending || to.Status != SubscriptionActive):
			return Event{}, fail(Conflict, "The subscription will be cancelled, or is not active. Keep or resume it first.")
		}
		before := *s
		subscriptionState.copy(s, &to)
		if s.Cancelled = (time.Time{}); s.Status == SubscriptionCancelled {
			s.Cancelled = today
		}
		if s.Live() {
			s.NextReminderDate = later(s.NextReminderDate, today)
		}
		return Event{What: subscriptionEvent(&before, s), Before: before.state(), After: s.state()}, nil
	})
}

// state describes the status and the terms of a subscription, for events.
func (s *Subscription) state() string {
	status := strings.ToLower(strings.ReplaceAll(string(s.Status), "_", " "))
	if s.Ending {
		status += ", will be cancelled"
	}
	return status + ", " + s.terms()
}

// subscriptionEvent returns the code of the event for the change of a subscription.
func subscriptionEvent(before, after *Subscription) EventCode {
	switch {
	case after.Status == before.Status && after.Ending && !before.Ending:
		return EventSubscriptionEnding
	case after.Status == before.Status && before.Ending && !after.Ending:
		return EventSubscriptionKept
	case after.Status == before.Status:
		return EventSubscriptionChanged
	case after.Status == SubscriptionCancelled:
		return EventSubscriptionCancelled
	case after.Status == SubscriptionPaused:
		return EventSubscriptionPaused
	}
	return EventSubscriptionResumed
}
