package exchange

import (
	"cmp"
	"fmt"
	"slices"

	"stockroom/store"
)

// completeLines completes the name, SKU, price and shipped quantity of lines.
func (d *dataset) completeLines(o *orderRows) *orderError {
	for _, i := range o.packed {
		i.value.Name = cmp.Or(i.value.Name, d.productName(i.value.ProductID))
	}
	for _, l := range o.lines {
		line, product := l.value, d.products[l.value.ProductID]
		if product == nil && !l.has("Price") {
			return orderErrorf(l.parsedRow, "Price is missing, and product %s is not among the imported items. Add the price or the product.", line.ProductID)
		}
		if !l.has("Price") {
			line.Price = product.Price
		}
		if product != nil {
			line.Name, line.SKU = cmp.Or(line.Name, product.Name), cmp.Or(line.SKU, product.SKU)
		}
	}
	o.completeShipped()
	return nil
}

// completeShipped computes the shipped quantities that lines lack from the shipments. If an
// order in CSV files has no shipment items, it uses the order's status: all units of a line
// count as shipped, or none.
func (o *orderRows) completeShipped() {
	packed := o.packedQuantities()
	isShipped := len(o.orders) > 0 && slices.Contains([]store.OrderStatus{store.OrderShipped, store.OrderDelivered, store.OrderReturned}, o.orders[0].value.Status)
	for _, l := range o.lines {
		switch {
		case !l.lacks("Shipped"):
		case l.row.csv != nil && isShipped && len(o.packed) == 0 && !l.value.Cancelled:
			l.value.Shipped = l.value.Quantity
		default:
			l.value.Shipped = min(l.value.Quantity, packed[l.value.ProductID])
		}
	}
}

// packedQuantities returns the quantities in the shipments of the order, by product ID. It
// omits unpacked shipments.
func (o *orderRows) packedQuantities() map[string]int {
	unpacked := map[string]bool{}
	for _, s := range o.shipments {
		unpacked[s.value.ID] = s.value.Status == store.ShipmentUnpacked
	}
	packed := map[string]int{}
	for _, i := range o.packed {
		if !unpacked[i.value.ShipmentID] {
			packed[i.value.ProductID] += i.value.Quantity
		}
	}
	return packed
}

// computable lists, by entity, the attributes that can be computed from other rows of the
// order, or copied from the customer or product.
var computable = map[string][]string{
	kindOrder:        {"Date", "Status", "Total", "ItemCount", "CustomerName", "PaymentState", "ShipmentState"},
	kindOrderItem:    {"Date", "Name", "SKU", "Price", "Shipped", "Cancelled"},
	kindInvoice:      {"Date", "Status"},
	kindShipment:     {"Status"},
	kindShipmentItem: {"Name"},
}

// lacks reports whether the row has no value for an attribute. In CSV, only a missing
// column counts, because an empty cell is a value.
func (r *parsedRow) lacks(name string) bool {
	if r.row.csv != nil {
		return r.row.csv.index(name) < 0
	}
	return !r.has(name)
}

// computed returns the computable attributes that the row lacks. If the import
// cancelled the line, they include Cancelled.
func (r *parsedRow) computed() (names []string) {
	for _, name := range computable[r.kind.name] {
		if r.lacks(name) || r.cancelled && name == "Cancelled" {
			names = append(names, name)
		}
	}
	return names
}

// completeStates sets the missing statuses of invoices and shipments.
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

// completeSums sets the order's missing total, item count, customer name and statuses. If
// the order is cancelled, it also cancels its lines.
func (o *orderRows) completeSums(customerName string) {
	row := o.orders[0]
	order := row.value
	order.CustomerName = cmp.Or(order.CustomerName, customerName)
	total, units := o.sums()
	if row.lacks("Total") {
		order.Total = total
	}
	if row.lacks("ItemCount") {
		order.ItemCount = units
	}
	d := o.details()
	d.CompleteStates()
	if row.lacks("Status") {
		order.Status = d.Status
	}
	if row.lacks("PaymentState") {
		order.PaymentState = d.PaymentState
	}
	if row.lacks("ShipmentState") {
		order.ShipmentState = d.ShipmentState
	}
	for _, l := range o.lines {
		if order.Status == store.OrderCancelled { // open lines would keep stock committed, and a cancelled order cannot be cancelled again
			l.cancelled, l.value.Cancelled = !l.value.Cancelled, true
		}
	}
}

// sums returns the total value and the total quantity of the lines.
func (o *orderRows) sums() (total store.Amount, units int) {
	for _, l := range o.lines {
		total = total.Plus(l.value.Total())
		units += l.value.Quantity
	}
	return total, units
}

// details returns the order with its lines, invoices and shipments.
func (o *orderRows) details() *store.OrderDetails {
	d := &store.OrderDetails{Order: *o.orders[0].value}
	for _, l := range o.lines {
		d.Items = append(d.Items, *l.value)
	}
	for _, i := range o.invoices {
		d.Invoices = append(d.Invoices, *i.value)
	}
	for _, s := range o.shipments {
		d.Shipments = append(d.Shipments, store.ShipmentDetails{Shipment: *s.value})
	}
	return d
}

// checkSums objects to sums of the order that do not match its rows. The argument
// hasLines is false if the import has no lines.
func (o *orderRows) checkSums(hasLines bool) {
	row := o.orders[0]
	order := row.value
	total, units := o.sums()
	var invoiced store.Amount
	for _, i := range o.invoices {
		invoiced = invoiced.Plus(i.value.Amount)
	}
	for _, n := range o.notes {
		if n.value.Reason == store.CreditEdited {
			invoiced = invoiced.Minus(n.value.Amount)
		}
	}
	switch {
	case hasLines && total.Compare(order.Total) != 0:
		row.object("Total is %s, but the lines add up to %s.", order.Total, total)
	case hasLines && order.ItemCount != 0 && order.ItemCount != units:
		row.object("ItemCount is %d, but the quantities of the lines add up to %d.", order.ItemCount, units)
	case invoiced.Compare(order.Total) > 0:
		row.object("the invoices add up to %s, more than the Total of %s.", invoiced, order.Total)
	}
	packed := o.packedQuantities()
	for _, l := range o.lines {
		if n, line := packed[l.value.ProductID], l.value; n > line.Quantity || n > 0 && line.Shipped > 0 && n != line.Shipped {
			l.object("Quantity is %d and Shipped is %d, but the shipments contain %d.", line.Quantity, line.Shipped, n)
		}
	}
}

// object records an objection to a sum. Only a lenient import then accepts the order.
func (r *parsedRow) object(format string, args ...any) {
	r.row.objection = "The sums of the order are wrong: " + fmt.Sprintf(format, args...)
}
