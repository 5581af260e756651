package store

import (
	"cmp"
	"context"
	"slices"

	"stockroom/store/table"
)

// Numbers of actions (writes and checks) in a transaction that sends a transfer.
const (
	transferActions     = 2 // the event, and the row of a bulk change
	transferLineActions = 4 // the stock item, its ledger entry, the stock level and the transfer
)

// MaxTransferLines is the maximum number of lines of a transfer.
const MaxTransferLines = (table.MaxActions - transferActions) / transferLineActions

// TransferSheet contains products to send from one warehouse to another.
type TransferSheet struct {
	SourceID, TargetID string
	Reason             string // may be ""
	Token              string // form token
	Lines              []TransferLine

	Wrong InputErrors // the errors of quantities that could not be parsed
}

// TransferLine is a line of a transfer. Each product has one line.
type TransferLine struct {
	ProductID string
	Quantity  int // 0 if nothing is sent; the line is then ignored
}

// TransferTargets lists the warehouses to which stock can be sent from a warehouse: up to
// MaxLimit that are not archived, without the warehouse itself. A manager can also send
// to warehouses that they do not manage.
func (a Access) TransferTargets(ctx context.Context, sourceID string) ([]Warehouse, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	if err := a.requireWarehouse(sourceID); err != nil {
		return nil, err
	}
	found, err := a.store.As(&User{Role: Admin}).Warehouses(ctx, NotArchived, Page{Limit: MaxLimit})
	if err != nil {
		return nil, err
	}
	var targets []Warehouse
	for _, w := range found.Rows {
		if w.ID != sourceID {
			targets = append(targets, w)
		}
	}
	return targets, nil
}

// SendTransfer takes the quantities of all lines from the stock of the source, and adds a
// transfer in transit for each line with a quantity, in one transaction. It returns
// NotFound if the user does not manage the source, or Invalid with the field of the line.
func (a Access) SendTransfer(ctx context.Context, s TransferSheet) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	return a.sendTransferAnd(ctx, s, nil)
}

// sendTransferAnd sends a transfer. If the argument also is not nil, sendTransferAnd calls
// it to add another write to the transaction. A condition of this write must make sure that
// the transfer is sent only once.
func (a Access) sendTransferAnd(ctx context.Context, s TransferSheet, also func(*change)) error {
	if err := a.requireWarehouse(s.SourceID); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	return retryOnConflict(ctx, func() error { return a.sendTransfer(ctx, s, also) })
}

// check trims and checks the fields without reading the table.
func (s *TransferSheet) check() error {
	wrong := slices.Clone(s.Wrong)
	if s.TargetID == "" || s.TargetID == s.SourceID {
		wrong.Reject("to", "Choose another warehouse.")
	}
	if err := wrong.Add(checkLine("reason", &s.Reason)); err != nil {
		return err
	}
	if len(s.Lines) > MaxTransferLines {
		wrong.Reject(FieldLines, "A transfer can have at most %d lines. Send the others with another transfer.", MaxTransferLines)
	}
	isEmpty := true
	products := map[string]bool{}
	for i, line := range s.Lines {
		field := SheetField("quantity", i+1)
		switch {
		case line.Quantity < 0 || line.Quantity > maxQuantity:
			wrong.Reject(field, "Enter a whole number from 1 to %s, or leave it empty.", maxQuantityText)
		case products[line.ProductID]:
			wrong.Reject(field, "This product is already on another line.")
		}
		if line.Quantity != 0 || wrong.Has(field) {
			isEmpty = false
		}
		products[line.ProductID] = true
	}
	if isEmpty {
		wrong.Reject(FieldLines, "Enter the quantity of at least one product.")
	}
	return wrong.Err()
}

// sourceLines converts the lines to a DeliverySheet, so that SheetDetails can read
// their products and stock.
func (s *TransferSheet) sourceLines() DeliverySheet {
	sheet := DeliverySheet{WarehouseID: s.SourceID}
	for _, line := range s.Lines {
		sheet.Lines = append(sheet.Lines, SheetLine{ProductID: line.ProductID, Quantity: line.Quantity})
	}
	return sheet
}

// TransferStockDetails makes a consistent read of the products and the stock at the
// source, with one request.
func (a Access) TransferStockDetails(ctx context.Context, s TransferSheet) ([]SheetLineDetails, error) {
	return a.SheetDetails(ctx, s.sourceLines())
}

func (a Access) sendTransfer(ctx context.Context, s TransferSheet, also func(*change)) error {
	partition := partitionOf(getWarehouse, "warehouseID", s.SourceID)
	if applied, err := a.store.alreadyApplied(ctx, partition, s.Token); applied || err != nil {
		return err
	}
	source, target, err := a.transferPlaces(ctx, s.SourceID, s.TargetID)
	switch {
	case err != nil:
		return err
	case source == nil:
		return fail(NotFound, "Warehouse %s not found.", s.SourceID)
	case target == nil:
		return InvalidField("to", "Warehouse %s not found.", s.TargetID)
	case target.Archived:
		return InvalidField("to", "Warehouse %s is archived. Choose another one.", nameOrID(target.Name, target.ID))
	}
	details, err := a.TransferStockDetails(ctx, s)
	if err != nil {
		return err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, s.Token)
	if err != nil {
		return err
	}
	var wrong InputErrors
	sent, pieces := 0, 0
	for i, line := range s.Lines {
		if line.Quantity == 0 {
			continue
		}
		item := &details[i].Stock
		if line.Quantity > item.Quantity {
			wrong.Reject(SheetField("quantity", i+1), "Only %d in stock at %s.", item.Quantity, nameOrID(source.Name, source.ID))
			continue
		}
		id, err := a.store.ids.New()
		if err != nil {
			return err
		}
		t := &Transfer{
			ID: id, ProductID: line.ProductID, SourceID: s.SourceID, TargetID: s.TargetID, Name: item.Name,
			Sent: today, Reason: s.Reason, By: c.by, Quantity: line.Quantity, Version: 1,
		}
		c.Create(t)
		c.countTransit(nil, t)
		c.moveStockInSteps(item, stockStep{delta: -line.Quantity, reason: ledgerReason("Transfer to %s", nameOrID(target.Name, target.ID), s.Reason), transferID: id})
		sent, pieces = sent+1, pieces+line.Quantity
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	event := Event{
		Partition: partition, What: EventTransferSent, Subject: s.TargetID, Why: cmp.Or(c.why, s.Reason),
		After: NumberOf(pieces, "piece", "pieces") + " of " + productCount(sent),
	}
	if also == nil {
		c.recordEventOnce(event)
		return c.Commit(ctx)
	}
	also(c)
	c.recordEvent(event)
	return c.Commit(ctx)
}

// countTransit updates the incoming stock of the product after a change of the
// quantity in transit. before is nil for a new transfer.
func (c *change) countTransit(before, after *Transfer) {
	n := after.InTransit()
	if before != nil {
		n -= before.InTransit()
	}
	c.countStock(after.ProductID, StockLevel{Incoming: n})
}
