package handlers

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

// How much of each list the first page shows.
const (
	todayRows     = 8
	dueRows       = 5
	lowRows       = 5
	lowWarehouses = 8  // whose low stock is looked at, by name
	mostCounted   = 99 // rows of a list of which only the number is shown
	todayDays     = 28 // that the charts look back, today included
)

// today asks everything that waits for this user at once. A manager acts on
// places, support on orders and what is owed; who browses and who runs the
// business sees all of it. What cannot be read just now is left out by name.
func today(r *request) error {
	page := views.Today{}
	jobs := []func(context.Context) error{
		func(ctx context.Context) (err error) {
			page.PaidOrders, err = brief(r.shop.Orders(ctx, store.OrderFilter{Status: store.OrderPaid}, false, store.Page{Limit: todayRows}))
			return err
		},
	}
	if r.user.May(store.WatchPlaces) {
		jobs = append(jobs,
			func(ctx context.Context) (err error) {
				page.LowStock, err = lowStock(ctx, r.shop)
				return err
			},
			func(ctx context.Context) (err error) {
				page.KayaksDue, err = r.kayaksDue(ctx)
				return err
			},
		)
	}
	if r.user.InChargeOfAll() {
		jobs = append(jobs,
			func(ctx context.Context) (err error) {
				page.OpenOrders, err = brief(r.shop.Orders(ctx, store.OrderFilter{Status: store.OrderOpen}, true, store.Page{Limit: todayRows}))
				return err
			},
			func(ctx context.Context) (err error) {
				page.UnpaidInvoices, err = brief(r.shop.Invoices(ctx, store.InvoiceFilter{Status: store.InvoiceUnpaid}, false, store.Page{Limit: todayRows}))
				return err
			},
			func(ctx context.Context) (err error) {
				page.Days, err = r.lastDays(ctx, store.TotalOrders)
				return err
			},
			func(ctx context.Context) (err error) {
				page.Recurring, err = r.recurring(ctx)
				return err
			},
		)
	}
	all, ctx := errgroup.WithContext(r.ctx())
	for _, job := range jobs {
		all.Go(func() error { return job(ctx) })
	}
	if err := all.Wait(); err != nil {
		return err
	}
	page.Page = r.page("Today")
	return r.show(views.TodayPage(page))
}

// brief is a list that leads nowhere but to its own page.
func brief[T any](found store.List[T], err error) (*views.Part[T], error) {
	if err != nil {
		return nil, err
	}
	return &views.Part[T]{Rows: found.Rows, Pager: ui.Pager{Shown: len(found.Rows)}}, nil
}

// recurring counts what is due of what is paid every month, and what went
// wrong with it.
func (r *request) recurring(ctx context.Context) (*views.Recurring, error) {
	day, err := r.shop.Today(ctx)
	if err != nil {
		return nil, err
	}
	found := views.Recurring{Day: day}
	page, days := store.Page{Limit: mostCounted}, []time.Time{day}
	all, ctx := errgroup.WithContext(ctx)
	all.Go(func() (err error) {
		found.Payments, err = countOf(r.shop.Due(ctx, store.PaymentsJob, days, page))
		return err
	})
	all.Go(func() (err error) {
		found.Reminders, err = countOf(r.shop.Due(ctx, store.RemindersJob, days, page))
		return err
	})
	all.Go(func() (err error) {
		found.PastDue, err = countOf(r.shop.Subscriptions(ctx, store.SubscriptionPastDue, page))
		return err
	})
	all.Go(func() error {
		runs, err := r.shop.RunsOfDay(ctx, store.PaymentsJob, day)
		for i := range runs {
			found.Failed += runs[i].Failed + runs[i].Declined
		}
		return err
	})
	return &found, all.Wait()
}

func countOf[T any](found store.List[T], err error) (views.Count, error) {
	return views.Count{N: len(found.Rows), More: found.Next != nil}, err
}

// kayaksDue are those that come back today at the latest, the longest due
// first.
func (r *request) kayaksDue(ctx context.Context) (*views.Part[store.ActiveRental], error) {
	day, err := r.shop.Today(ctx)
	if err != nil {
		return nil, err
	}
	due, err := r.shop.RentalsDue(ctx, day, store.Page{Limit: dueRows})
	due.Rows = due.Rows[:min(dueRows, len(due.Rows))]
	return brief(due, err)
}

// lastDays are the totals of the last weeks, with a row for each day.
func (r *request) lastDays(ctx context.Context, kind store.TotalKind) ([]store.DayTotal, error) {
	now := r.now()
	first := now.AddDate(0, 0, 1-todayDays)
	totals, err := r.shop.Totals(ctx, kind, store.DateRange{From: first, To: now})
	if err != nil {
		return nil, err
	}
	days := make([]store.DayTotal, todayDays)
	for i := range days {
		year, month, day := first.AddDate(0, 0, i).Date()
		days[i].Day = time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
		for _, t := range totals {
			if t.Day.Equal(days[i].Day) {
				days[i] = t
			}
		}
	}
	return days, nil
}

// lowStock is what the first warehouses run out of.
func lowStock(ctx context.Context, shop store.Access) ([]views.LowStock, error) {
	warehouses, err := shop.Warehouses(ctx, store.Page{Limit: lowWarehouses})
	if err != nil {
		return nil, err
	}
	first := warehouses.Rows[:min(lowWarehouses, len(warehouses.Rows))]
	found := make([]views.LowStock, len(first))
	all, ctx := errgroup.WithContext(ctx)
	for i, warehouse := range first {
		all.Go(func() error {
			low, err := shop.LowStock(ctx, warehouse.ID, store.Page{Limit: lowRows})
			found[i] = views.LowStock{Warehouse: warehouse, Rows: low.Rows, More: low.Next != nil}
			return err
		})
	}
	return found, all.Wait()
}
