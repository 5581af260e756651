package exchange

import (
	"cmp"

	"stockroom/store"
)

// completeLines adds to lines the name, SKU and price of their product, and the
// shipped quantity.
func (d *dataset) completeLines(o *orderRows) *orderError {
	packed := map[string]int{}
	for _, i := range o.packed {
		i.value.Name = cmp.Or(i.value.Name, d.productName(i.value.ProductID))
		packed[i.value.ProductID] += i.value.Quantity
	}
	for _, l := range o.lines {
		line, product := l.value, d.products[l.value.ProductID]
		if product == nil && !l.has("Price") {
			return orderErrorf(l.parsedRow, "Price is missing, and the file does not contain product %s. Add one of them.", line.ProductID)
		}
		if !l.has("Price") {
			line.Price = product.Price
		}
		if product != nil {
			line.Name, line.SKU = cmp.Or(line.Name, product.Name), cmp.Or(line.SKU, product.SKU)
		}
		if !l.has("Shipped") {
			line.Shipped = min(line.Quantity, packed[line.ProductID])
		}
	}
	return nil
}

// completeStates sets the status of invoices and shipments without one.
func (o *orderRows) completeStates() {
	for _, i := range o.invoices {
		if i.value.Status == "" {
			i.value.Status = i.value.StatusFromPayments()
		}
	}
	for _, s := range o.shipments {
		s.value.Status = cmp.Or(s.value.Status, store.ShipmentSent)
	}
}

// completeSums sets the total, item count and states of an order without them.
// The customer may be nil.
func (o *orderRows) completeSums(customer *store.Customer) {
	row := o.orders[0]
	order := row.value
	var total store.Amount
	units, shipped := 0, 0
	for _, l := range o.lines {
		total = total.Plus(l.value.Total())
		units += l.value.Quantity
		shipped += l.value.Shipped
	}
	if !row.has("Total") {
		order.Total = total
	}
	if !row.has("ItemCount") {
		order.ItemCount = units
	}
	if customer != nil {
		order.CustomerName = cmp.Or(order.CustomerName, customer.Name)
	}
	order.PaymentState = cmp.Or(order.PaymentState, o.paymentState())
	order.ShipmentState = cmp.Or(order.ShipmentState, o.shipmentState(units, shipped))
	order.Status = cmp.Or(order.Status, statusOf(order))
	for _, l := range o.lines {
		if !l.has("Cancelled") {
			l.value.Cancelled = order.Status == store.OrderCancelled
		}
	}
}

func statusOf(o *store.Order) store.OrderStatus {
	switch {
	case o.ShipmentState == store.FullyShipped:
		return store.OrderShipped
	case o.PaymentState == store.InvoicePaid:
		return store.OrderPaid
	}
	return store.OrderOpen
}

// paymentState returns the status that all invoices have, or partly paid if
// they differ. Void invoices count only if there are no others.
func (o *orderRows) paymentState() store.InvoiceStatus {
	state := store.InvoiceStatus("")
	for _, i := range o.invoices {
		switch {
		case state == "" || state == store.InvoiceVoid:
			state = i.value.Status
		case i.value.Status != state && i.value.Status != store.InvoiceVoid:
			state = store.InvoicePartial
		}
	}
	return state
}

// shipmentState returns how much of the order has shipped. A shipment without
// contents counts as a partial shipment.
func (o *orderRows) shipmentState(units, shipped int) store.ShipmentState {
	switch {
	case shipped == 0 && len(o.shipments) == 0:
		return store.NothingShipped
	case shipped < units || units == 0:
		return store.PartlyShipped
	}
	return store.FullyShipped
}
