package store

import (
	"cmp"
	"slices"
)

// The state of an order is computed from its lines, invoices and shipments. Every change of
// an order first modifies these parts and then calls updateState. Status, PaymentState,
// ShipmentState, the totals and the offered actions therefore always agree with the parts.

// Open returns the quantity that still has to ship, or 0 if the line is cancelled.
func (i *OrderItem) Open() int {
	if i.Cancelled {
		return 0
	}
	return max(0, i.Quantity-i.Shipped)
}

// CancelledPieces returns the quantity that was cancelled: what is not in shipments, if the
// line is cancelled.
func (i *OrderItem) CancelledPieces() int {
	if !i.Cancelled {
		return 0
	}
	return max(0, i.Quantity-i.Shipped)
}

// unreturned returns the quantity that is in shipments and was not returned.
func (i *OrderItem) unreturned() int { return max(0, i.Shipped-i.Returned) }

// Kept returns the quantity that was neither cancelled nor returned.
func (i *OrderItem) Kept() int { return i.Open() + i.unreturned() }

// dropped returns the value of the cancelled and returned items of the line.
func (i *OrderItem) dropped() Amount { return i.Price.Times(max(0, i.Quantity-i.Kept())) }

func (i *OrderItem) label() string { return cmp.Or(i.Name, i.ProductID) }

func (o *Order) ended() bool { return o.Status == OrderCancelled || o.Status == OrderReturned }

// CanShip reports whether some items of the order still have to ship.
func (d *OrderDetails) CanShip() bool { return !d.ended() && d.sum((*OrderItem).Open) > 0 }

// CanCancel reports whether some items of the order can be cancelled. This is possible even
// if the order has the status CANCELLED, because an imported order can have this status and
// items that were not cancelled.
func (d *OrderDetails) CanCancel() bool {
	return (!d.ended() || d.Status == OrderCancelled) && d.sum((*OrderItem).Open) > 0
}

// CanReturn reports whether the order has items that can be returned.
func (d *OrderDetails) CanReturn() bool {
	packed := d.packed()
	return !d.ended() && d.sum(func(i *OrderItem) int { return i.returnable(packed) }) > 0
}

// packed returns, by product ID, the pieces in packed shipments, which have not left their
// warehouses. If the contents of a packed shipment are unknown, all shipped pieces that are
// in no other shipment count as packed.
func (d *OrderDetails) packed() map[string]int {
	packed, known, unknown := map[string]int{}, map[string]int{}, false
	for n := range d.Shipments {
		s := &d.Shipments[n]
		if s.Status == ShipmentUnpacked {
			continue
		}
		unknown = unknown || s.Status == ShipmentPacked && len(s.Items) == 0
		for i := range s.Items {
			item := &s.Items[i]
			if known[item.ProductID] += item.Quantity; s.Status == ShipmentPacked {
				packed[item.ProductID] += item.Quantity
			}
		}
	}
	for i := range d.Items {
		if line := &d.Items[i]; unknown {
			packed[line.ProductID] += max(0, line.Shipped-known[line.ProductID])
		}
	}
	return packed
}

// returnable returns the quantity that has left the warehouse and was not returned. packed
// contains the packed pieces of the order; see OrderDetails.packed.
func (i *OrderItem) returnable(packed map[string]int) int {
	return max(0, i.unreturned()-packed[i.ProductID])
}

func (d *OrderDetails) sum(quantity func(*OrderItem) int) int {
	sum := 0
	for i := range d.Items {
		sum += quantity(&d.Items[i])
	}
	return sum
}

// Tally returns what the order adds to the totals of its day: a count of one, and the value
// of the items that were neither cancelled nor returned. An order without lines, which only
// an import can contain, counts with its Total. A cancelled or returned order adds nothing.
func (d *OrderDetails) Tally() Tally {
	t := Tally{Kind: TotalOrders, At: d.Date, ID: d.ID}
	if d.ended() {
		return t
	}
	t.Count, t.Amount = 1, d.Total
	for i := range d.Items {
		t.Amount = t.Amount.Minus(d.Items[i].dropped())
	}
	return t
}

// updateState sets Status, PaymentState and ShipmentState from the lines, invoices and
// shipments. It never moves Status back. For example, a refund does not reopen a
// delivered order. A change that moves Status back, such as UnpackShipment, sets it first.
func (d *OrderDetails) updateState() {
	shipped := d.sum(func(i *OrderItem) int { return i.Shipped })
	d.ShipmentState = shipmentState(shipped, d.sum((*OrderItem).Open))
	if len(d.Invoices) > 0 {
		d.PaymentState = paymentState(d.Invoices)
	}
	switch {
	case d.ended() || d.Status == OrderDelivered:
	case d.ShipmentState == FullyShipped && d.isDelivered():
		d.Status = OrderDelivered
	case d.ShipmentState == FullyShipped:
		d.Status = OrderShipped
	case d.Status == OrderOpen && d.PaymentState == InvoicePaid:
		d.Status = OrderPaid
	}
	switch {
	case d.becomesReturned():
		d.Status = OrderReturned
	case !d.ended() && len(d.Items) > 0 && d.sum((*OrderItem).Kept) == 0:
		d.Status = OrderCancelled
	}
}

// becomesReturned reports whether updateState sets the status RETURNED: nothing is left of
// the order, and something of it was shipped. Its shipments are then returned too.
func (d *OrderDetails) becomesReturned() bool {
	return !d.ended() && d.sum((*OrderItem).Kept) == 0 && d.sum(func(i *OrderItem) int { return i.Shipped }) > 0
}

// CompleteStates sets Status, PaymentState and ShipmentState if they are empty, as in some
// imports. An order that has shipments, but lines without shipped quantities, counts as
// partly shipped.
func (d *OrderDetails) CompleteStates() {
	c := d.clone()
	c.Status = cmp.Or(c.Status, OrderOpen)
	if c.updateState(); c.ShipmentState == NothingShipped && c.hasShipments() {
		c.ShipmentState = PartlyShipped
	}
	d.Status = cmp.Or(d.Status, c.Status)
	d.PaymentState = cmp.Or(d.PaymentState, c.PaymentState)
	d.ShipmentState = cmp.Or(d.ShipmentState, c.ShipmentState)
}

func (d *OrderDetails) isDelivered() bool {
	return d.hasShipments() && !slices.ContainsFunc(d.Shipments, func(s ShipmentDetails) bool {
		return s.Status != ShipmentDelivered && s.Status != ShipmentUnpacked
	})
}

// hasShipments reports whether the order has shipments that were not unpacked.
func (d *OrderDetails) hasShipments() bool {
	return slices.ContainsFunc(d.Shipments, func(s ShipmentDetails) bool { return s.Status != ShipmentUnpacked })
}

func shipmentState(shipped, open int) ShipmentState {
	switch {
	case shipped == 0:
		return NothingShipped
	case open > 0:
		return PartlyShipped
	}
	return FullyShipped
}

// paymentState returns the payment state of an order: the status of its invoices, or
// partly paid if their statuses differ. Void and refunded invoices count only if there
// are no others. The state is then refunded, unless all invoices are void.
func paymentState(invoices []Invoice) InvoiceStatus {
	state := InvoiceVoid
	open := func(s InvoiceStatus) bool { return s != InvoiceVoid && s != InvoiceRefunded }
	for i := range invoices {
		switch status := invoices[i].Status; {
		case status == InvoiceVoid, status == InvoiceRefunded && open(state):
		case !open(state):
			state = status
		case state != status:
			return InvoicePartial
		}
	}
	return state
}

// clone returns a copy whose lines, invoices, credit notes and shipments can be changed
// without changing the original.
func (d *OrderDetails) clone() OrderDetails {
	c := *d
	c.Items = slices.Clone(d.Items)
	c.Invoices = slices.Clone(d.Invoices)
	c.CreditNotes = slices.Clone(d.CreditNotes)
	c.Shipments = slices.Clone(d.Shipments)
	return c
}

// OrderTallies returns the tallies of the orders among the entities. Pass these tallies to
// NewTotals, and load the totals that it returns together with the entities.
func OrderTallies(entities []Entity) []Tally {
	orders := ordersAmong(entities)
	tallies := make([]Tally, len(orders))
	for i, d := range orders {
		tallies[i] = d.Tally()
	}
	return tallies
}

// ordersAmong returns the orders among the entities, with the lines that are among them.
func ordersAmong(entities []Entity) []*OrderDetails {
	var all []*OrderDetails
	byID := map[string]*OrderDetails{}
	for _, entity := range entities {
		if o, ok := entity.(*Order); ok {
			byID[o.ID] = &OrderDetails{Order: *o}
			all = append(all, byID[o.ID])
		}
	}
	for _, entity := range entities {
		if line, ok := entity.(*OrderItem); ok && byID[line.OrderID] != nil {
			byID[line.OrderID].Items = append(byID[line.OrderID].Items, *line)
		}
	}
	return all
}
