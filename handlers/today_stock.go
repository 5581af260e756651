package handlers

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

// warehouseParts returns the parts about the stock of warehouses.
func (r *request) warehouseParts() []todayPart {
	return []todayPart{
		{
			name: "Low stock", cost: 1 + maxTodayWarehouses + r.settings.LevelRequests(lowRows),
			read: showOf(r.lowStock, func(page *views.Today, found *views.LowStock) { page.LowStock = found }),
		},
		{
			name: "Deliveries overdue", cost: 1 + maxTodayWarehouses,
			read: showOf(r.overdueDeliveries, func(page *views.Today, found *views.OverdueDeliveries) { page.Overdue = found }),
		},
		{
			name: "Transfers overdue", cost: 1 + maxTodayWarehouses,
			read: showOf(r.overdueTransfers, func(page *views.Today, found *views.OverdueTransfers) { page.OverdueTransfers = found }),
		},
	}
}

// todayWarehouses returns the first warehouses by name, at most maxTodayWarehouses, and
// whether there are more.
func (r *request) todayWarehouses(ctx context.Context) ([]store.Warehouse, bool, error) {
	found, err := r.shop.Warehouses(ctx, store.NotArchived, store.Page{Limit: maxTodayWarehouses})
	n := min(maxTodayWarehouses, len(found.Rows))
	return slices.Clone(found.Rows[:n]), found.Next != nil || len(found.Rows) > n, err
}

// lowStock returns the low stock of the warehouses of todayWarehouses: the number of rows
// in each warehouse, and the rows with the fewest pieces.
func (r *request) lowStock(ctx context.Context) (*views.LowStock, error) {
	warehouses, more, err := r.todayWarehouses(ctx)
	if err != nil {
		return nil, err
	}
	found := &views.LowStock{Warehouses: make([]views.LowWarehouse, len(warehouses)), Partial: more}
	rows := make([][]store.WarehouseItem, len(warehouses))
	reads, readCtx := errgroup.WithContext(ctx)
	for i, w := range warehouses {
		reads.Go(func() error {
			low, err := r.shop.LowStock(readCtx, []string{w.ID}, upToMax)
			if err != nil {
				return err
			}
			out := countOf(low)
			if at := slices.IndexFunc(low.Rows, func(item store.WarehouseItem) bool { return item.Quantity > 0 }); at >= 0 {
				out = views.Count{N: at} // rows are sorted by quantity, so the rows before at have no pieces left
			}
			found.Warehouses[i], rows[i] = views.LowWarehouse{Warehouse: w, Low: countOf(low), Out: out}, low.Rows
			return nil
		})
	}
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	all := slices.Concat(rows...)
	slices.SortStableFunc(all, func(a, b store.WarehouseItem) int { return cmp.Compare(a.Quantity, b.Quantity) })
	lowest := store.List[store.WarehouseItem]{Rows: all[:min(lowRows, len(all))]}
	stocked, err := r.shop.WithStockLevels(ctx, lowest, store.Page{Partial: true})
	found.Rows = stocked.Rows
	return found, err
}
