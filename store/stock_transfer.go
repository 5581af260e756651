package store

import "context"

// TransferStock moves pieces from the warehouse of the form to another warehouse.
// The user must manage both warehouses. It returns NotFound, Invalid, or Conflict if
// the form showed another version. If someone else changes the stock of the other
// warehouse at the same time, TransferStock tries again.
func (a Access) TransferStock(ctx context.Context, f StockForm, to string, pieces int) error {
	switch {
	case to == "" || to == f.WarehouseID:
		f.Wrong.Reject("to", "Choose another warehouse.")
	case !a.user.InCharge(to):
		f.Wrong.Reject("to", "Warehouse %s not found, or not one of yours.", to)
	}
	if pieces <= 0 {
		f.Wrong.Reject("quantity", "Enter 1 or more.")
	}
	reason, err := a.checkStockForm(f)
	if err != nil {
		return err
	}
	if err := a.requireDelivery(ctx, "", to, "to"); err != nil {
		return a.store.okIfApplied(ctx, productPartition(f.ProductID), f.Token, err)
	}
	return retryOnConflict(ctx, func() error { return a.transfer(ctx, f, to, pieces, reason) })
}

func (a Access) transfer(ctx context.Context, f StockForm, to string, pieces int, reason string) error {
	source, err := a.StockItem(ctx, f.ProductID, f.WarehouseID)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return err
	}
	if source.Version != f.Seen {
		return c.rejectOutdated(ctx, productPartition(f.ProductID))
	}
	target, err := a.StockItem(ctx, f.ProductID, to)
	switch {
	case KindOf(err) == NotFound:
		return InvalidField("to", "Warehouse %s not found.", to)
	case err != nil:
		return err
	}
	if err := c.nameNewStock(ctx, target); err != nil {
		return err
	}
	from, into := *source, *target
	id := c.nextEvent()
	c.moveStock(source, -pieces, reason, "")
	c.moveStock(target, pieces, reason, "")
	c.recordEvent(Event{
		ID: id, Partition: productPartition(f.ProductID), What: EventStockTransferred, Why: reason,
		Before: quantityIn(&from) + ", " + quantityIn(&into), After: quantityIn(source) + ", " + quantityIn(target),
		Values: eventValues(append(quantityValues(&from, source), quantityValues(&into, target)...)...),
	})
	return c.Commit(ctx)
}
