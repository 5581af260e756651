package store

import (
	"cmp"
	"context"
	"fmt"
)

// StockForm contains the fields that all forms about a product in a warehouse share.
type StockForm struct {
	ProductID, WarehouseID string
	Seen                   int    // version that the form showed; 0 if the product was never in the warehouse
	Token                  string // form token
	Reason                 string // required except for the reorder point

	Wrong InputErrors // the error of a number that could not be parsed
}

// stockStep is a change of a quantity. It becomes one ledger entry.
type stockStep struct {
	delta      int
	reason     string
	orderID    string // the order that is the reason; "" if there is none
	transferID string // the transfer whose pieces leave or arrive; "" if there is none
	deliveryID string // the expected delivery whose pieces arrive; "" if there is none
}

// moveStock adds delta to the quantity of a product in a warehouse; see
// moveStockInSteps. orderID is the order that is the reason, or "".
func (c *change) moveStock(item *WarehouseItem, delta int, reason, orderID string) {
	c.moveStockInSteps(item, stockStep{delta: delta, reason: reason, orderID: orderID})
}

// moveStockInSteps adds the steps to the quantity of a product in a warehouse and to the
// stock level of the product, and records each step in the stock ledger. item must have the
// values that were read, because the write requires its Version. moveStockInSteps updates
// item. Version 0 means that the product was never in the warehouse. If the quantity would
// be negative or above maxQuantity, the change fails with Invalid.
func (c *change) moveStockInSteps(item *WarehouseItem, steps ...stockStep) {
	for _, s := range steps {
		from := item.Quantity
		id := c.addToStock(item, s.delta)
		if id == "" {
			return
		}
		c.Create(&StockMove{
			ID:          id,
			ProductID:   item.ProductID,
			WarehouseID: item.WarehouseID,
			Name:        item.Name,
			When:        c.store.now(),
			From:        from,
			To:          item.Quantity,
			Delta:       s.delta,
			Reason:      s.reason,
			By:          c.by,
			OrderID:     s.orderID,
			TransferID:  s.transferID,
			DeliveryID:  s.deliveryID,
			EventID:     c.ledger,
		})
	}
	c.putStock(item, item.Version)
}

// shipStock subtracts the pieces of a shipment item from the quantity of its product in a
// warehouse and from the stock level of the product. The shipment item becomes the ledger
// entry. See moveStockInSteps.
func (c *change) shipStock(item *WarehouseItem, shipped *ShipmentItem) {
	shipped.Name = cmp.Or(shipped.Name, item.Name)
	shipped.WarehouseID, shipped.When, shipped.From, shipped.By = item.WarehouseID, c.store.now(), item.Quantity, c.by
	if shipped.EntryID = c.addToStock(item, -shipped.Quantity); shipped.EntryID != "" {
		c.putStock(item, item.Version)
	}
}

// addToStock adds delta to the quantity of item and to the stock level of the product.
// It returns the ID for the ledger entry, or "" if the change fails.
func (c *change) addToStock(item *WarehouseItem, delta int) (entryID string) {
	id, err := c.store.ids.New()
	switch to := item.Quantity + delta; {
	case err != nil:
		c.Fail(err)
		return ""
	case to < 0:
		c.Fail(InvalidField("quantity", "Only %d in stock at this warehouse.", item.Quantity))
		return ""
	case to > maxQuantity:
		c.Fail(InvalidField("quantity", "The stock can't exceed %s pieces.", maxQuantityText))
		return ""
	}
	item.Quantity += delta
	c.countStock(item.ProductID, StockLevel{OnHand: delta})
	return id
}

// putStock adds a write of a stock item, on the condition that the stored item has
// the given version. Version 0 means that the item is new.
func (c *change) putStock(item *WarehouseItem, version int) {
	item.Version = version + 1
	if version == 0 {
		c.Create(item)
	} else {
		c.Replace(item, version)
	}
}

// ReceiveStock adds received pieces to the stock. It returns NotFound, Invalid, or
// Conflict if the form showed another version.
func (a Access) ReceiveStock(ctx context.Context, f StockForm, pieces int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if pieces <= 0 {
		f.Wrong.Reject("quantity", "Enter 1 or more.")
	}
	if err := a.requireWarehouse(f.WarehouseID); err != nil {
		return err
	}
	if err := a.requireDelivery(ctx, f.ProductID, f.WarehouseID, ""); err != nil {
		return a.store.okIfApplied(ctx, productPartition(f.ProductID), f.Token, err)
	}
	return a.changeStock(ctx, f, EventStockReceived, func(int) int { return pieces })
}

// AdjustStock adds a number to the stock. A negative number reduces the stock. It
// returns NotFound or Invalid, and Conflict if the form showed another version.
func (a Access) AdjustStock(ctx context.Context, f StockForm, by int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if by == 0 {
		f.Wrong.Reject("quantity", "Enter how many to add or remove, such as 3 or -3.")
	}
	return a.changeStock(ctx, f, EventStockAdjusted, func(int) int { return by })
}

// CountStock sets the stock to the counted quantity. It also records a count that
// equals the current quantity. It returns NotFound, Invalid, or Conflict if the form
// showed another version.
func (a Access) CountStock(ctx context.Context, f StockForm, counted int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if counted < 0 {
		f.Wrong.Reject("quantity", "The count can't be negative.")
	}
	return a.changeStock(ctx, f, EventStockCounted, func(quantity int) int { return counted - quantity })
}

// changeStock changes the quantity of one stock item. delta is called with the
// current quantity and returns the change.
func (a Access) changeStock(ctx context.Context, f StockForm, what EventCode, delta func(quantity int) int) error {
	reason, err := a.checkStockForm(f)
	if err != nil {
		return err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return err
	}
	return a.changeStockItem(ctx, f, func(c *change, item *WarehouseItem) {
		before := *item
		if what == EventStockCounted {
			item.Counted = today
		}
		id, audience := c.nextEvent(), ""
		c.moveStock(item, delta(item.Quantity), reason, "")
		if what == EventStockCounted {
			audience = countAudience(&before, item)
		}
		c.recordEvent(Event{
			ID: id, Partition: productPartition(f.ProductID), What: what, Why: reason,
			Before: quantityIn(&before), After: quantityIn(item), Values: eventValues(quantityValues(&before, item)...), Audience: audience,
		})
	})
}

// changeStockItem makes a change of one stock item. A new item gets the name of the
// product. If someone else changes the product at the same time, changeStockItem
// tries again.
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

// checkStockForm checks a form and returns its trimmed reason. It returns NotFound if the
// user may not see the warehouse. It returns Invalid if checkText rejects the reason or
// f.Wrong contains errors. It can also return Forbidden.
func (a Access) checkStockForm(f StockForm) (reason string, err error) {
	if err := a.require(ChangeStock); err != nil {
		return "", err
	}
	if err := a.requireWarehouse(f.WarehouseID); err != nil {
		return "", err
	}
	reason, err = checkText("reason", f.Reason, "Enter a reason.")
	if err := f.Wrong.Add(err); err != nil {
		return "", err
	}
	return reason, f.Wrong.Err()
}

// productPartition returns the partition of a product, its stock and its events.
func productPartition(productID string) string {
	return partitionOf(getProduct, "productID", productID)
}

// quantityIn describes the quantity in a warehouse, for events.
func quantityIn(item *WarehouseItem) string {
	return fmt.Sprintf("%s: %d", item.WarehouseID, item.Quantity)
}
