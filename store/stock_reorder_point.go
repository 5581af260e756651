package store

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"stockroom/store/key"
	"stockroom/store/table"
)

// maxBin is how long the name of a shelf may be, in characters.
const maxBin = 40

// SetReorderPoint says at which quantity it is time to order more, and on
// which shelf the product lies. The ledger is about quantities: only the event
// tells of it.
func (a Access) SetReorderPoint(ctx context.Context, f StockForm, reorderPoint int, bin string) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if err := checkLine("bin", &bin); err != nil {
		return err
	}
	switch {
	case reorderPoint < 0 || reorderPoint > maxQuantity:
		return InvalidField("reorder", "A quantity from 0 to %s.", mostQuantity)
	case utf8.RuneCountInString(bin) > maxBin:
		return InvalidField("bin", "At most %d characters.", maxBin)
	}
	item, err := a.StockItem(ctx, f.ProductID, f.WarehouseID)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Once)
	if err != nil {
		return err
	}
	if item.Version != f.Seen {
		return c.rejectOutdated(ctx, productPartition(f.ProductID))
	}
	before := reorderText(item)
	item.ReorderPoint, item.Bin, item.Version = reorderPoint, bin, f.Seen+1
	if f.Seen == 0 {
		c.Create(item)
	} else {
		c.Replace(item, f.Seen)
	}
	c.recordEvent(Event{Partition: productPartition(f.ProductID), What: reorderPointSet(f.WarehouseID), Before: before, After: reorderText(item)})
	return c.Commit(ctx)
}

// reorderPointSet is what such an event says. It names the warehouse, because
// events lie with the product.
func reorderPointSet(warehouseID string) string { return "reorder point set in " + warehouseID }

func reorderText(item *WarehouseItem) string {
	return strings.TrimSuffix(fmt.Sprintf("%d, %s", item.ReorderPoint, item.Bin), ", ")
}

// LastStockChange tells who changed what a form about stock shows last, for
// whoever comes second. The zero Event means that nothing is known of it, as
// of stock that was imported.
//
// A change of the quantity is told by the ledger, which orders move too; a
// change of the reorder point by an event.
func (a Access) LastStockChange(ctx context.Context, productID, warehouseID string) (Event, error) {
	moves, err := a.StockMoves(ctx, productID, warehouseID, Page{Limit: 1})
	if err != nil {
		return Event{}, err
	}
	var last Event
	for _, m := range moves.Rows {
		last = Event{ID: m.ID, When: m.When, By: m.By, What: "stock moved", Why: m.Reason}
	}
	q := table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": productPartition(productID)}}
	events, err := list(ctx, a.store, q, Page{Limit: remembered}, decodeAs[Event])
	if err != nil {
		return Event{}, err
	}
	for _, e := range events.Rows {
		if e.What == reorderPointSet(warehouseID) && e.ID > last.ID {
			return e, nil
		}
	}
	return last, nil
}
