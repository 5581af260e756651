package store

import (
	"context"
	"slices"
	"strconv"

	"stockroom/store/key"
	"stockroom/store/table"
)

// MaxSheetLines is the maximum number of lines of a delivery sheet. A line takes up to
// six of the 100 actions of a transaction, for the stock, ledger entry, stock level,
// expected delivery, event of a new bin, and product. The event of the sheet takes one
// more action.
const MaxSheetLines = 16

// DeliverySheet lists the goods that arrived in a warehouse.
type DeliverySheet struct {
	WarehouseID string
	Reason      string
	Token       string // form token
	Lines       []SheetLine

	Wrong InputErrors // errors found by the caller: quantities that could not be parsed
}

// SheetLine is a line of a delivery sheet. A product can have several lines, for several
// expected deliveries.
type SheetLine struct {
	ProductID  string
	Quantity   int    // 0 if nothing arrived; the line is then ignored
	Bin        string // "" keeps the bin
	DeliveryID string // ID of the expected delivery; "" for an unexpected delivery
	Seen       int    // version of the expected delivery that the form showed
	Confirmed  int    // quantity that the user confirmed, although it is much more than expected; 0 for none
}

// SheetField returns the name of a field of a line, for errors. The first line is 1.
func SheetField(name string, line int) string { return name + "-" + strconv.Itoa(line) }

// SheetLineDetails contains the stored records of a line of a delivery sheet.
type SheetLineDetails struct {
	Product  *Product          // nil if the product does not exist
	Stock    WarehouseItem     // its Version is 0 if the product was never in the warehouse
	Delivery *ExpectedDelivery // nil if the line has no expected delivery
}

// SheetDetails makes a consistent read of the products, the stock and the expected
// deliveries of a delivery sheet, with one request. It returns the details of each
// line, or NotFound if the user does not manage the warehouse.
func (a Access) SheetDetails(ctx context.Context, s DeliverySheet) ([]SheetLineDetails, error) {
	if err := a.require(ChangeStock); err != nil {
		return nil, err
	}
	if err := a.requireWarehouse(s.WarehouseID); err != nil {
		return nil, err
	}
	products, stock, deliveries := map[string]*Product{}, map[string]*WarehouseItem{}, map[string]*ExpectedDelivery{}
	var lookups []table.Lookup
	look := func(line SheetLine) {
		if _, listed := products[line.ProductID]; !listed {
			products[line.ProductID] = nil
			values := key.Map{"productID": line.ProductID, "warehouseID": s.WarehouseID}
			lookups = append(lookups,
				foundIn(products, line.ProductID, getProduct, values),
				foundIn(stock, line.ProductID, getStockInWarehouse, values))
		}
		if _, listed := deliveries[line.DeliveryID]; !listed && key.CheckID(line.DeliveryID) == nil {
			deliveries[line.DeliveryID] = nil
			values := key.Map{"productID": line.ProductID, "warehouseID": s.WarehouseID, "deliveryID": line.DeliveryID}
			lookups = append(lookups, foundIn(deliveries, line.DeliveryID, getDelivery, values))
		}
	}
	for _, line := range s.Lines {
		if key.CheckID(line.ProductID) == nil {
			look(line)
		}
	}
	if len(lookups) > 0 {
		if err := a.store.table.LookUp(ctx, lookups, true); err != nil {
			return nil, err
		}
	}
	details := make([]SheetLineDetails, len(s.Lines))
	for i, line := range s.Lines {
		d := &details[i]
		d.Product, d.Delivery = products[line.ProductID], deliveries[line.DeliveryID]
		d.Stock = WarehouseItem{ProductID: line.ProductID, WarehouseID: s.WarehouseID}
		if item := stock[line.ProductID]; item != nil {
			d.Stock = *item
		} else if d.Product != nil {
			d.Stock.Name = d.Product.Name
		}
	}
	return details, nil
}

// foundIn returns a lookup of one record. If the record exists, the lookup stores it in the
// map found, under the key id.
func foundIn[E Entity](found map[string]E, id string, p *Pattern, values key.Map) table.Lookup {
	return table.Lookup{Pattern: p, Values: values, Found: func(row Row) error {
		e, err := table.DecodeAs[E](schema, row, nil)
		found[id] = e
		return err
	}}
}

// ReceiveSheet adds all lines with a quantity to the stock and to the expected
// deliveries, in one transaction. It returns NotFound, Invalid with the field of the
// line, or Conflict if an expected delivery has changed since the form was shown. It returns
// Invalid for the field "confirmed" of a line if its quantity is much more than expected and
// the user has not confirmed it.
func (a Access) ReceiveSheet(ctx context.Context, s DeliverySheet) error {
	if err := a.require(ChangeStock); err != nil {
		return err
	}
	if err := a.requireWarehouse(s.WarehouseID); err != nil {
		return err
	}
	var err error
	s.Reason, err = checkText("reason", s.Reason, "Enter a reason.")
	if err := s.Wrong.Add(err); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	return retryOnConflict(ctx, func() error { return a.receiveSheet(ctx, s) })
}

// check trims the bins. It returns Invalid if there are more than MaxSheetLines lines or
// no quantities, if a quantity is negative or more than maxQuantity, if checkBin rejects
// a bin, or if two lines have the same expected delivery. It does not read the table.
func (s *DeliverySheet) check() error {
	wrong := slices.Clone(s.Wrong)
	if len(s.Lines) > MaxSheetLines {
		wrong.Reject(FieldLines, "A delivery sheet can have at most %d lines. Receive the others on another sheet.", MaxSheetLines)
	}
	isEmpty := true
	deliveries := map[string]bool{}
	for i := range s.Lines {
		line, field := &s.Lines[i], SheetField("quantity", i+1)
		if line.Quantity < 0 || line.Quantity > maxQuantity {
			wrong.Reject(field, "Enter a whole number from 1 to %s, or leave it empty.", maxQuantityText)
		}
		if err := wrong.Add(checkBin(SheetField("bin", i+1), &line.Bin)); err != nil {
			return err
		}
		if line.DeliveryID != "" && deliveries[line.DeliveryID] {
			wrong.Reject(field, "This expected delivery is already on another line.")
		}
		if line.Quantity != 0 || wrong.Has(field) {
			isEmpty = false
		}
		deliveries[line.DeliveryID] = true
	}
	if isEmpty {
		wrong.Reject(FieldLines, "Enter the quantity of at least one product.")
	}
	return wrong.Err()
}

func (a Access) receiveSheet(ctx context.Context, s DeliverySheet) error {
	partition := partitionOf(getWarehouse, "warehouseID", s.WarehouseID)
	if applied, err := a.store.alreadyApplied(ctx, partition, s.Token); applied || err != nil {
		return err
	}
	warehouse, err := readConsistently[*Warehouse](ctx, a.store, getWarehouse, key.Map{"warehouseID": s.WarehouseID})
	if err != nil {
		return err
	}
	details, err := a.SheetDetails(ctx, s)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, s.Token)
	if err != nil {
		return err
	}
	received, err := s.add(c, details)
	if err == nil && warehouse.Archived {
		err = InvalidField("", "Warehouse %s is archived. Restore it first.", nameOrID(warehouse.Name, warehouse.ID))
	}
	if err != nil {
		return err
	}
	pieces := 0
	for _, r := range received {
		c.moveStockInSteps(r.item, r.steps...)
		pieces += r.pieces
	}
	c.recordEventOnce(Event{
		Partition: partition, What: EventSheetReceived, Why: s.Reason,
		After: NumberOf(pieces, "piece", "pieces") + " of " + productCount(len(received)),
	})
	for _, r := range received {
		r.recordBin(c)
	}
	return c.Commit(ctx)
}

// recordBin records the event of a changed bin. The form for the reorder point and bin
// records the same event.
func (r *receivedStock) recordBin(c *change) {
	before := r.before
	if before.Bin == r.item.Bin {
		return
	}
	c.recordEvent(Event{
		Partition: productPartition(r.item.ProductID), What: EventReorderPointSet, Subject: r.item.WarehouseID,
		Before: reorderText(&before), After: reorderText(r.item), Values: eventValues(reorderValues(&before, r.item)...),
	})
}

// receivedStock is the stock of one product, with the pieces that a delivery sheet
// adds. Each line of the product is a step.
type receivedStock struct {
	item   *WarehouseItem
	pieces int
	steps  []stockStep
	bin    string // the new bin; "" keeps the old bin
	before WarehouseItem
}

// add updates the expected deliveries of the lines with a quantity. It returns the pieces
// to add to the stock of each product.
func (s *DeliverySheet) add(c *change, details []SheetLineDetails) ([]*receivedStock, error) {
	var wrong InputErrors
	for i, line := range s.Lines {
		if line.Quantity == 0 {
			continue
		}
		if err := wrong.Add(line.checkDetails(i+1, &details[i])); err != nil {
			return nil, err
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	var all []*receivedStock
	byProduct := map[string]*receivedStock{}
	for i, line := range s.Lines {
		if line.Quantity == 0 {
			continue
		}
		d := &details[i]
		r := byProduct[line.ProductID]
		if r == nil {
			r = &receivedStock{item: &d.Stock, before: d.Stock}
			byProduct[line.ProductID], all = r, append(all, r)
			if r.item.Version == 0 {
				c.Check(d.Product, d.Product.Version) // fails if the product is renamed at the same time, because the rename could miss the new stock
			}
		}
		r.pieces += line.Quantity
		r.steps = append(r.steps, stockStep{delta: line.Quantity, reason: s.Reason, deliveryID: line.DeliveryID})
		if line.Bin != "" {
			if r.bin != "" && r.bin != line.Bin {
				return nil, InvalidField(SheetField("bin", i+1), "Another line of this product has the bin %s. Enter the same bin, or none.", r.bin)
			}
			r.bin, r.item.Bin = line.Bin, line.Bin
		}
		if r.item.Quantity+r.pieces > maxQuantity {
			return nil, InvalidField(SheetField("quantity", i+1), "The stock can't exceed %s pieces.", maxQuantityText)
		}
		if d.Delivery != nil {
			c.recordReceived(d.Delivery, line.Quantity)
		}
	}
	return all, nil
}

// checkDetails returns Invalid or Conflict if the stored records do not allow line n.
func (line *SheetLine) checkDetails(n int, d *SheetLineDetails) error {
	switch {
	case d.Product == nil:
		return InvalidField(SheetField("quantity", n), "No product has the ID %s.", line.ProductID)
	case d.Product.Archived:
		return InvalidField(SheetField("quantity", n), "This product is archived. Clear its quantity, or ask an admin to restore it.")
	case line.DeliveryID == "":
		return nil
	case d.Delivery == nil || d.Delivery.Version != line.Seen || d.Delivery.Open() == 0:
		return fail(Conflict, "Someone else changed the expected delivery of %s first. Check its line and try again.", nameOrID(d.Product.Name, d.Product.ID))
	}
	if more := line.Quantity - d.Delivery.Open(); line.Confirmed != line.Quantity && isLargeDifference(more, d.Delivery.Open()) {
		return InvalidField(SheetField("confirmed", n), "%d pieces are %d more than expected. Nothing was received yet. Correct the quantity, or choose Receive goods to confirm it.", line.Quantity, more)
	}
	return nil
}

func productCount(n int) string { return NumberOf(n, "product", "products") }
