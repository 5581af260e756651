package handlers

import (
	"context"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

// How much of each list the first page shows.
const (
	todayRows     = 8
	lowRows       = 5
	lowWarehouses = 8 // whose low stock is looked at, by name
)

// today asks everything that waits for somebody at once.
func today(r *request) error {
	var open, paid store.List[store.Order]
	var unpaid store.List[store.Invoice]
	var low []views.LowStock
	page := store.Page{Limit: todayRows}
	all, ctx := errgroup.WithContext(r.ctx())
	all.Go(func() (err error) {
		open, err = r.shop.Orders(ctx, store.OrderFilter{Status: store.OrderOpen}, true, page)
		return err
	})
	all.Go(func() (err error) {
		paid, err = r.shop.Orders(ctx, store.OrderFilter{Status: store.OrderPaid}, false, page)
		return err
	})
	all.Go(func() (err error) {
		unpaid, err = r.shop.Invoices(ctx, store.InvoiceFilter{Status: store.InvoiceUnpaid}, false, page)
		return err
	})
	all.Go(func() (err error) {
		low, err = lowStock(ctx, r.shop)
		return err
	})
	if err := all.Wait(); err != nil {
		return err
	}
	return r.show(views.TodayPage(views.Today{
		Page: r.page("Today"), OpenOrders: brief(open), PaidOrders: brief(paid), UnpaidInvoices: brief(unpaid), LowStock: low,
	}))
}

// brief is a list that leads nowhere but to its own page.
func brief[T any](found store.List[T]) views.Part[T] {
	return views.Part[T]{Rows: found.Rows, Pager: ui.Pager{Shown: len(found.Rows)}}
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
