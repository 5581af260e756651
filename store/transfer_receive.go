package store

import "context"

// TransferForm contains the fields that all forms of a transfer share.
type TransferForm struct {
	ProductID, ID string
	Seen          int // version that the form showed
	Token         string
	Reason        string // reason of the difference or of the cancellation

	Wrong InputErrors // the errors of quantities that could not be parsed
}

// ReceiveTransfer adds arrived pieces to the stock of the target. If fewer pieces arrived
// than were sent, the rest stays in transit. However, if the argument last is true, nothing
// more will arrive, and the rest is written off. A reason is required if pieces are written
// off or too many arrived. ReceiveTransfer returns NotFound, Invalid, or Conflict if
// nothing is in transit or the form showed another version of the transfer.
//
// The ledger of the target gets one entry for the pieces that are no longer in transit. If
// pieces are written off or too many arrived, it gets another entry for the difference.
func (a Access) ReceiveTransfer(ctx context.Context, f TransferForm, arrived int, last bool) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	least := 1
	if last {
		least = 0 // all pieces are written off
	}
	if arrived < least || arrived > maxQuantity {
		f.Wrong.Reject("quantity", "Enter a whole number from %d to %s.", least, maxQuantityText)
	}
	if err := f.Wrong.With(checkLine("reason", &f.Reason)); err != nil {
		return err
	}
	return retryOnConflict(ctx, func() error { return a.receiveTransfer(ctx, f, arrived, last) })
}

func (a Access) receiveTransfer(ctx context.Context, f TransferForm, arrived int, last bool) error {
	partition := productPartition(f.ProductID)
	t, err := a.TransferForReceipt(ctx, f.ProductID, f.ID)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return err
	}
	missing := t.InTransit() - arrived
	if missing > 0 && !last {
		missing = 0
	}
	switch {
	case t.Version != f.Seen:
		return c.rejectOutdated(ctx, partition)
	case t.InTransit() == 0:
		return errNothingInTransit()
	case t.Target != nil && t.Target.Archived:
		return InvalidField("", "Warehouse %s is archived. Restore it first.", nameOrID(t.Target.Name, t.TargetID))
	case missing != 0 && f.Reason == "":
		return InvalidField("reason", "Enter the reason for the difference.")
	}
	item, err := a.StockItem(ctx, f.ProductID, t.TargetID)
	if err != nil {
		return err
	}
	if err := c.nameNewStock(ctx, item); err != nil {
		return err
	}
	before := quantityIn(item) + ", " + t.progress()
	steps := []stockStep{{delta: arrived + missing, reason: ledgerReason("Transfer from %s", t.sourceName(), t.Reason), transferID: t.ID}}
	if missing != 0 {
		steps = append(steps, stockStep{delta: -missing, reason: ledgerReason("Difference in transfer from %s", t.sourceName(), f.Reason)})
	}
	c.moveStockInSteps(item, steps...)
	after := t.Transfer
	after.Received, after.WrittenOff = after.Received+arrived, after.WrittenOff+missing
	c.countTransit(&t.Transfer, &after)
	c.replaceNext(&after, &after.Version)
	c.recordEvent(Event{
		Partition: partition, What: EventTransferReceived, Subject: t.TargetID, Why: f.Reason,
		Before: before, After: quantityIn(item) + ", " + after.progress(),
	})
	return c.Commit(ctx)
}

// CancelTransfer returns the pieces in transit to the stock of the source. It
// returns NotFound, Invalid, or Conflict if nothing is in transit or the form showed
// another version of the transfer.
func (a Access) CancelTransfer(ctx context.Context, f TransferForm) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if err := checkLine("reason", &f.Reason); err != nil {
		return err
	}
	return retryOnConflict(ctx, func() error { return a.cancelTransfer(ctx, f) })
}

func (a Access) cancelTransfer(ctx context.Context, f TransferForm) error {
	partition := productPartition(f.ProductID)
	t, err := a.TransferForCancellation(ctx, f.ProductID, f.ID)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return err
	}
	switch {
	case t.Version != f.Seen:
		return c.rejectOutdated(ctx, partition)
	case t.InTransit() == 0:
		return errNothingInTransit()
	}
	item, err := a.StockItem(ctx, f.ProductID, t.SourceID)
	if err != nil {
		return err
	}
	if err := c.nameNewStock(ctx, item); err != nil {
		return err
	}
	before := quantityIn(item) + ", " + t.progress()
	c.moveStockInSteps(item, stockStep{delta: t.InTransit(), reason: ledgerReason("Transfer to %s cancelled", t.targetName(), f.Reason), transferID: t.ID})
	after := t.Transfer
	after.Returned += t.InTransit()
	c.countTransit(&t.Transfer, &after)
	c.replaceNext(&after, &after.Version)
	c.recordEvent(Event{
		Partition: partition, What: EventTransferCancelled, Subject: t.TargetID, Why: f.Reason,
		Before: before, After: quantityIn(item) + ", " + after.progress(),
	})
	return c.Commit(ctx)
}

func errNothingInTransit() error {
	return fail(Conflict, "This transfer is already received or cancelled.")
}
