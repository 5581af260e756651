package store

import (
	"context"
	"fmt"

	"stockroom/store/key"
)

// StockForm is what every form about a product in a warehouse says.
type StockForm struct {
	ProductID, WarehouseID string
	Seen                   int    // the Version that the form shows; 0: none of it had ever lain there
	Once                   string // the form's token
	Reason                 string // required, but for the reorder point
}

// moveStock changes, as a part of any change, how much of a product lies in a
// warehouse: by more or by less, never below nothing. The item must be as it
// was read, which the transaction makes sure of; it becomes what it will be.
// The ledger says why, and for which order, if for one. Where a product never
// lay in the warehouse, its item has Version 0.
func (c *change) moveStock(item *WarehouseItem, delta int, reason, orderID string) {
	id, err := c.store.ids.New()
	if err != nil {
		c.Fail(err)
		return
	}
	from, seen := item.Quantity, item.Version
	switch to := from + delta; {
	case to < 0:
		c.Fail(InvalidField("quantity", "There are only %d of them in %s.", from, item.WarehouseID))
		return
	case to > maxQuantity:
		c.Fail(InvalidField("quantity", "There would be more than %s of them.", mostQuantity))
		return
	}
	item.Quantity, item.Version = from+delta, seen+1
	if seen == 0 {
		c.Create(item)
	} else {
		c.Replace(item, seen)
	}
	c.Create(&StockMove{
		ID: id, ProductID: item.ProductID, WarehouseID: item.WarehouseID, Name: item.Name, When: c.store.now(),
		From: from, To: item.Quantity, Delta: delta, Reason: reason, By: c.by, OrderID: orderID,
	})
}

// StockItem is how much of a product lies in a warehouse, as it is this
// moment, for what leads to a change of it. Where none of the product has ever
// lain there, the item is empty and has Version 0.
func (a Access) StockItem(ctx context.Context, productID, warehouseID string) (*WarehouseItem, error) {
	if err := a.inCharge(warehouseID); err != nil {
		return nil, err
	}
	item, err := readConsistently[*WarehouseItem](ctx, a.store, getStockInWarehouse, key.Map{"productID": productID, "warehouseID": warehouseID})
	if KindOf(err) != NotFound {
		return item, err
	}
	product, err := readOne[*Product](ctx, a.store, getProduct, key.Map{"productID": productID})
	if err != nil {
		return nil, err
	}
	if _, err := readOne[*Warehouse](ctx, a.store, getWarehouse, key.Map{"warehouseID": warehouseID}); err != nil {
		return nil, err
	}
	return &WarehouseItem{ProductID: productID, WarehouseID: warehouseID, Name: product.Name}, nil
}

// ReceiveStock adds pieces that arrived; the first of a product in a warehouse
// too.
func (a Access) ReceiveStock(ctx context.Context, f StockForm, pieces int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if pieces <= 0 {
		return InvalidField("quantity", "At least one piece has to arrive.")
	}
	return a.changeStock(ctx, f, "stock received", func(int) int { return pieces })
}

// AdjustStock corrects a quantity by so many pieces more, or fewer where
// negative.
func (a Access) AdjustStock(ctx context.Context, f StockForm, by int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if by == 0 {
		return InvalidField("quantity", "By nothing is no adjustment: say 3 or -3.")
	}
	return a.changeStock(ctx, f, "stock adjusted", func(int) int { return by })
}

// CountStock sets a quantity to what was counted. A count that finds what was
// expected is told too.
func (a Access) CountStock(ctx context.Context, f StockForm, counted int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if counted < 0 {
		return InvalidField("quantity", "Less than nothing cannot be counted.")
	}
	return a.changeStock(ctx, f, "stock counted", func(quantity int) int { return counted - quantity })
}

// changeStock moves the stock of one item by what its quantity asks for.
func (a Access) changeStock(ctx context.Context, f StockForm, what string, delta func(quantity int) int) error {
	reason, err := a.mayChangeStock(f)
	if err != nil {
		return err
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
	before := quantityIn(item)
	c.moveStock(item, delta(item.Quantity), reason, "")
	c.recordEvent(Event{Partition: productPartition(f.ProductID), What: what, Why: reason, Before: before, After: quantityIn(item)})
	return c.Commit(ctx)
}

// mayChangeStock says whether a form may be asked for, and gives its reason.
func (a Access) mayChangeStock(f StockForm) (reason string, err error) {
	if err := a.require(ChangeStock); err != nil {
		return "", err
	}
	if err := a.inCharge(f.WarehouseID); err != nil {
		return "", err
	}
	return text("reason", f.Reason, "Say why, for whoever looks at the ledger later.")
}

// productPartition is where is told what happens to a product's stock.
func productPartition(productID string) string {
	return partitionOf(getProduct, "productID", productID)
}

// quantityIn is a quantity as events tell it.
func quantityIn(item *WarehouseItem) string {
	return fmt.Sprintf("%s: %d", item.WarehouseID, item.Quantity)
}
