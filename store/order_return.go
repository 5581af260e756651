package store

import (
	"context"

	"stockroom/store/key"
)

// ReturnRequest is what came back of an order.
type ReturnRequest struct {
	OrderID     string
	Version     int            // of the order, as the form showed it
	Quantities  map[string]int // by product ID; nothing came back of what is not named
	WarehouseID string         // where it is put back into stock; "" where it is not
	Why         string
}

// maxReturn is how many lines come back at once: with stock and its trace
// each takes three of the hundred actions of a transaction.
const maxReturn = 20

// QuantityField names the field of a form that asks how many of a line.
func QuantityField(productID string) string { return "quantity-" + productID }

// ReturnItems takes back what had left. What it cost is taken off the invoice; a
// manager takes back what their own warehouses sent, into these.
func (a Access) ReturnItems(ctx context.Context, r ReturnRequest, once string) error {
	if err := a.require(TakeReturns); err != nil {
		return err
	}
	why, err := reason(r.Why)
	if err != nil {
		return err
	}
	if r.WarehouseID != "" {
		if err := a.requireWarehouse(r.WarehouseID); err != nil {
			return err
		}
	}
	return a.changeOrder(ctx, r.OrderID, once, func(o *orderChange) error {
		if err := requireVersion(r.Version, o.Version); err != nil {
			return err
		}
		if err := o.requireLines(r.Quantities); err != nil {
			return err
		}
		o.recordOrderEvent(Event{What: "returned", Why: why})
		var worth Amount
		lines := 0
		returnable := a.Returnable(&o.OrderDetails)
		for i := range o.Items {
			line := &o.Items[i]
			n := r.Quantities[line.ProductID]
			if n == 0 {
				continue
			}
			if n < 0 || n > returnable[line.ProductID] {
				return InvalidField(QuantityField(line.ProductID), "From 0 to %d can come back.", returnable[line.ProductID])
			}
			lines++
			line.Returned += n
			worth = worth.Plus(line.Price.Times(n))
		}
		switch {
		case lines == 0:
			return InvalidField("quantities", "Say how many of which line came back.")
		case lines > maxReturn:
			return InvalidField("quantities", "At most %d lines come back at once. Take the others after these.", maxReturn)
		}
		credit(o.Invoices, worth)
		if o.sum((*OrderItem).Kept) == 0 {
			o.cameBack()
		}
		return a.returnToStock(ctx, o, r, why)
	})
}

// CanReturnItems says whether this user may take back something of an order.
func (a Access) CanReturnItems(d *OrderDetails) bool {
	for _, n := range a.Returnable(d) {
		if n > 0 {
			return d.CanReturn()
		}
	}
	return false
}

// Returnable is how many of each product this user may take back of an order.
func (a Access) Returnable(d *OrderDetails) map[string]int {
	if a.require(TakeReturns) != nil {
		return nil
	}
	all := map[string]int{}
	for i := range d.Items {
		all[d.Items[i].ProductID] = d.Items[i].Returnable()
	}
	if a.user.Role != Manager {
		return all
	}
	sent := map[string]int{}
	for _, p := range a.ownShipments(d.Shipments) {
		for _, item := range p.Items {
			sent[item.ProductID] += item.Quantity
		}
	}
	for product, n := range all {
		all[product] = min(n, sent[product])
	}
	return all
}

// cameBack marks the parcels of an order of which nothing was kept.
func (o *orderChange) cameBack() {
	for i := range o.Shipments {
		o.Shipments[i].Status = ShipmentReturned
	}
}

// restock puts what came back into the stock of a warehouse.
func (a Access) returnToStock(ctx context.Context, o *orderChange, r ReturnRequest, why string) error {
	if r.WarehouseID == "" {
		return nil
	}
	if _, err := readConsistently[*Warehouse](ctx, a.store, getWarehouse, key.Map{"warehouseID": r.WarehouseID}); err != nil {
		return err
	}
	stock, err := o.stockIn(ctx, r.WarehouseID, r.Quantities)
	if err != nil {
		return err
	}
	for i := range o.Items {
		line := &o.Items[i]
		if n := r.Quantities[line.ProductID]; n > 0 {
			item := stock[line.ProductID]
			if item == nil {
				item = &WarehouseItem{ProductID: line.ProductID, WarehouseID: r.WarehouseID, Name: line.Name}
			}
			o.moveStock(item, n, "returned: "+why, o.ID)
		}
	}
	return nil
}
