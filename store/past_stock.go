package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// maxPastPlaces is the maximum number of warehouses for which the earlier stock of a
// product is computed. Each warehouse takes two requests.
const maxPastPlaces = 6

// PastStock is the stock of a product in a warehouse at an earlier moment. The quantity
// comes from the stock ledger. It is known unless the product was added later. If
// Past.HasState returns false, the other values are from a later time.
type PastStock struct {
	Past
	Item WarehouseItem
}

// PastProduct is a product at an earlier moment, with its stock by warehouse. Places is the
// number of warehouses. Stock is nil if there are more than maxPastPlaces, or if the
// product was added after the moment.
type PastProduct struct {
	Past
	Product Product
	Stock   []WarehouseItem
	Places  int
}

// StockAt returns the stock of a product in a warehouse at an earlier moment. It returns
// NotFound like StockItem, and Invalid for a moment in the future or before 1970.
func (a Access) StockAt(ctx context.Context, productID, warehouseID string, at time.Time) (*PastStock, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if err := a.store.checkPast(at); err != nil {
		return nil, err
	}
	item, err := a.StockItem(ctx, productID, warehouseID)
	if err != nil {
		return nil, err
	}
	past := &PastStock{}
	stock := []WarehouseItem{*item}
	if past.Past, err = a.store.productBefore(ctx, &Product{ID: productID, Name: item.Name}, stock, at); err != nil {
		return nil, err
	}
	if err := a.store.quantityAt(ctx, &stock[0], at); err != nil {
		return nil, err
	}
	past.Item = stock[0]
	past.Later.Events = slices.DeleteFunc(past.Later.Events, func(e Event) bool { return !e.isAbout(warehouseID) })
	a.hideLater(&past.Past)
	return past, nil
}

// ProductAt returns a product and its stock at an earlier moment. For managers, it reads
// only the stock in their own warehouses. It returns NotFound, or Invalid for a moment in
// the future or before 1970.
func (a Access) ProductAt(ctx context.Context, id string, at time.Time) (*PastProduct, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if err := a.store.checkPast(at); err != nil {
		return nil, err
	}
	product, err := a.Product(ctx, id)
	if err != nil {
		return nil, err
	}
	stock, err := a.StockOfProduct(ctx, id)
	if err != nil {
		return nil, err
	}
	past := &PastProduct{Product: *product, Places: len(stock)}
	past.Past, err = a.store.productBefore(ctx, &past.Product, stock, at)
	a.hideLater(&past.Past)
	if err != nil || past.Places > maxPastPlaces || past.Gap == PastNotAdded {
		return past, err
	}
	past.Stock = stock
	work, ctx := errgroup.WithContext(ctx)
	for i := range stock {
		work.Go(func() error { return a.store.quantityAt(ctx, &stock[i], at) })
	}
	return past, work.Wait()
}

// productBefore reverses the events of a product after a moment. It changes the product,
// and the names, reorder points, bins and days of the last count in the stock items. It
// does not change quantities; see quantityAt.
func (s *Store) productBefore(ctx context.Context, p *Product, stock []WarehouseItem, at time.Time) (Past, error) {
	return s.before(ctx, productPartition(p.ID), at, func(e *Event) PastGap {
		switch e.What {
		case EventProductAdded:
			return PastNotAdded
		case EventProductEdited:
			name := p.Name
			if gap := ProductFields.revert(p, e, ""); gap != PastComplete {
				return gap
			}
			for i := range stock {
				if p.Name != name {
					stock[i].Name = p.Name
				}
			}
			return PastComplete
		case EventProductArchived, EventProductRestored:
			return archivedField(func(p *Product) *bool { return &p.Archived }).revert(p, e, "")
		case EventReorderPointSet:
			for i := range stock {
				if e.Subject != stock[i].WarehouseID {
					continue
				}
				if gap := reorderFields.revert(&stock[i], e, e.Subject); gap != PastComplete {
					return gap
				}
			}
			return PastComplete
		}
		values := e.values()
		for i := range stock {
			if v, ok := value(values, stock[i].WarehouseID, valueCounted); ok {
				stock[i].Counted, _ = time.Parse(time.DateOnly, v.Before) // zero if the stock had never been counted
			}
		}
		return unlessKnown(e)
	})
}

// isAbout reports whether an event of a product is about its stock in a warehouse. An event
// about the product itself concerns all warehouses.
func (e *Event) isAbout(warehouseID string) bool {
	places := slices.DeleteFunc(parts(e.values()), func(part string) bool { return part == "" })
	if len(places) > 0 {
		return slices.Contains(places, warehouseID)
	}
	return e.Subject == "" || e.Subject == warehouseID
}

// quantityAt sets the quantity of a stock item to the quantity at an earlier moment. The
// first ledger entry after the moment contains the quantity before the entry. If there is
// no such entry, the quantity has not changed since the moment.
func (s *Store) quantityAt(ctx context.Context, item *WarehouseItem, at time.Time) error {
	values := key.Map{"productID": item.ProductID, "warehouseID": item.WarehouseID}
	moves, err := s.entriesAfter(ctx, productLedger, values, "stock#"+item.WarehouseID+"#"+lastULID(at), 1)
	if len(moves) > 0 {
		item.Quantity = moves[0].From
	}
	return err
}

// entriesAfter returns the entries of a ledger after a sort key, oldest first. Several
// patterns together read a ledger. entriesAfter reads at most limit entries with each.
func (s *Store) entriesAfter(ctx context.Context, ledger []*Pattern, values key.Map, sk string, limit int) ([]StockMove, error) {
	var moves []StockMove
	for _, p := range ledger {
		from, err := p.StartAt(values, sk)
		if err != nil {
			return nil, err
		}
		items, _, err := s.table.QueryOnce(ctx, table.Request{
			Pattern: p, Values: values, Limit: limit, Consistent: p.Index == table.TableIndex, From: from, Reverse: true,
		})
		found, err := decodeAll(items, err, decodeEntry)
		if err != nil {
			return nil, err
		}
		moves = append(moves, found...)
	}
	slices.SortFunc(moves, func(a, b StockMove) int { return strings.Compare(a.ID, b.ID) })
	return moves, nil
}

// StockMovesUntil lists the stock ledger of a product in a warehouse up to a moment, newest
// first. If page.At is set, the list starts there instead of at the moment.
func (a Access) StockMovesUntil(ctx context.Context, productID, warehouseID string, at time.Time, page Page) (List[StockMove], error) {
	if err := a.require(Browse); err != nil {
		return List[StockMove]{}, err
	}
	if page.At == nil {
		sk := "stock#" + warehouseID + "#" + lastULID(at)
		page.At = &Position{SK: sk, ItemPK: productPartition(productID), ItemSK: sk}
		found, err := a.StockMoves(ctx, productID, warehouseID, page)
		found.Prev = nil
		return found, err
	}
	return a.StockMoves(ctx, productID, warehouseID, page)
}

// maxPastMoves is the maximum number of stock changes that are read to compute the earlier
// stock list of a warehouse.
const maxPastMoves = 300

// PastWarehouse is a warehouse at an earlier moment, with a page of its stock list.
type PastWarehouse struct {
	Past
	Warehouse Warehouse
	Stock     List[WarehouseItem] // quantities at the moment, but present names, reorder points and bins
	Moves     []StockMove         // stock changes since the moment, oldest first
	TooMany   bool                // there are more than maxPastMoves stock changes since the moment, so Stock and Moves are empty
}

// MovesUntil returns the stock changes in Moves up to a time.
func (p *PastWarehouse) MovesUntil(at time.Time) []StockMove {
	last := lastULID(at)
	return slices.DeleteFunc(slices.Clone(p.Moves), func(m StockMove) bool { return m.ID > last })
}

// WarehouseAt returns a warehouse and a page of its stock list at an earlier moment. It
// returns NotFound like Warehouse, and Invalid for a moment in the future or before 1970.
func (a Access) WarehouseAt(ctx context.Context, id string, at time.Time, page Page) (*PastWarehouse, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	if err := a.store.checkPast(at); err != nil {
		return nil, err
	}
	w, err := a.Warehouse(ctx, id)
	if err != nil {
		return nil, err
	}
	past := &PastWarehouse{Warehouse: *w}
	past.Past, err = a.store.before(ctx, partitionOf(getWarehouse, "warehouseID", id), at, func(e *Event) PastGap {
		switch e.What {
		case EventWarehouseAdded:
			return PastNotAdded
		case EventWarehouseEdited:
			return WarehouseFields.revert(&past.Warehouse, e, "")
		case EventWarehouseArchived, EventWarehouseRestored:
			return archivedField(func(w *Warehouse) *bool { return &w.Archived }).revert(&past.Warehouse, e, "")
		}
		return unlessKnown(e)
	})
	a.hideLater(&past.Past)
	if err != nil {
		return nil, err
	}
	stock := List[WarehouseItem]{}
	if past.Gap != PastNotAdded {
		if stock, err = a.StockOfWarehouse(ctx, id, page); err != nil {
			return nil, err
		}
	}
	moves, err := a.movesSince(ctx, id, at)
	if past.TooMany = len(moves) > maxPastMoves; err != nil || past.TooMany {
		return past, err
	}
	past.Moves = moves
	for i := range stock.Rows {
		for _, m := range moves { // oldest first
			if item := &stock.Rows[i]; m.ProductID == item.ProductID {
				item.Quantity = m.From
				break
			}
		}
	}
	past.Stock = stock
	return past, nil
}

// movesSince returns the stock changes of a warehouse after a moment, oldest first. If
// there are more than maxPastMoves, the result may be incomplete, but has more than
// maxPastMoves elements.
func (a Access) movesSince(ctx context.Context, warehouseID string, at time.Time) ([]StockMove, error) {
	return a.store.entriesAfter(ctx, warehouseLedger, key.Map{"warehouseID": warehouseID}, "stock#"+lastULID(at), maxPastMoves+1)
}
