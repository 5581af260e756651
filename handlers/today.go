package handlers

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

// How much of each list the Today page shows.
const (
	todayRows     = 8
	dueRows       = 5
	lowRows       = 5
	lowWarehouses = 8  // the first by name
	maxCount      = 99 // counting reads every row, so larger lists show 99+
	chartDays     = 28 // including today
)

// today renders what needs this user's attention, read all at once. Managers see
// stock and rentals, support sees orders and invoices, viewers and admins see
// everything.
func today(r *request) error {
	page := views.Today{}
	jobs := []func(context.Context) error{
		func(ctx context.Context) (err error) {
			page.PaidOrders, err = firstAndCount[store.Order](todayRows)(r.shop.Orders(ctx, store.OrderFilter{Status: store.OrderPaid}, false, store.Page{Limit: maxCount}))
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
				page.OpenOrders, err = firstAndCount[store.Order](todayRows)(r.shop.Orders(ctx, store.OrderFilter{Status: store.OrderOpen}, true, store.Page{Limit: maxCount}))
				return err
			},
			func(ctx context.Context) (err error) {
				page.UnpaidInvoices, err = firstAndCount[store.Invoice](todayRows)(r.shop.Invoices(ctx, store.InvoiceFilter{Status: store.InvoiceUnpaid}, false, store.Page{Limit: maxCount}))
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

// firstAndCount returns the first rows of a list and its count, up to maxCount.
func firstAndCount[T any](rows int) func(store.List[T], error) (*views.Waiting[T], error) {
	return func(found store.List[T], err error) (*views.Waiting[T], error) {
		if err != nil {
			return nil, err
		}
		count := views.Count{N: min(maxCount, len(found.Rows)), More: found.Next != nil || len(found.Rows) > maxCount}
		return &views.Waiting[T]{Rows: found.Rows[:min(rows, len(found.Rows))], Count: count}, nil
	}
}

// recurring counts the subscription payments and reminders due today, and the
// failures.
func (r *request) recurring(ctx context.Context) (*views.Recurring, error) {
	day, err := r.shop.Today(ctx)
	if err != nil {
		return nil, err
	}
	found := views.Recurring{Day: day}
	page, days := store.Page{Limit: maxCount}, []time.Time{day}
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

// kayaksDue returns the kayaks due back today or earlier, longest overdue first.
func (r *request) kayaksDue(ctx context.Context) (*views.Waiting[store.ActiveRental], error) {
	day, err := r.shop.Today(ctx)
	if err != nil {
		return nil, err
	}
	return firstAndCount[store.ActiveRental](dueRows)(r.shop.RentalsDue(ctx, day, store.Page{Limit: maxCount}))
}

// lastDays returns the totals of the last weeks, with a row for each day.
func (r *request) lastDays(ctx context.Context, kind store.TotalKind) ([]store.DayTotal, error) {
	now := r.now()
	first := now.AddDate(0, 0, 1-chartDays)
	totals, err := r.shop.Totals(ctx, kind, store.DateRange{From: first, To: now})
	if err != nil {
		return nil, err
	}
	days := make([]store.DayTotal, chartDays)
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

// lowStock returns the low stock of the first warehouses.
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
			low, err := shop.LowStock(ctx, []string{warehouse.ID}, store.Page{Limit: maxCount})
			rows, err := firstAndCount[store.WarehouseItem](lowRows)(low, err)
			if err == nil {
				found[i] = views.LowStock{Warehouse: warehouse, Waiting: *rows}
			}
			return err
		})
	}
	return found, all.Wait()
}
