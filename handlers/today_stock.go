package handlers

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

// warehouseParts returns the parts about the stock of warehouses. Their costs do not include
// the request for the list of warehouses, which they share; see sharedRequests.
func (r *request) warehouseParts() []todayPart {
	warehouses := &todayWarehouses{request: r}
	return []todayPart{
		{
			name: "Low stock", cost: maxTodayWarehouses + r.settings.LevelRequests(lowRows),
			read: showOf(warehouses.lowStock, func(page *views.Today, found *views.LowStock) { page.LowStock = found }),
		},
		{
			name: "Deliveries overdue", cost: maxTodayWarehouses,
			read: showOf(warehouses.overdueDeliveries, func(page *views.Today, found *views.OverdueRows[store.ExpectedDelivery]) { page.Overdue = found }),
		},
		{
			name: "Transfers overdue", cost: maxTodayWarehouses,
			read: showOf(warehouses.overdueTransfers, func(page *views.Today, found *views.OverdueRows[store.Transfer]) { page.OverdueTransfers = found }),
		},
	}
}

// todayWarehouses reads the parts about warehouses. All parts read the list of warehouses
// together, once.
type todayWarehouses struct {
	request *request

	list sync.Once
	rows []store.Warehouse
	more bool
	err  error
}

// first returns the first warehouses by name, at most maxTodayWarehouses, and whether there
// are more.
func (t *todayWarehouses) first(ctx context.Context) ([]store.Warehouse, bool, error) {
	t.list.Do(func() {
		var found store.List[store.Warehouse]
		found, t.err = t.request.shop.Warehouses(ctx, store.NotArchived, store.Page{Limit: maxTodayWarehouses})
		n := min(maxTodayWarehouses, len(found.Rows))
		t.rows, t.more = found.Rows[:n], found.Next != nil || len(found.Rows) > n
	})
	return slices.Clone(t.rows), t.more, t.err
}

// lowStock returns the low stock of the first warehouses: the number of rows in each
// warehouse, and the rows with the fewest pieces.
func (t *todayWarehouses) lowStock(ctx context.Context) (*views.LowStock, error) {
	warehouses, more, err := t.first(ctx)
	if err != nil {
		return nil, err
	}
	found := &views.LowStock{Warehouses: make([]views.LowWarehouse, len(warehouses)), Partial: more}
	rows := make([][]store.WarehouseItem, len(warehouses))
	reads, readCtx := errgroup.WithContext(ctx)
	for i, w := range warehouses {
		reads.Go(func() error {
			low, err := t.request.shop.LowStock(readCtx, []string{w.ID}, upToMax)
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
	stocked, err := t.request.shop.WithStockLevels(ctx, lowest, store.Page{Partial: true})
	found.Rows = stocked.Rows
	return found, err
}

func (t *todayWarehouses) overdueDeliveries(ctx context.Context) (*views.OverdueRows[store.ExpectedDelivery], error) {
	return overdueAt(ctx, t, func(warehouses []string, today time.Time) (store.List[store.ExpectedDelivery], error) {
		return t.request.shop.ExpectedDeliveries(ctx, store.DeliveryFilter{Warehouses: warehouses, Until: today.AddDate(0, 0, -1)}, upToMax)
	})
}

func (t *todayWarehouses) overdueTransfers(ctx context.Context) (*views.OverdueRows[store.Transfer], error) {
	return overdueAt(ctx, t, func(warehouses []string, today time.Time) (store.List[store.Transfer], error) {
		return t.request.shop.Transfers(ctx, store.TransferFilter{Warehouses: warehouses, LateOn: today}, upToMax)
	})
}

// overdueAt counts the overdue rows of the first warehouses, which list returns, and returns
// the first row.
func overdueAt[T any](ctx context.Context, t *todayWarehouses, list func(warehouses []string, today time.Time) (store.List[T], error)) (*views.OverdueRows[T], error) {
	today, err := t.request.shop.Today(ctx)
	if err != nil {
		return nil, err
	}
	warehouses, more, err := t.first(ctx)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(warehouses))
	for i := range warehouses {
		ids[i] = warehouses[i].ID
	}
	late, err := list(ids, today)
	if err != nil {
		return nil, err
	}
	found := views.OverdueRows[T]{Count: countOf(late), First: firstOf(late), Warehouses: warehouses}
	found.More = found.More || more
	return &found, nil
}
