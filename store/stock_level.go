package store

import (
	"context"

	"stockroom/store/key"
)

// StockLevel is the stock of a product in all warehouses.
type StockLevel struct {
	OnHand    int // pieces in all warehouses
	Committed int // pieces that open order lines still need
	Available int // OnHand − Committed; negative if open order lines need more than is on hand
	Incoming  int // open pieces of expected deliveries, and pieces in transit

	Unreadable bool `json:"-"` // the level cannot be decoded, so the numbers are unknown
}

func (l StockLevel) plus(added StockLevel) StockLevel {
	l.OnHand, l.Committed, l.Incoming = l.OnHand+added.OnHand, l.Committed+added.Committed, l.Incoming+added.Incoming
	l.Available = l.OnHand - l.Committed
	return l
}

// StockLevels returns the stock levels of products, by ID. Its reads are consistent, with
// one request per 100 slots. Managers see the same levels as other users, because an
// order has no warehouse before it ships.
func (a Access) StockLevels(ctx context.Context, productIDs []string) (map[string]StockLevel, error) {
	return a.stockLevels(ctx, productIDs, true, func(err error) error { return err })
}

// stockLevels reads the slots (StockCount) of products and adds them up. If a slot cannot be
// decoded, it calls the function damaged with the error, and returns the error that this
// function returns. If that is nil, the level of the product is Unreadable.
func (a Access) stockLevels(ctx context.Context, productIDs []string, consistent bool, damaged func(error) error) (map[string]StockLevel, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	levels := map[string]StockLevel{}
	var known []string
	for _, id := range productIDs {
		if _, listed := levels[id]; listed || key.CheckID(id) != nil {
			continue
		}
		levels[id] = StockLevel{}
		known = append(known, id)
	}
	slots, rows, err := a.store.readAllSlots(ctx, known, consistent)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		id, slot := slots[i].ProductID, slots[i]
		if row == nil || levels[id].Unreadable {
			continue
		}
		if err := schema.DecodeInto(row, slot.entity()); err == nil {
			levels[id] = levels[id].plus(slot.level())
		} else if err := damaged(err); err != nil {
			return nil, err
		} else {
			levels[id] = StockLevel{Unreadable: true}
		}
	}
	return levels, nil
}

// StockLevelOf returns the stock level of one product. If it returns an error, the level
// is Unreadable.
func (a Access) StockLevelOf(ctx context.Context, productID string) (StockLevel, error) {
	levels, err := a.stockLevels(ctx, []string{productID}, false, func(err error) error { return err })
	if err != nil {
		return StockLevel{Unreadable: true}, err
	}
	return levels[productID], nil
}

// StockedProduct is a product with its stock level.
type StockedProduct struct {
	Product
	StockLevel
}

// StockedProducts lists the same products as Products, with their stock levels.
func (a Access) StockedProducts(ctx context.Context, f ProductFilter, page Page) (List[StockedProduct], error) {
	found, err := a.Products(ctx, f, page)
	if err != nil {
		return List[StockedProduct]{}, err
	}
	return withLevels(ctx, a, found, page, func(p *Product) string { return p.ID }, func(p Product, l StockLevel) StockedProduct { return StockedProduct{p, l} })
}

// StockRow is the stock of a product in one warehouse, and the stock level of the product
// in all warehouses.
type StockRow struct {
	WarehouseItem
	StockLevel
}

// WithStockLevels adds to each row of a stock list the stock level of its product.
func (a Access) WithStockLevels(ctx context.Context, found List[WarehouseItem], page Page) (List[StockRow], error) {
	return withLevels(ctx, a, found, page, func(i *WarehouseItem) string { return i.ProductID }, func(i WarehouseItem, l StockLevel) StockRow { return StockRow{i, l} })
}

// withLevels adds to each row the stock level of its product. A level that cannot be
// decoded is Unreadable if the page is Partial; otherwise withLevels returns an
// error.
func withLevels[T, R any](ctx context.Context, a Access, found List[T], page Page, productID func(*T) string, join func(T, StockLevel) R) (List[R], error) {
	ids := make([]string, len(found.Rows))
	for i := range found.Rows {
		ids[i] = productID(&found.Rows[i])
	}
	rows := List[R]{Rows: make([]R, len(ids)), Next: found.Next, Prev: found.Prev, Unreadable: found.Unreadable}
	levels, err := a.stockLevels(ctx, ids, false, func(err error) error {
		if !page.Partial || KindOf(err) != Damaged {
			return err
		}
		rows.Unreadable = append(rows.Unreadable, err.Error())
		return nil
	})
	if err != nil {
		return List[R]{}, err
	}
	for i, id := range ids {
		rows.Rows[i] = join(found.Rows[i], levels[id])
	}
	return rows, nil
}
