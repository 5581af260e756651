package store

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"
)

// SubscriptionFigures are the figures of all subscriptions.
type SubscriptionFigures struct {
	Recurring Sum       // monthly recurring revenue: the amounts of active and past due subscriptions
	Live      int       // number of active and past due subscriptions
	Month     time.Time // first day of the current month, at midnight UTC
	Started   int       // subscriptions that were created in this month
	Cancelled int       // subscriptions that were cancelled in this month
}

// SubscriptionFigures reads the figures of all subscriptions, from totals. It makes three
// requests.
func (a Access) SubscriptionFigures(ctx context.Context) (SubscriptionFigures, error) {
	if err := a.require(Browse); err != nil {
		return SubscriptionFigures{}, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return SubscriptionFigures{}, err
	}
	f := SubscriptionFigures{Month: firstOfMonth(dayIn(a.store.now(), settings.Zone()))}
	var recurring, started, cancelled DayTotal
	group, ctx := errgroup.WithContext(ctx)
	for _, figure := range []struct {
		kind TotalKind
		day  time.Time
		to   *DayTotal
	}{
		{TotalRecurring, firstDay, &recurring},
		{TotalStarted, f.Month, &started},
		{TotalCancelled, f.Month, &cancelled},
	} {
		group.Go(func() error {
			totals, err := a.Totals(ctx, figure.kind, DateRange{From: figure.day, To: figure.day})
			if err == nil && len(totals) > 0 {
				*figure.to = totals[0]
			}
			return err
		})
	}
	err = group.Wait()
	f.Recurring, f.Live, f.Started, f.Cancelled = recurring.Amount, recurring.Count, started.Count, cancelled.Count
	return f, err
}
