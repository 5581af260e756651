package handlers

import (
	"context"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

// Limits of the lists on the page Today.
const (
	todayRows     = 8
	dueRows       = 5
	lowRows       = 5
	lowWarehouses = 8  // maximum number of warehouses
	maxCount      = 99 // counting reads every row, so a longer list shows 99+
	chartDays     = 28 // including today
)

// today renders the page Today and reads its parts in parallel; see todayParts. If a
// part cannot be read, the page says so and shows the others.
func today(r *request) error {
	day, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	page := views.Today{Recurring: views.Recurring{Day: day}}
	if err := r.showParts(&page, r.todayParts(day)); err != nil {
		return err
	}
	r.related = page.Related
	page.Page = r.page("Today")
	return r.show(views.TodayPage(page))
}

// firstAndCount returns a function that keeps the first rows of a list, and counts
// all rows up to maxCount.
func firstAndCount[T any](rows int) func(store.List[T], error) (*views.Waiting[T], error) {
	return func(found store.List[T], err error) (*views.Waiting[T], error) {
		if err != nil {
			return nil, err
		}
		count := views.Count{N: min(maxCount, len(found.Rows)), More: found.Next != nil || len(found.Rows) > maxCount}
		return &views.Waiting[T]{Rows: found.Rows[:min(rows, len(found.Rows))], Count: count}, nil
	}
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

// lowStock returns the low stock of up to lowWarehouses warehouses, the first by
// name.
func lowStock(ctx context.Context, shop store.Access) ([]views.LowStock, error) {
	warehouses, err := shop.Warehouses(ctx, store.NotArchived, store.Page{Limit: lowWarehouses})
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
