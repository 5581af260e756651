package store

import "context"

// ReceiveDelivery adds pieces of an expected delivery to the stock. pieces can be more
// than the open quantity. If pieces is less, the rest stays open. ReceiveDelivery returns
// NotFound, Invalid, or Conflict if no quantity is open or the form showed another
// version of the delivery.
func (a Access) ReceiveDelivery(ctx context.Context, f DeliveryForm, pieces int) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if err := a.requireWarehouse(f.WarehouseID); err != nil {
		return err
	}
	if pieces <= 0 {
		f.Wrong.Reject("quantity", "Enter 1 or more.")
	}
	reason, err := checkText("reason", f.Reason, "Enter a reason.")
	if err := f.Wrong.With(err); err != nil {
		return err
	}
	if err := a.requireDelivery(ctx, f.ProductID, f.WarehouseID, ""); err != nil {
		return a.store.okIfApplied(ctx, productPartition(f.ProductID), f.Token, err)
	}
	return retryOnConflict(ctx, func() error { return a.receiveDelivery(ctx, f, pieces, reason) })
}

func (a Access) receiveDelivery(ctx context.Context, f DeliveryForm, pieces int, reason string) error {
	d, err := a.DeliveryForChange(ctx, f.ProductID, f.WarehouseID, f.ID)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return err
	}
	switch {
	case d.Version != f.Seen:
		return c.rejectOutdated(ctx, productPartition(f.ProductID))
	case d.Open() == 0:
		return errNothingExpected()
	}
	item, err := a.StockItem(ctx, f.ProductID, f.WarehouseID)
	if err != nil {
		return err
	}
	if err := c.nameNewStock(ctx, item); err != nil {
		return err
	}
	before := quantityIn(item) + ", " + d.progress()
	c.moveStockInSteps(item, stockStep{delta: pieces, reason: reason, deliveryID: d.ID})
	c.recordReceived(d, pieces)
	c.recordEvent(Event{
		Partition: productPartition(f.ProductID), What: EventDeliveryReceived, Subject: f.WarehouseID, Why: reason,
		Before: before, After: quantityIn(item) + ", " + d.progress(),
	})
	return c.Commit(ctx)
}

// recordReceived adds pieces to the received quantity of a delivery and updates the
// incoming stock. d must be unchanged since it was read.
func (c *change) recordReceived(d *ExpectedDelivery, pieces int) {
	before := *d
	if d.Received += pieces; d.Received > maxQuantity {
		c.Fail(InvalidField("quantity", "A delivery can't exceed %s pieces.", maxQuantityText))
		return
	}
	c.countIncoming(&before, d)
	c.replaceNext(d, &d.Version)
}
