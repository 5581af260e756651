package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// accountPartition is where an account's subscriptions, receipts and events
// lie.
func accountPartition(id string) string { return partitionOf(getSubscriptions, "accountID", id) }

// Subscriptions lists the subscriptions in a state, by the day of their next
// payment.
func (a Access) Subscriptions(ctx context.Context, status SubscriptionStatus, page Page) (List[Subscription], error) {
	q := table.Query{Pattern: getSubscriptionsInState, Values: key.Map{"status": string(status)}}
	return listReadable(ctx, a, q, page, decodeAs[Subscription])
}

// SubscriptionsOfAccount lists an account's subscriptions.
func (a Access) SubscriptionsOfAccount(ctx context.Context, accountID string, page Page) (List[Subscription], error) {
	return listReadable(ctx, a, table.Query{Pattern: getSubscriptions, Values: key.Map{"accountID": accountID}}, page, decodeAs[Subscription])
}

// ReceiptsOfAccount lists an account's receipts, the one that was due last
// first. Those whose time is over are left out: the broom may be late.
func (a Access) ReceiptsOfAccount(ctx context.Context, accountID string, page Page) (List[Receipt], error) {
	q := table.Query{Pattern: getReceipts, Values: key.Map{"accountID": accountID}, Reverse: true}
	found, err := listReadable(ctx, a, q, page, decodeAs[Receipt])
	found.Rows = slices.DeleteFunc(found.Rows, func(r Receipt) bool { return r.over(a.store.now()) })
	return found, err
}

// EventsOfAccount lists what was changed of an account's subscriptions, newest
// first.
func (a Access) EventsOfAccount(ctx context.Context, accountID string, page Page) (List[Event], error) {
	q := table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": accountPartition(accountID)}}
	return listReadable(ctx, a, q, page, decodeAs[Event])
}

// Subscription finds one of an account's subscriptions.
func (a Access) Subscription(ctx context.Context, accountID, id, sku string) (*Subscription, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return a.store.subscription(ctx, accountID, id, sku)
}

// subscription is read consistently: it leads to a write.
func (s *Store) subscription(ctx context.Context, accountID, id, sku string) (*Subscription, error) {
	return readConsistently[*Subscription](ctx, s, getSubscription, key.Map{"accountID": accountID, "subscriptionID": id, "sku": sku})
}

// Due lists the subscriptions whose payment or reminder is due on some days,
// day by day.
func (a Access) Due(ctx context.Context, job JobName, days []time.Time, page Page) (List[Subscription], error) {
	q := table.Query{Pattern: dueOn(job), Segment: "date"}
	for _, day := range days {
		q.Segments = append(q.Segments, calendarDay(day))
	}
	return listReadable(ctx, a, q, page, decodeAs[Subscription])
}

// dueOn is the pattern that finds what a job has to do.
func dueOn(job JobName) *Pattern {
	if job == RemindersJob {
		return getDueReminders
	}
	return getDuePayments
}

// DueOn is the calendar day on which a job comes to the subscription next.
func (s *Subscription) DueOn(job JobName) time.Time {
	if job == RemindersJob {
		return s.NextReminderDate
	}
	return s.NextAttemptDate
}

// Announced is the payment that the subscription's next reminder is about.
func (s *Subscription) Announced() time.Time {
	due := FirstPayment(s.NextReminderDate, s.PaymentDay)
	if due.Before(s.NextPaymentDate) {
		return s.NextPaymentDate
	}
	return due
}

// expect moves what is due in the totals from what a subscription was to what
// it is; nil where there is none.
func (c *change) expect(was, is *Subscription) {
	if is != nil {
		c.addDue(is, 1)
	}
	if was != nil {
		c.addDue(was, -1)
	}
}

func (c *change) addDue(s *Subscription, sign int) {
	if t, counts := s.dueTally(c.totals.zone); counts {
		if sign < 0 {
			t.Count, t.Amount = -t.Count, Amount{}.Minus(t.Amount)
		}
		c.addTotal(t)
	}
}

// dueTally is what a subscription counts for in the totals of what is due.
func (s *Subscription) dueTally(zone *time.Location) (t Tally, counts bool) {
	if !s.Live() || s.NextPaymentDate.IsZero() {
		return Tally{}, false
	}
	year, month, day := s.NextPaymentDate.Date()
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone)
	return Tally{Kind: TotalDue, At: noon, ID: s.ID, Count: 1, Amount: s.PaymentAmount}, true
}

// Expected is what subscriptions bring in by day until they end: the payments
// that are due next, and those of the months after.
func (a Access) Expected(ctx context.Context, days DateRange) ([]DayTotal, error) {
	next, err := a.Totals(ctx, TotalDue, days)
	all := slices.Clone(next)
	for _, t := range next {
		for due := NextPayment(t.Day, t.Day.Day()); !due.After(days.To); due = NextPayment(due, t.Day.Day()) {
			t.Day = due
			all = append(all, t)
		}
	}
	return all, err
}

// DueTallies are what the subscriptions among some entities owe, for the totals
// that are loaded beside them.
func DueTallies(settings Settings, entities []Entity) []Tally {
	var tallies []Tally
	for _, entity := range entities {
		if s, ok := entity.(*Subscription); ok {
			if t, counts := s.dueTally(settings.Zone()); counts {
				tallies = append(tallies, t)
			}
		}
	}
	return tallies
}
