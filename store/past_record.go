package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// PastCustomer is a customer at an earlier moment.
type PastCustomer struct {
	Past
	Customer Customer
}

// CustomerAt returns a customer at an earlier moment. It returns NotFound, or Invalid for
// a moment in the future or before 1970.
func (a Access) CustomerAt(ctx context.Context, id string, at time.Time) (*PastCustomer, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if err := a.store.checkPast(at); err != nil {
		return nil, err
	}
	c, err := a.Customer(ctx, id)
	if err != nil {
		return nil, err
	}
	past := &PastCustomer{Customer: *c}
	past.Past, err = a.store.before(ctx, partitionOf(getCustomer, "customerID", id), at, func(e *Event) PastGap {
		switch e.What {
		case EventCustomerAdded:
			return PastNotAdded
		case EventPersonErased:
			return PastErased
		case EventCustomerEdited:
			return CustomerFields.revert(&past.Customer, e, "")
		case EventCustomerClosed, EventCustomerReopened:
			gap := closedFields.revert(&past.Customer, e, "")
			if gap == PastComplete && past.Customer.Closed.Equal(unknownClosing) {
				return PastNoValues
			}
			return gap
		}
		return unlessKnown(e)
	})
	past.addedAt(c.Created)
	return past, err
}

// PastKayak is a kayak at an earlier moment.
type PastKayak struct {
	Past
	Kayak Kayak
}

// KayakAt returns a kayak at an earlier moment. It returns NotFound like Kayak, and
// Invalid for a moment in the future or before 1970.
func (a Access) KayakAt(ctx context.Context, id string, at time.Time) (*PastKayak, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if err := a.store.checkPast(at); err != nil {
		return nil, err
	}
	k, err := a.Kayak(ctx, id)
	if err != nil {
		return nil, err
	}
	past := &PastKayak{Kayak: *k}
	past.Past, err = a.store.before(ctx, kayakPartition(id), at, func(e *Event) PastGap { return past.Kayak.reverse(e) })
	return past, err
}

// reverse sets the kayak to its state before an event.
func (k *Kayak) reverse(e *Event) PastGap {
	switch e.What {
	case EventKayakAdded:
		return PastNotAdded
	case EventKayakEdited:
		return KayakFields.revert(k, e, "")
	case EventKayakMoved:
		return kayakPlace.revert(k, e, "")
	case EventKayakRepairStarted, EventKayakRepaired, EventKayakRestored, EventKayakRetired:
		return kayakStatus.revert(k, e, "")
	case EventKayakCheckedIn, EventKayakCheckedOut:
		return k.reverseRental(e)
	}
	return unlessKnown(e)
}

// kayakVisit lists the fields of a kayak that a check-out or a check-in changes.
var kayakVisit = slices.Concat(kayakStatus, Fields[Kayak]{*KayakFields.named("condition")})

// reverseRental sets the kayak to its state before a check-out or check-in. Earlier program
// versions stored no values: in their events, Before is the status before the change, and
// Why may contain a new condition.
func (k *Kayak) reverseRental(e *Event) PastGap {
	status := KayakStatus(e.Before)
	switch {
	case e.Values != "" || e.Redacted != "":
		return kayakVisit.revert(k, e, "")
	case !slices.Contains(KayakStatuses, status) || strings.Contains(e.Why, conditionNote):
		return PastNoValues
	}
	k.Status = status
	return PastComplete
}

// PastAccount contains the subscriptions of a billing account at an earlier moment.
// Fields whose earlier values are unknown are empty, such as the payment method and the
// email address; see clearPresent.
type PastAccount struct {
	Past
	Subscriptions []Subscription
}

// AccountAt returns the subscriptions of a billing account at an earlier moment. It
// returns Invalid for a moment in the future or before 1970.
func (a Access) AccountAt(ctx context.Context, accountID string, at time.Time) (*PastAccount, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if err := a.store.checkPast(at); err != nil {
		return nil, err
	}
	b, err := a.BillingOf(ctx, accountID)
	if err != nil {
		return nil, err
	}
	payments, err := a.store.paymentEvents(ctx, accountID)
	if err != nil {
		return nil, err
	}
	past := &PastAccount{Subscriptions: b.Subscriptions}
	past.Past, err = a.store.beforeWith(ctx, accountPartition(accountID), at, payments, func(e *Event) PastGap {
		switch e.What {
		case EventPersonErased:
			return PastErased
		case EventPaymentTaken, EventPaymentDeclined, EventPaymentPaused, EventPaymentSkipped,
			EventSubscriptionCancelled, EventSubscriptionChanged, EventSubscriptionEnding, EventSubscriptionKept, EventSubscriptionPaused, EventSubscriptionResumed:
			for i := range past.Subscriptions {
				if gap := past.Subscriptions[i].revert(e); gap != PastComplete {
					return gap
				}
			}
			return PastComplete
		}
		return unlessKnown(e)
	})
	if len(past.Subscriptions) > 0 {
		past.addedAt(slices.MinFunc(past.Subscriptions, func(a, b Subscription) int { return a.Created.Compare(b.Created) }).Created)
	}
	past.Subscriptions = slices.DeleteFunc(past.Subscriptions, func(s Subscription) bool { return s.Created.After(at) })
	past.findExpired()
	for i := range past.Subscriptions {
		past.Subscriptions[i].clearPresent()
	}
	return past, err
}

// paymentEvents returns an event for each payment that has a receipt but no stored event,
// newest first; see Receipt.event. It makes a consistent read of the latest MaxPastEvents
// receipts. Some receipts may have expired; see findExpired.
func (s *Store) paymentEvents(ctx context.Context, accountID string) (unstoredEvents, error) {
	rows, next, err := s.table.QueryOnce(ctx, table.Request{
		Pattern: getReceipts, Values: key.Map{"accountID": accountID}, Reverse: true, Limit: MaxPastEvents, Consistent: true,
	})
	receipts, err := decodeAll(rows, err, decodeAs[Receipt])
	if err != nil {
		return unstoredEvents{}, err
	}
	found := unstoredEvents{events: PaymentEvents(receipts)}
	if next != nil {
		found.from = receipts[len(receipts)-1].ProcessedDate
	}
	slices.SortStableFunc(found.events, func(a, b Event) int { return b.When.Compare(a.When) })
	return found, nil
}

// revert sets the subscription to its state before an event of the account. It sets
// LastPaymentDate to the date of the previous payment, or to zero if an event records that
// payment; see findExpired. An event that comes from a receipt must contain the present
// NextPaymentDate. Otherwise, revert returns a gap, because the receipt of a later payment
// may have expired.
func (s *Subscription) revert(e *Event) PastGap {
	values := e.values()
	if next, ok := value(values, s.part(), "payment"); ok && e.ID == "" {
		switch present := calendarDay(s.NextPaymentDate); {
		case present == next.After || present == next.Before:
		case s.LastPaymentDate.After(e.When):
			return PastExpired
		default:
			return PastNoValues
		}
	}
	gap := chargeState.revert(s, e, s.part())
	if _, paid := value(values, s.part(), "paid"); e.What == EventPaymentTaken && !paid && slices.Contains(parts(values), s.part()) {
		s.LastPaymentDate = time.Time{} // earlier program versions recorded an event for every payment
	}
	return gap
}

// findExpired sets PastExpired if a payment was made after the moment, but neither an event
// nor a receipt says what the payment changed.
func (p *PastAccount) findExpired() {
	for i := range p.Subscriptions {
		if last := p.Subscriptions[i].LastPaymentDate; p.HasState() && last.After(p.At) || p.Gap == PastExpired && last.After(p.Since) {
			p.Gap, p.Since = PastExpired, last
		}
	}
}

// clearPresent clears the fields whose earlier values are unknown, because events do not
// contain them.
func (s *Subscription) clearPresent() {
	s.PaymentDetails, s.PendingAttempt = PaymentDetails{}, PaymentAttempt{}
	s.LastPaymentDate, s.LastReminderDate, s.NextReminderDate, s.Email = time.Time{}, time.Time{}, time.Time{}, ""
	s.Cancelled = time.Time{}
}

// PastUser is a user at an earlier moment. Only the role, the warehouses, the stores and
// whether the user was locked are from that moment.
type PastUser struct {
	Past
	User User
}

// userState lists the fields of a user whose values events contain.
var userState = Fields[User]{
	textField("role", "Role", func(u *User) *string { return (*string)(&u.Role) }),
	linesField("warehouses", "Warehouses", maxScope, func(u *User) *[]string { return &u.Warehouses }),
	linesField("stores", "Stores", maxScope, func(u *User) *[]string { return &u.Stores }),
	flagField("locked", "Locked", func(u *User) *bool { return &u.Disabled }),
}

// UserAt returns a user at an earlier moment. It returns NotFound, or Invalid for a moment
// in the future or before 1970.
func (a Access) UserAt(ctx context.Context, name string, at time.Time) (*PastUser, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	if err := a.store.checkPast(at); err != nil {
		return nil, err
	}
	u, err := a.User(ctx, name)
	if err != nil {
		return nil, err
	}
	past := &PastUser{User: *u}
	past.Past, err = a.store.before(ctx, u.Partition(), at, func(e *Event) PastGap {
		switch e.What {
		case EventUserAdded, EventUserFromProvider:
			return PastNotAdded
		case EventUserLocked, EventUserUnlocked:
			past.User.Disabled = e.What == EventUserUnlocked
			return PastComplete
		case EventUserRoleChanged, EventUserRoleFromProvider:
			return userState.revert(&past.User, e, "")
		}
		return unlessKnown(e)
	})
	past.User.Hash, past.User.MustChange, past.User.SecondFactor, past.User.OneTimeUntil = "", false, false, time.Time{}
	return past, err
}
