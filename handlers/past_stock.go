package handlers

import (
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
)

// pastRows is the maximum number of rows of a stock ledger, and of the stock of a
// warehouse, in an earlier state.
const pastRows = store.DefaultLimit

func readPastStock(r *request, ids []string, at time.Time) (*pastRecord, error) {
	found, err := r.shop.StockAt(r.ctx(), ids[0], ids[1], at)
	if err != nil {
		return nil, err
	}
	var warehouse *store.Warehouse
	var ledger store.List[store.StockMove]
	reads, ctx := errgroup.WithContext(r.ctx())
	reads.Go(func() error { return ifFound(&warehouse)(r.shop.Warehouse(ctx, ids[1])) })
	reads.Go(func() (err error) {
		ledger, err = r.shop.StockMovesUntil(ctx, ids[0], ids[1], at, store.Page{Limit: pastRows})
		return err
	})
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	return &pastRecord{
		past: found.Past,
		state: struct {
			store.WarehouseItem
			Ledger []store.StockMove
		}{found.Item, ledger.Rows},
		certain: pastQuantity(found.Item),
		view: func(p *views.Page) views.PastRecord {
			return views.PastStock(p, found, warehouseOrID(warehouse, ids[1]), ledger)
		},
	}, nil
}

func readPastProduct(r *request, ids []string, at time.Time) (*pastRecord, error) {
	var found *store.PastProduct
	var warehouses store.List[store.Warehouse]
	reads, ctx := errgroup.WithContext(r.ctx())
	reads.Go(func() (err error) {
		found, err = r.shop.ProductAt(ctx, ids[0], at)
		return err
	})
	reads.Go(func() (err error) {
		warehouses, err = r.shop.Warehouses(ctx, store.AlsoArchived, store.Page{Limit: store.MaxLimit})
		return err
	})
	if err := reads.Wait(); err != nil {
		return nil, err
	}
	return &pastRecord{
		past: found.Past,
		state: struct {
			store.Product
			Stock []store.WarehouseItem `json:",omitempty"`
		}{found.Product, found.Stock},
		certain: pastQuantities(found.Stock),
		view:    func(p *views.Page) views.PastRecord { return views.PastProduct(p, found, warehouses.Rows) },
	}, nil
}

func readPastWarehouse(r *request, ids []string, at time.Time) (*pastRecord, error) {
	found, err := r.shop.WarehouseAt(r.ctx(), ids[0], at, store.Page{Limit: pastRows})
	if err != nil {
		return nil, err
	}
	return &pastRecord{
		past: found.Past,
		state: struct {
			store.Warehouse
			Stock []store.WarehouseItem `json:",omitempty"`
		}{found.Warehouse, found.Stock.Rows},
		certain: pastQuantities(found.Stock.Rows),
		view:    func(p *views.Page) views.PastRecord { return views.PastWarehouse(p, found) },
	}, nil
}

// quantityJSON is the quantity of a stock item at an earlier moment.
type quantityJSON struct {
	ProductID, WarehouseID string
	Quantity               int
}

func pastQuantity(item store.WarehouseItem) quantityJSON {
	return quantityJSON{item.ProductID, item.WarehouseID, item.Quantity}
}

// pastQuantities returns the quantities of the stock items, or nil if there are none.
func pastQuantities(stock []store.WarehouseItem) any {
	if len(stock) == 0 {
		return nil
	}
	all := make([]quantityJSON, len(stock))
	for i := range stock {
		all[i] = pastQuantity(stock[i])
	}
	return all
}
