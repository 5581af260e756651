package store

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"stockroom/store/key"
	"stockroom/store/table"
)

// maxBin is the maximum length of a bin in characters.
const maxBin = 40

// SetReorderPoint sets the reorder point of a product in a warehouse, and its bin. It
// records an event but no ledger entry, because the quantity does not change. It
// returns NotFound or Invalid, and Conflict if the form showed another version.
func (a Access) SetReorderPoint(ctx context.Context, f StockForm, reorderPoint int, bin string) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if err := f.Wrong.With(checkReorderPoint(reorderPoint, &bin)); err != nil {
		return err
	}
	return a.changeReorderPoint(ctx, f, func(_ *change, item *WarehouseItem) {
		item.ReorderPoint, item.Bin = reorderPoint, bin
	})
}

// changeReorderPoint calls the function set, which changes the reorder point or the bin of a
// stock item. It then stores the item with an event.
func (a Access) changeReorderPoint(ctx context.Context, f StockForm, set func(*change, *WarehouseItem)) error {
	return a.changeStockItem(ctx, f, func(c *change, item *WarehouseItem) {
		before := *item
		set(c, item)
		c.putStock(item, f.Seen)
		c.recordEvent(Event{
			Partition: productPartition(f.ProductID), What: EventReorderPointSet, Subject: f.WarehouseID,
			Before: reorderText(&before), After: reorderText(item), Values: eventValues(reorderValues(&before, item)...),
		})
	})
}

// checkReorderPoint trims the bin. It returns Invalid if the reorder point is negative or
// more than maxQuantity, or if checkBin returns Invalid.
func checkReorderPoint(reorderPoint int, bin *string) error {
	var wrong InputErrors
	if reorderPoint < 0 || reorderPoint > maxQuantity {
		wrong.Reject("reorder", "Enter a quantity from 0 to %s.", maxQuantityText)
	}
	return wrong.With(checkBin("bin", bin))
}

// checkBin trims a bin, which may be empty. It returns Invalid for this field if
// checkLine rejects the bin or if the bin is longer than maxBin.
func checkBin(field string, bin *string) error {
	if err := checkLine(field, bin); err != nil {
		return err
	}
	if utf8.RuneCountInString(*bin) > maxBin {
		return InvalidField(field, "Enter at most %d characters.", maxBin)
	}
	return nil
}

// SetsReorderPoint reports whether an event of a product set the reorder point or the bin
// in this warehouse. Older events contain a sentence instead of a code.
func (e *Event) SetsReorderPoint(warehouseID string) bool {
	if e.What == EventReorderPointSet {
		return e.Subject == warehouseID
	}
	return e.What == EventCode("reorder point set in "+warehouseID)
}

// reorderText describes a reorder point and bin, for events.
func reorderText(item *WarehouseItem) string {
	return strings.TrimSuffix(fmt.Sprintf("%d, %s", item.ReorderPoint, item.Bin), ", ")
}

// LastStockChange returns the last change of a stock item, to show it after a conflict:
// the newest ledger entry, or a later change of the reorder point among the newest
// searchedEvents events of the product. If there is no change, as for imported stock, it
// returns the zero Event.
func (a Access) LastStockChange(ctx context.Context, productID, warehouseID string) (Event, error) {
	moves, err := a.StockMoves(ctx, productID, warehouseID, Page{Limit: 1})
	if err != nil {
		return Event{}, err
	}
	var last Event
	for _, m := range moves.Rows {
		last = Event{ID: m.ID, When: m.When, By: m.By, What: EventStockMoved, Why: m.Reason}
	}
	q := table.Query{Pattern: getEventsOfThing, Values: key.Map{"partition": productPartition(productID)}}
	events, err := list(ctx, a.store, q, Page{Limit: searchedEvents}, decodeAs[Event])
	if err != nil {
		return Event{}, err
	}
	for _, e := range events.Rows {
		if e.SetsReorderPoint(warehouseID) && e.ID > last.ID {
			return e, nil
		}
	}
	return last, nil
}
