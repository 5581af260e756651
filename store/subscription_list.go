package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// accountPartition returns the partition of an account's subscriptions, receipts
// and events.
func accountPartition(id string) string { return partitionOf(getSubscriptions, "accountID", id) }

// Subscriptions lists the subscriptions with a status, by the day of their next
// payment.
func (a Access) Subscriptions(ctx context.Context, status SubscriptionStatus, page Page) (List[Subscription], error) {
	q := table.Query{Pattern: getSubscriptionsInState, Values: key.Map{"status": string(status)}}
	return listReadable(ctx, a, q, page, decodeAs[Subscription])
}

// SubscriptionsOfAccount lists an account's subscriptions.
func (a Access) SubscriptionsOfAccount(ctx context.Context, accountID string, page Page) (List[Subscription], error) {
	return listReadable(ctx, a, table.Query{Pattern: getSubscriptions, Values: key.Map{"accountID": accountID}}, page, decodeAs[Subscription])
}

// ReceiptsOfAccount lists an account's receipts, latest due day first. It omits
// expired receipts that DynamoDB has not yet deleted.
func (a Access) ReceiptsOfAccount(ctx context.Context, accountID string, page Page) (List[Receipt], error) {
	q := table.Query{Pattern: getReceipts, Values: key.Map{"accountID": accountID}, Reverse: true}
	found, err := listReadable(ctx, a, q, page, decodeAs[Receipt])
	found.Rows = slices.DeleteFunc(found.Rows, func(r Receipt) bool { return r.expired(a.store.now()) })
	return found, err
}

// EventsOfAccount lists the history of an account's subscriptions, newest first.
func (a Access) EventsOfAccount(ctx context.Context, accountID string, page Page) (List[Event], error) {
	q := table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": accountPartition(accountID)}}
	return listReadable(ctx, a, q, page, decodeAs[Event])
}

// Behind lists the active subscriptions whose payment was due before today and is
// still open, oldest first. It omits subscriptions with declined payments, which are
// past due.
func (a Access) Behind(ctx context.Context, page Page) (List[Subscription], error) {
	today, err := a.store.Today(ctx)
	if err != nil {
		return List[Subscription]{}, err
	}
	q := table.Query{Pattern: getSubscriptionsBehind, Values: key.Map{"status": string(SubscriptionActive), "from": "0", "to": calendarDay(today.AddDate(0, 0, -1))}}
	return listReadable(ctx, a, q, page, decodeAs[Subscription])
}

// Subscription returns one of an account's subscriptions, or NotFound.
func (a Access) Subscription(ctx context.Context, accountID, id, sku string) (*Subscription, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	return a.store.subscription(ctx, accountID, id, sku)
}

// subscription makes a consistent read of a subscription.
func (s *Store) subscription(ctx context.Context, accountID, id, sku string) (*Subscription, error) {
	return readConsistently[*Subscription](ctx, s, getSubscription, key.Map{"accountID": accountID, "subscriptionID": id, "sku": sku})
}

// Due lists the subscriptions for which a job is due on one of the days, sorted by
// day.
func (a Access) Due(ctx context.Context, job JobName, days []time.Time, page Page) (List[Subscription], error) {
	q := table.Query{Pattern: dueOn(job), Segment: "date"}
	for _, day := range days {
		q.Segments = append(q.Segments, calendarDay(day))
	}
	return listReadable(ctx, a, q, page, decodeAs[Subscription])
}

// dueOn returns the pattern that finds the subscriptions for which a job is due on a
// day.
func dueOn(job JobName) *Pattern {
	if job == RemindersJob {
		return getDueReminders
	}
	return getDuePayments
}

// moveTotals updates the totals of subscriptions after a change of a subscription.
// before is nil if the subscription is new. Totals that stay the same are not
// written.
func (c *change) moveTotals(before, after *Subscription) {
	added := after.tallies(c.totals.zone)
	if before != nil {
		for _, t := range before.tallies(c.totals.zone) {
			if i := slices.IndexFunc(added, t.equals); i >= 0 {
				added = slices.Delete(added, i, i+1)
				continue
			}
			t.Count, t.Amount = -t.Count, Amount{}.Minus(t.Amount)
			c.addTotal(t)
		}
	}
	for _, t := range added {
		c.addTotal(t)
	}
}

func (t Tally) equals(o Tally) bool {
	return t.Kind == o.Kind && t.ID == o.ID && t.Count == o.Count && t.At.Equal(o.At) && t.Amount.Compare(o.Amount) == 0
}

// tallies returns what the subscription adds to the totals of due payments and to the
// figures of subscriptions.
func (s *Subscription) tallies(zone *time.Location) []Tally {
	var all []Tally
	add := func(kind TotalKind, day time.Time, amount Amount) {
		year, month, date := day.Date()
		noon := time.Date(year, month, date, 12, 0, 0, 0, zone)
		all = append(all, Tally{Kind: kind, At: noon, ID: s.ID, Count: 1, Amount: amount})
	}
	if s.Charged() && !s.NextPaymentDate.IsZero() {
		add(TotalDue, s.NextPaymentDate, s.PaymentAmount)
		if after, moved := dueAfter(s.NextPaymentDate, s.PaymentDay); moved {
			add(TotalDueAfter, after, s.PaymentAmount)
		}
	}
	if s.Live() {
		add(TotalRecurring, firstDay, s.PaymentAmount)
	}
	if !s.Created.IsZero() {
		add(TotalStarted, firstOfMonth(dayIn(s.Created, zone)), Amount{})
	}
	if s.Status == SubscriptionCancelled && !s.Cancelled.IsZero() {
		add(TotalCancelled, firstOfMonth(s.Cancelled), Amount{})
	}
	return all
}

func firstOfMonth(day time.Time) time.Time { return day.AddDate(0, 0, 1-day.Day()) }

// Expected returns the expected subscription payments by day: the next payment of
// each subscription, and the payments in the following months.
func (a Access) Expected(ctx context.Context, days DateRange) ([]DayTotal, error) {
	next, err := a.Totals(ctx, TotalDue, days)
	if err != nil {
		return nil, err
	}
	endOfMonth := firstOfMonth(days.To).AddDate(0, 1, -1)
	after, err := a.Totals(ctx, TotalDueAfter, DateRange{From: days.From, To: endOfMonth})
	if err != nil {
		return nil, err
	}
	all := slices.Clone(next)
	for _, t := range next {
		for _, second := range after {
			if due, moved := dueAfter(t.Day, second.Day.Day()); moved && due.Equal(second.Day) {
				all = append(all, second.monthly(second.Day, days.To)...)
				t.Count, t.Amount = t.Count-second.Count, t.Amount.Minus(second.Amount)
			}
		}
		all = append(all, t.monthly(NextPayment(t.Day, t.Day.Day()), days.To)...)
	}
	return all, nil
}

// monthly repeats a total every month from the day first to the day last. It keeps the day
// of the month of t.
func (t DayTotal) monthly(first, last time.Time) (all []DayTotal) {
	for due := first; !due.After(last); due = NextPayment(due, t.Day.Day()) {
		all = append(all, DayTotal{Day: due, Count: t.Count, Amount: t.Amount})
	}
	return all
}

// SubscriptionTallies returns the tallies of the subscriptions, receipts and rental
// payments among the entities. Pass these tallies to NewTotals, and load the totals that it
// returns together with the entities.
func SubscriptionTallies(settings Settings, entities []Entity) []Tally {
	var tallies []Tally
	for _, entity := range entities {
		switch e := entity.(type) {
		case *Subscription:
			tallies = append(tallies, e.tallies(settings.Zone())...)
		case *Receipt:
			tallies = append(tallies, e.tally())
		case *RentalPayment:
			if t, counts := e.tally(settings.Zone()); counts {
				tallies = append(tallies, t)
			}
		}
	}
	return tallies
}
