package store

import (
	"context"
	"fmt"
)

// StockForm holds the fields common to all forms about a product in a warehouse.
type StockForm struct {
	ProductID, WarehouseID string
	Seen                   int    // the Version that the form shows; 0 if the product was never in the warehouse
	Token                  string // the form's token
	Reason                 string // required, except for the reorder point
}

// moveStock adds delta to the quantity of a product in a warehouse, as part of
// any change, and records it in the stock ledger. It updates item, which must
// be as it was read: its Version is the condition of the write, and 0 means
// that the product was never in the warehouse. It fails the change with
// Invalid if the quantity would be negative or above maxQuantity. orderID is
// empty unless an order is the reason.
func (c *change) moveStock(item *WarehouseItem, delta int, reason, orderID string) {
	id, err := c.store.ids.New()
	if err != nil {
		c.Fail(err)
		return
	}
	from, version := item.Quantity, item.Version
	switch to := from + delta; {
	case to < 0:
		c.Fail(InvalidField("quantity", "Only %d in stock in %s.", from, item.WarehouseID))
		return
	case to > maxQuantity:
		c.Fail(InvalidField("quantity", "The stock can't exceed %s.", maxQuantityText))
		return
	}
	item.Quantity = from + delta
	c.putStock(item, version)
	c.Create(&StockMove{
		ID:          id,
		ProductID:   item.ProductID,
		WarehouseID: item.WarehouseID,
		Name:        item.Name,
		When:        c.store.now(),
		From:        from,
		To:          item.Quantity,
		Delta:       delta,
		Reason:      reason,
		By:          c.by,
		OrderID:     orderID,
	})
}

// putStock writes a stock item, on condition that the stored item has the given
// version. Version 0 means a new item.
func (c *change) putStock(item *WarehouseItem, version int) {
	item.Version = version + 1
	if version == 0 {
		c.Create(item)
	} else {
		c.Replace(item, version)
	}
}

// ReceiveStock adds received pieces to a quantity. It returns NotFound, Invalid, or
// Conflict if the form's version is no longer current.
func (a Access) ReceiveStock(ctx context.Context, f StockForm, pieces int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if pieces <= 0 {
		return InvalidField("quantity", "Enter 1 or more.")
	}
	if err := a.requireWarehouse(f.WarehouseID); err != nil {
		return err
	}
	if err := a.requireDelivery(ctx, f.ProductID, f.WarehouseID, ""); err != nil {
		return a.store.okIfApplied(ctx, productPartition(f.ProductID), f.Token, err)
	}
	return a.changeStock(ctx, f, EventStockReceived, func(int) int { return pieces })
}

// AdjustStock adds by to a quantity; a negative number reduces it. It returns
// the same errors as ReceiveStock.
func (a Access) AdjustStock(ctx context.Context, f StockForm, by int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if by == 0 {
		return InvalidField("quantity", "Enter how many to add or remove, for example 3 or -3.")
	}
	return a.changeStock(ctx, f, EventStockAdjusted, func(int) int { return by })
}

// CountStock sets a quantity to the counted number. It also records a count that
// matches. It returns the same errors as ReceiveStock.
func (a Access) CountStock(ctx context.Context, f StockForm, counted int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if counted < 0 {
		return InvalidField("quantity", "The count can't be negative.")
	}
	return a.changeStock(ctx, f, EventStockCounted, func(quantity int) int { return counted - quantity })
}

// changeStock changes the quantity of one stock item by delta, which gets the
// current quantity.
func (a Access) changeStock(ctx context.Context, f StockForm, what EventCode, delta func(quantity int) int) error {
	reason, err := a.checkStockForm(f)
	if err != nil {
		return err
	}
	return a.changeStockItem(ctx, f, func(c *change, item *WarehouseItem) {
		before := quantityIn(item)
		c.moveStock(item, delta(item.Quantity), reason, "")
		c.recordEvent(Event{Partition: productPartition(f.ProductID), What: what, Why: reason, Before: before, After: quantityIn(item)})
	})
}

// changeStockItem makes a change of the item that a form shows. A new item copies
// the name of the product, so changeStockItem tries again if the product changes
// meanwhile.
func (a Access) changeStockItem(ctx context.Context, f StockForm, work func(*change, *WarehouseItem)) error {
	return retryOnConflict(ctx, func() error {
		item, err := a.StockItem(ctx, f.ProductID, f.WarehouseID)
		if err != nil {
			return err
		}
		c, err := a.change(ctx, f.Token)
		if err != nil {
			return err
		}
		if item.Version != f.Seen {
			return c.rejectOutdated(ctx, productPartition(f.ProductID))
		}
		if err := c.nameNewStock(ctx, item); err != nil {
			return err
		}
		work(c, item)
		return c.Commit(ctx)
	})
}

// checkStockForm returns the reason for a stock change. It returns Forbidden,
// NotFound for a warehouse that the user may not see, and Invalid without a reason.
func (a Access) checkStockForm(f StockForm) (reason string, err error) {
	if err := a.require(ChangeStock); err != nil {
		return "", err
	}
	if err := a.requireWarehouse(f.WarehouseID); err != nil {
		return "", err
	}
	return checkText("reason", f.Reason, "Enter a reason.")
}

// productPartition is the partition of a product, its stock and its events.
func productPartition(productID string) string {
	return partitionOf(getProduct, "productID", productID)
}

// quantityIn describes the quantity in a warehouse, for the history.
func quantityIn(item *WarehouseItem) string {
	return fmt.Sprintf("%s: %d", item.WarehouseID, item.Quantity)
}
