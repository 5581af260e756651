package store

import (
	"slices"
	"strconv"
	"strings"
)

// The event of an order change contains the values that the change replaced.
// EventValue.Part identifies the changed line, invoice, credit note or shipment by a prefix
// and its ID, such as p#p07 for the line of product p07. For the order itself, it is "". If
// the change adds a line, invoice, credit note or shipment, the event contains only the
// fact that it was added. Changes can remove lines, but never invoices, credit notes or
// shipments.

// valueExists is the name of the EventValue that says whether a line, invoice, credit note
// or shipment exists.
const valueExists = "exists"

// Fields of orders, lines, invoices and shipments whose values a change can replace. The
// delivery address is in ShipToFields.
var (
	orderFields = Fields[Order]{
		textField("status", "Status", func(o *Order) *string { return (*string)(&o.Status) }),
		moneyField("total", "Total", func(o *Order) *Amount { return &o.Total }),
		countField("items", "Items", 0, maxQuantity, func(o *Order) *int { return &o.ItemCount }),
		textField("payment", "Payment", func(o *Order) *string { return (*string)(&o.PaymentState) }),
		textField("shipment", "Shipment", func(o *Order) *string { return (*string)(&o.ShipmentState) }),
		flagField("unfinished", "Unfinished", func(o *Order) *bool { return &o.Unfinished }),
	}
	lineFields = Fields[OrderItem]{
		countField("quantity", "Quantity", 0, maxQuantity, func(i *OrderItem) *int { return &i.Quantity }),
		countField("shipped", "Shipped", 0, maxQuantity, func(i *OrderItem) *int { return &i.Shipped }),
		countField("returned", "Returned", 0, maxQuantity, func(i *OrderItem) *int { return &i.Returned }),
		flagField("cancelled", "Cancelled", func(i *OrderItem) *bool { return &i.Cancelled }),
	}
	removedLineFields = slices.Concat(lineFields, Fields[OrderItem]{ // fields of a line that a change removes
		textField("name", "Name", func(i *OrderItem) *string { return &i.Name }),
		textField("sku", "SKU", func(i *OrderItem) *string { return &i.SKU }),
		moneyField("price", "Price", func(i *OrderItem) *Amount { return &i.Price }),
	})
	invoiceFields = Fields[Invoice]{
		textField("status", "Status", func(i *Invoice) *string { return (*string)(&i.Status) }),
		moneyField("credit", "Credit", func(i *Invoice) *Amount { return &i.Credit }),
		sizeField("payments", "Payments", func(i *Invoice) *[]Payment { return &i.Payments }),
		sizeField("lines", "Lines", func(i *Invoice) *[]DocumentLine { return &i.Lines }),
	}
	shipmentFields = Fields[Shipment]{
		textField("status", "Status", func(s *Shipment) *string { return (*string)(&s.Status) }),
		textField("carrier", "Carrier", func(s *Shipment) *string { return &s.Carrier }),
		textField("tracking", "Tracking", func(s *Shipment) *string { return &s.Tracking }),
	}
)

// sizeField returns a field for the length of a list to which changes only append. Parsing
// a length therefore shortens the list to this length.
func sizeField[T, V any](name, label string, of func(*T) *[]V) Field[T] {
	f := newField(InputWhole, name, label, of)
	f.format = func(t *T) string { return strconv.Itoa(len(*of(t))) }
	f.parse = func(t *T, text string) error {
		n, err := strconv.Atoi(text)
		switch list := of(t); {
		case err != nil || n < 0 || n > len(*list):
			return InvalidField(name, "The list has fewer elements than this.")
		case n == 0:
			*list = nil
		default:
			*list = (*list)[:n:n]
		}
		return nil
	}
	return f
}

// orderValues returns the values that differ between before and after.
func orderValues(before, after *OrderDetails) []EventValue {
	values := orderFields.values(&before.Order, &after.Order, "")
	for i := range before.Items {
		line := &before.Items[i]
		if now := after.line(line.ProductID); now != nil {
			values = append(values, lineFields.values(line, now, linePart(line.ProductID))...)
			continue
		}
		values = append(values, EventValue{Name: valueExists, Part: linePart(line.ProductID), Before: "yes"})
		values = append(values, removedLineFields.values(line, &OrderItem{}, linePart(line.ProductID))...)
	}
	for i := range after.Items {
		if product := after.Items[i].ProductID; before.line(product) == nil {
			values = append(values, addedPart(linePart(product)))
		}
	}
	for i := range after.Invoices {
		if invoice := &after.Invoices[i]; i < len(before.Invoices) {
			values = append(values, invoiceFields.values(&before.Invoices[i], invoice, "i#"+invoice.ID)...)
		} else {
			values = append(values, addedPart("i#"+invoice.ID))
		}
	}
	for i := len(before.CreditNotes); i < len(after.CreditNotes); i++ {
		values = append(values, addedPart("cn#"+after.CreditNotes[i].ID))
	}
	for i := range after.Shipments {
		if s := &after.Shipments[i].Shipment; i < len(before.Shipments) {
			values = append(values, shipmentFields.values(&before.Shipments[i].Shipment, s, "s#"+s.ID)...)
		} else {
			values = append(values, addedPart("s#"+s.ID))
		}
	}
	return values
}

func linePart(productID string) string { return "p#" + productID }

func addedPart(part string) EventValue {
	return EventValue{Name: valueExists, Part: part, After: "yes"}
}

func (d *OrderDetails) line(productID string) *OrderItem {
	i := slices.IndexFunc(d.Items, func(i OrderItem) bool { return i.ProductID == productID })
	if i < 0 {
		return nil
	}
	return &d.Items[i]
}

// revert restores the values that the event of an order change contains. It returns why it
// could not restore them, or PastComplete.
func (d *OrderDetails) revert(e *Event) PastGap {
	values := e.values()
	switch {
	case e.Redacted != "":
		return PastErased
	case len(values) == 0:
		return PastNoValues
	}
	for _, v := range values {
		if !d.revertValue(v) {
			return PastNoValues
		}
	}
	return PastComplete
}

// revertValue restores one value. It returns false if the order does not have the part or
// the field of the value, or if the value is malformed.
func (d *OrderDetails) revertValue(v EventValue) bool {
	kind, id, _ := strings.Cut(v.Part, "#")
	if v.Name == valueExists {
		return d.revertPart(kind, id, v.Before == "yes")
	}
	switch kind {
	case "":
		return orderFields.set(&d.Order, v.Name, v.Before)
	case "p":
		line := d.line(id)
		return line != nil && removedLineFields.set(line, v.Name, v.Before)
	case "i":
		n := slices.IndexFunc(d.Invoices, func(i Invoice) bool { return i.ID == id })
		return n >= 0 && invoiceFields.set(&d.Invoices[n], v.Name, v.Before)
	case "s":
		n := slices.IndexFunc(d.Shipments, func(s ShipmentDetails) bool { return s.ID == id })
		return n >= 0 && shipmentFields.set(&d.Shipments[n].Shipment, v.Name, v.Before)
	}
	return false
}

// revertPart removes a part that a change added. If existed is true, the change removed a
// line, and revertPart adds the line again without its values.
func (d *OrderDetails) revertPart(kind, id string, existed bool) bool {
	switch {
	case kind == "p" && existed:
		d.Items = append(d.Items, OrderItem{OrderID: d.ID, ProductID: id, CustomerID: d.CustomerID, Date: d.Date, Version: 1})
		slices.SortFunc(d.Items, func(a, b OrderItem) int { return strings.Compare(a.ProductID, b.ProductID) })
	case kind == "p":
		d.Items = slices.DeleteFunc(d.Items, func(i OrderItem) bool { return i.ProductID == id })
	case kind == "i":
		d.Invoices = slices.DeleteFunc(d.Invoices, func(i Invoice) bool { return i.ID == id })
	case kind == "cn":
		d.CreditNotes = slices.DeleteFunc(d.CreditNotes, func(n CreditNote) bool { return n.ID == id })
	case kind == "s":
		d.Shipments = slices.DeleteFunc(d.Shipments, func(s ShipmentDetails) bool { return s.ID == id })
	default:
		return false
	}
	return true
}
