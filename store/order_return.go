package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
)

// ReturnRequest is a request to record returned items of an order.
type ReturnRequest struct {
	OrderID     string
	Version     int            // version of the order that the form showed
	Quantities  map[string]int // returned quantities by product ID; 0 for products that are not in the map
	WarehouseID string         // the warehouse to whose stock the items are added; "" to add them to no stock
	Why         string

	Wrong InputErrors // errors of quantities that could not be parsed
}

// maxReturnLines is the maximum number of lines of a return. For an order with many
// invoices, the maximum is lower.
const maxReturnLines = 18

// returnActions is the maximum number of actions for a returned line: the order line, the
// stock item, the ledger entry, the stock level, and a check of the product if it is new in
// the warehouse. A transaction can have 100 actions
// (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html).
const returnActions = 5

// QuantityField returns the name of the form field with the quantity of a product.
func QuantityField(productID string) string { return quantityPrefix + productID }

const quantityPrefix = "quantity-"

func isAboutQuantity(e *Error) bool {
	return e.Field == FieldQuantities || strings.HasPrefix(e.Field, quantityPrefix)
}

// ReturnItems records returned items, and credits them with a credit note for each invoice
// that billed them. Only items that have left the warehouse can be returned; packed items
// can be unpacked instead. If the request names a warehouse, the items are added to its
// stock.
//
// ReturnItems returns NotFound if there is no such order or the user does not manage the
// warehouse. It returns Conflict if the order has another version, or is already cancelled
// or returned. It returns Invalid if the reason or all quantities are missing, if a
// quantity is too large, if too many lines are returned at once, or if the warehouse is
// archived.
//
// When the last items are returned, all shipments are marked as returned. If there are too
// many shipments for one transaction, more transactions mark them. If one of these fails,
// the return is recorded nevertheless. ReturnItems then returns an error of the kind
// Unfinished, and the flag Unfinished of the order stays set.
func (a Access) ReturnItems(ctx context.Context, r ReturnRequest, token string) error {
	if err := a.require(Sell); err != nil {
		return err
	}
	why, err := checkReason(r.Why)
	if err := r.Wrong.Add(err); err != nil {
		return err
	}
	if r.WarehouseID != "" {
		if err := a.requireWarehouse(r.WarehouseID); err != nil {
			return err
		}
	}
	steps, audience := false, newsForAll
	if r.WarehouseID != "" {
		audience = WarehouseScope + r.WarehouseID
	}
	err = a.changeOrder(ctx, r.OrderID, token, func(o *orderChange) error {
		if err := requireVersion(r.Version, o.Version); err != nil {
			return err
		}
		if o.ended() {
			return fail(Conflict, "Nothing of this order can be returned, because the order is already cancelled or returned.")
		}
		wrong := slices.Clone(r.Wrong)
		if err := wrong.Add(o.requireLines(r.Quantities)); err != nil {
			return err
		}
		before := o.keptByInvoice()
		lines, event := o.returnLines(r.Quantities, a.Returnable(&o.OrderDetails), &wrong)
		if err := wrong.Err(); err != nil {
			return err
		}
		event.Why, event.Audience = why, audience
		o.recordOrderEvent(event)
		returned := o.dropCredits(before)
		o.credits = credits{reason: CreditReturned, lines: o.addCredits(returned)}
		left := o.actionsLeft() - documentActions(creditedInvoices(returned))
		if most := max(1, min(maxReturnLines, left/returnActions)); lines > most {
			return InvalidField(FieldQuantities, "Return at most %s at once. Record the others separately.", NumberOf(most, "line", "lines"))
		}
		if o.becomesReturned() {
			o.markShipmentsReturned(left - lines*returnActions)
		}
		steps = o.Unfinished
		return o.restockReturn(ctx, r, why)
	})
	if err != nil || !steps {
		return r.Wrong.Before(err)
	}
	return a.FinishOrder(ctx, r.OrderID) // if this fails, the page of the order shows the button Finish change
}

// returnLines adds the returned quantities to the lines. It adds errors about quantities to
// the argument wrong. It returns the number of changed lines, and an event with the returned
// quantities.
func (o *orderChange) returnLines(quantities, returnable map[string]int, wrong *InputErrors) (lines int, event Event) {
	var e edits
	for i := range o.Items {
		line := &o.Items[i]
		n, most := quantities[line.ProductID], returnable[line.ProductID]
		if n == 0 {
			continue
		}
		switch {
		case 0 <= n && n <= most:
		case n > most && n <= line.unreturned():
			wrong.Reject(QuantityField(line.ProductID), "Enter 0 to %d. The other pieces are packed, not shipped: unpack their shipment instead.", most)
			continue
		default:
			wrong.Reject(QuantityField(line.ProductID), "Enter 0 to %d.", most)
			continue
		}
		lines++
		e.field(line.label(), countOrEmpty(line.Returned), countOrEmpty(line.Returned+n))
		line.Returned += n
	}
	if lines == 0 && !slices.ContainsFunc(*wrong, isAboutQuantity) {
		wrong.Reject(FieldQuantities, "Enter a quantity for at least one item.")
	}
	event, _ = e.event("", EventOrderReturned)
	return lines, event
}

// CanReturnItems reports whether the user can record a return of the order.
func (a Access) CanReturnItems(d *OrderDetails) bool {
	for _, n := range a.Returnable(d) {
		if n > 0 {
			return d.CanReturn()
		}
	}
	return false
}

// Returnable returns, by product ID, the quantities that the user can record as returned,
// or nil if the user may not record returns or the order is cancelled or returned. Packed
// items cannot be returned, because they have not left the warehouse.
func (a Access) Returnable(d *OrderDetails) map[string]int {
	if a.require(Sell) != nil || d.ended() {
		return nil
	}
	quantities, packed := map[string]int{}, d.packed()
	for i := range d.Items {
		quantities[d.Items[i].ProductID] = d.Items[i].returnable(packed)
	}
	return quantities
}

// markShipmentsReturned marks all shipments of a completely returned order as returned. The
// argument left is the number of actions that still fit into the transaction. If it is too
// small, markShipmentsReturned sets Unfinished instead.
func (o *orderChange) markShipmentsReturned(left int) {
	o.Unfinished = len(o.Shipments) > left
	if !o.Unfinished {
		o.markShipments(left)
	}
}

// markShipments marks shipments as returned, except unpacked ones. most is the maximum
// number of shipments to mark. The result all is true if no shipment is left to mark.
func (o *orderChange) markShipments(most int) (all bool) {
	for i := range o.Shipments {
		s := &o.Shipments[i]
		switch {
		case s.Status == ShipmentReturned || s.Status == ShipmentUnpacked:
		case most == 0:
			return false
		default:
			s.Status = ShipmentReturned
			most--
		}
	}
	return true
}

// restockReturn adds the returned items to the stock of the warehouse in the request, if it
// names one.
func (o *orderChange) restockReturn(ctx context.Context, r ReturnRequest, why string) error {
	if r.WarehouseID == "" {
		return nil
	}
	w, err := readConsistently[*Warehouse](ctx, o.store, getWarehouse, key.Map{"warehouseID": r.WarehouseID})
	switch {
	case err != nil:
		return err
	case w.Archived:
		return InvalidField(FieldWarehouse, "%s is archived. Choose another warehouse.", nameOrID(w.Name, w.ID))
	}
	return o.restock(ctx, r.WarehouseID, r.Quantities, returnedReason+": "+why)
}

// restock adds items of the order to the stock of a warehouse. quantities contains their
// quantities by product ID. reason is the reason in the stock ledger.
func (o *orderChange) restock(ctx context.Context, warehouseID string, quantities map[string]int, reason string) error {
	stock, err := o.stockIn(ctx, warehouseID, quantities)
	if err != nil {
		return err
	}
	var added []*WarehouseItem
	for i := range o.Items {
		if line := &o.Items[i]; quantities[line.ProductID] > 0 && stock[line.ProductID] == nil {
			item := &WarehouseItem{ProductID: line.ProductID, WarehouseID: warehouseID, Name: line.Name}
			stock[line.ProductID] = item
			added = append(added, item)
		}
	}
	if err := o.nameNewStock(ctx, added...); err != nil {
		return err
	}
	for i := range o.Items {
		if id := o.Items[i].ProductID; quantities[id] > 0 {
			o.moveStock(stock[id], quantities[id], reason, o.ID)
		}
	}
	return nil
}
