package store

import (
	"fmt"
	"slices"
	"strings"

	"stockroom/store/table"
)

// orderBooks collects an order with its lines, invoices, credit notes, shipments and
// shipment items.
type orderBooks struct {
	owned     partsWithoutOwner
	orders    []*Order
	keys      []Item // primary keys of the orders
	lines     []*OrderItem
	invoices  []*Invoice
	shipments []*Shipment
	notes     []*CreditNote
	packed    []*ShipmentItem
	items     map[Entity]Item // primary keys of the other collected items
}

func (b *orderBooks) add(e Entity, item Item) {
	rule := CheckOrderParts
	switch e := e.(type) {
	case *Order:
		b.owned.found = true
		b.orders, b.keys = append(b.orders, e), append(b.keys, table.KeyOf(item))
		return
	case *OrderItem:
		b.lines = append(b.lines, e)
	case *Invoice:
		b.invoices = append(b.invoices, e)
	case *CreditNote:
		b.notes = append(b.notes, e)
	case *Shipment:
		b.shipments = append(b.shipments, e)
	case *ShipmentItem:
		b.packed = append(b.packed, e)
	case *Event:
		b.owned.add(newPart(CheckEvent, e, item))
		return
	default:
		return
	}
	if b.items == nil {
		b.items = map[Entity]Item{}
	}
	b.items[e] = table.KeyOf(item)
	b.owned.add(newPart(rule, e, item))
}

// details returns the first order of the partition with its lines, invoices, credit notes
// and shipments.
func (b *orderBooks) details() *OrderDetails {
	d := &OrderDetails{Order: *b.orders[0]}
	for _, line := range b.lines {
		d.Items = append(d.Items, *line)
	}
	for _, invoice := range b.invoices {
		d.Invoices = append(d.Invoices, *invoice)
	}
	sortInvoices(d.Invoices)
	for _, note := range b.notes {
		d.CreditNotes = append(d.CreditNotes, *note)
	}
	for _, shipment := range b.shipments {
		d.Shipments = append(d.Shipments, ShipmentDetails{Shipment: *shipment})
	}
	return d
}

func (b *orderBooks) findings() (found []CheckFinding) {
	if len(b.orders) == 0 {
		return b.owned.findings("order")
	}
	if len(b.orders) > 1 {
		found = append(found, finding(CheckOrderOnce, b.keys[1], fmt.Sprintf("The ID %s belongs to two orders, one of customer %s and one of customer %s.", b.orders[0].ID, b.orders[0].CustomerID, b.orders[1].CustomerID)))
	}
	d := b.details()
	found = append(found, d.checkSums(b.keys[0])...)
	found = append(found, d.checkState(b.keys[0])...)
	found = append(found, b.checkCustomers(d)...)
	found = append(found, b.checkCreditNotes(d)...)
	return append(found, b.checkShipped(d)...)
}

// checkSums checks the total, the item count and the credits of an order. An import
// can create an order without lines, whose sums are not checked.
func (d *OrderDetails) checkSums(item Item) (found []CheckFinding) {
	if len(d.Items) == 0 {
		return nil
	}
	var total Amount
	for i := range d.Items {
		total = total.Plus(d.Items[i].Total())
	}
	if d.Total.Compare(total) != 0 {
		found = append(found, finding(CheckOrderTotal, item, fmt.Sprintf("The order %s has the total %s, but its lines add up to %s.", d.ID, d.Total, total)))
	}
	if count := d.sum(func(i *OrderItem) int { return i.Quantity }); d.ItemCount != count {
		found = append(found, finding(CheckOrderCount, item, fmt.Sprintf("The order %s has the item count %d, but its quantities add up to %d.", d.ID, d.ItemCount, count)))
	}
	return append(found, d.checkCredits(item)...)
}

// checkState checks the status, shipment state, payment state and open lines of the
// order. It checks nothing if the order has no lines.
func (d *OrderDetails) checkState(item Item) (found []CheckFinding) {
	wanted := d.clone()
	if len(d.Items) == 0 {
		return nil
	}
	if d.isAhead() {
		wanted.Status = OrderOpen
	}
	if wanted.updateState(); d.Unfinished {
		wanted.Status = d.Status
	}
	wantedLines := d.OpenLines
	if d.OpenLines != nil { // if nil, the open lines are unknown
		wantedLines = d.openLines()
	}
	for _, state := range []struct{ name, found, wanted string }{
		{"status", string(d.Status), string(wanted.Status)},
		{"shipment state", string(d.ShipmentState), string(wanted.ShipmentState)},
		{"payment state", string(d.PaymentState), string(wanted.PaymentState)},
		{"open lines", strings.Join(d.OpenLines, ", "), strings.Join(wantedLines, ", ")},
	} {
		if state.found != state.wanted {
			found = append(found, finding(CheckOrderState, item, fmt.Sprintf("The order %s has the %s %s. Its lines, invoices and shipments require %s.", d.ID, state.name, orDash(state.found), orDash(state.wanted))))
		}
	}
	return found
}

// isAhead reports whether the order has a status that its lines, invoices and shipments do
// not justify. For example, it is shipped although some items still have to ship. For the
// status Paid, any payment is enough, because a refunded order keeps this status.
func (d *OrderDetails) isAhead() bool {
	kept, open := d.sum((*OrderItem).Kept), d.sum((*OrderItem).Open)
	switch d.Status {
	case OrderPaid:
		for i := range d.Invoices {
			if len(WithoutReversed(d.Invoices[i].Payments)) > 0 || d.Invoices[i].NetAmount().Sign() <= 0 {
				return false
			}
		}
		return len(d.Invoices) > 0
	case OrderDelivered:
		onItsWay := func(s ShipmentDetails) bool { return s.Status == ShipmentPacked || s.Status == ShipmentSent }
		return open > 0 || slices.ContainsFunc(d.Shipments, onItsWay)
	case OrderShipped:
		return open > 0
	case OrderCancelled, OrderReturned:
		return kept > 0
	}
	return false
}

func (b *orderBooks) checkCustomers(d *OrderDetails) (found []CheckFinding) {
	for _, line := range b.lines {
		if line.CustomerID != d.CustomerID {
			found = append(found, finding(CheckLineCustomer, b.items[line], fmt.Sprintf("The %s has the customer %s, but the order has %s.", labelOf(line), line.CustomerID, d.CustomerID)))
		}
	}
	for _, invoice := range b.invoices {
		if invoice.CustomerID != d.CustomerID {
			found = append(found, finding(CheckInvoiceOwner, b.items[invoice], fmt.Sprintf("The %s has the customer %s, but the order %s has %s.", labelOf(invoice), invoice.CustomerID, d.ID, d.CustomerID)))
		}
	}
	for _, shipment := range b.shipments {
		if shipment.CustomerID != "" && shipment.CustomerID != d.CustomerID {
			found = append(found, finding(CheckShipmentOwner, b.items[shipment], fmt.Sprintf("The %s has the customer %s, but the order %s has %s.", labelOf(shipment), shipment.CustomerID, d.ID, d.CustomerID)))
		}
	}
	return found
}

// checkCreditNotes checks that each credit note matches an invoice of the order, and that
// the credit notes of an invoice do not exceed the credit of the invoice.
func (b *orderBooks) checkCreditNotes(d *OrderDetails) (found []CheckFinding) {
	invoices := map[string]*Invoice{}
	for _, invoice := range b.invoices {
		invoices[invoice.ID] = invoice
	}
	for _, note := range b.notes {
		switch invoice := invoices[note.InvoiceID]; {
		case invoice == nil:
			found = append(found, finding(CheckCreditNote, b.items[note], fmt.Sprintf("The %s corrects the invoice %s, which order %s does not have.", labelOf(note), note.InvoiceText(), d.ID)))
		case note.CustomerID != invoice.CustomerID:
			found = append(found, finding(CheckCreditNote, b.items[note], fmt.Sprintf("The %s has the customer %s, but its invoice has %s.", labelOf(note), note.CustomerID, invoice.CustomerID)))
		case note.Amount.Sign() < 0 || note.InvoiceNumber != invoice.Number:
			found = append(found, finding(CheckCreditNote, b.items[note], fmt.Sprintf("The %s with the amount %s corrects the invoice %s. Expected an amount of 0 or more, and the invoice %s.", labelOf(note), note.Amount, note.InvoiceText(), invoice.NumberText())))
		}
	}
	for _, invoice := range b.invoices {
		if credited := d.creditedBy(invoice.ID); credited.Compare(invoice.Credit) > 0 {
			found = append(found, finding(CheckCreditNote, b.items[invoice], fmt.Sprintf("The %s has a credit of %s, but its credit notes add up to %s.", labelOf(invoice), invoice.Credit, credited)))
		}
	}
	return found
}

// checkShipped compares the lines of the order with the items of its shipments. The items of
// unpacked shipments do not count, and a later edit may have removed their lines. Items of
// packed shipments cannot be returned, but earlier program versions allowed it.
func (b *orderBooks) checkShipped(d *OrderDetails) (found []CheckFinding) {
	shipments, lines, packed := map[string]bool{}, map[string]bool{}, map[string]int{}
	unpacked, waiting := map[string]bool{}, map[string]bool{}
	left := map[string]int{} // pieces that have left the warehouse
	for _, s := range b.shipments {
		shipments[s.ID] = true
		unpacked[s.ID], waiting[s.ID] = s.Status == ShipmentUnpacked, s.Status == ShipmentPacked
	}
	for _, line := range b.lines {
		lines[line.ProductID] = true
	}
	for _, i := range b.packed {
		if !unpacked[i.ShipmentID] {
			packed[i.ProductID] += i.Quantity
		}
		if waiting[i.ShipmentID] {
			left[i.ProductID] -= i.Quantity
		}
		switch {
		case !shipments[i.ShipmentID]:
			found = append(found, finding(CheckShipmentItem, b.items[i], fmt.Sprintf("The %s belongs to a shipment that order %s does not have.", labelOf(i), d.ID)))
		case !lines[i.ProductID] && !unpacked[i.ShipmentID]:
			found = append(found, finding(CheckShipmentItem, b.items[i], fmt.Sprintf("The %s is for product %s, which order %s does not contain.", labelOf(i), i.ProductID, d.ID)))
		case i.Quantity < 1:
			found = append(found, finding(CheckShipmentItem, b.items[i], fmt.Sprintf("The %s has the quantity %d. Expected 1 or more.", labelOf(i), i.Quantity)))
		}
	}
	for _, line := range b.lines {
		if n := packed[line.ProductID]; line.Shipped != n {
			found = append(found, finding(CheckLineShipped, b.items[line], fmt.Sprintf("The %s has %d shipped, but its shipments add up to %d.", labelOf(line), line.Shipped, n)))
		}
		left[line.ProductID] += line.Shipped
		if n := left[line.ProductID]; line.Returned > n && n < line.Shipped {
			found = append(found, finding(CheckLineReturned, b.items[line], fmt.Sprintf("The %s has %d returned, but only %d of its pieces have left the warehouse.", labelOf(line), line.Returned, max(0, n))))
		}
	}
	return found
}
