package store

import (
	"cmp"
	"reflect"
)

// How far an order has come follows from its parts. Every change of an order
// changes parts and has settle draw the conclusions, so that status, copies
// for lists, totals and what may be done next cannot disagree.

// Open is how many of a line have still to leave.
func (i *OrderItem) Open() int {
	if i.Cancelled {
		return 0
	}
	return max(0, i.Quantity-i.Shipped)
}

// Returnable is how many of a line have left and not come back.
func (i *OrderItem) Returnable() int { return max(0, i.Shipped-i.Returned) }

// Kept is how many of a line the customer has or will get.
func (i *OrderItem) Kept() int { return i.Open() + i.Returnable() }

// label is what people call the product of a line.
func (i *OrderItem) label() string { return cmp.Or(i.Name, i.ProductID) }

// ended says that nothing more happens to an order's lines.
func (o *Order) ended() bool { return o.Status == OrderCancelled || o.Status == OrderReturned }

// CanShip says whether something of the order may still leave.
func (d *OrderDetails) CanShip() bool { return !d.ended() && d.sum((*OrderItem).Open) > 0 }

// CanCancel says whether something of the order has not left and may be
// called off.
func (d *OrderDetails) CanCancel() bool { return d.CanShip() }

// CanReturn says whether something of the order may come back.
func (d *OrderDetails) CanReturn() bool { return !d.ended() && d.sum((*OrderItem).Returnable) > 0 }

func (d *OrderDetails) sum(of func(*OrderItem) int) int {
	sum := 0
	for i := range d.Items {
		sum += of(&d.Items[i])
	}
	return sum
}

// Tally is what an order counts for among the totals of its day: itself and
// what the customer keeps of it. An order without lines, as imports may bring
// it, keeps its total until it ends.
func (d *OrderDetails) Tally() Tally {
	t := Tally{Kind: TotalOrders, At: d.Date, ID: d.ID}
	if d.ended() {
		return t
	}
	t.Count, t.Amount = 1, d.Total
	for i := range d.Items {
		line := &d.Items[i]
		t.Amount = t.Amount.Minus(line.Price.Times(max(0, line.Quantity-line.Kept())))
	}
	return t
}

// settle draws the conclusions from what has become of an order's parts. An
// order that has come far does not fall back: a refund does not make a
// delivered order an open one.
func (d *OrderDetails) settle() {
	shipped, open := d.sum(func(i *OrderItem) int { return i.Shipped }), d.sum((*OrderItem).Open)
	switch {
	case shipped == 0:
		d.ShipmentState = NothingShipped
	case open > 0:
		d.ShipmentState = PartlyShipped
	default:
		d.ShipmentState = FullyShipped
	}
	if len(d.Invoices) > 0 {
		d.PaymentState = paymentState(d.Invoices)
	}
	switch {
	case d.ended() || d.Status == OrderDelivered:
	case d.ShipmentState == FullyShipped && d.delivered():
		d.Status = OrderDelivered
	case d.ShipmentState == FullyShipped:
		d.Status = OrderShipped
	case d.Status == OrderOpen && d.PaymentState == InvoicePaid:
		d.Status = OrderPaid
	}
	if !d.ended() && len(d.Items) > 0 && d.sum((*OrderItem).Kept) == 0 {
		d.Status = OrderReturned
		if shipped == 0 {
			d.Status = OrderCancelled
		}
	}
}

// delivered says whether every parcel has arrived.
func (d *OrderDetails) delivered() bool {
	for i := range d.Shipments {
		if d.Shipments[i].Status != ShipmentDelivered {
			return false
		}
	}
	return len(d.Shipments) > 0
}

// paymentState is the state of an order's invoices together. Almost every
// order has one; of several that differ, the order is paid in part.
func paymentState(invoices []Invoice) InvoiceStatus {
	state := InvoiceStatus("")
	for i := range invoices {
		switch status := invoices[i].Status; {
		case status == InvoiceVoid && len(invoices) > 1:
		case state == "" || state == status:
			state = status
		default:
			return InvoicePartial
		}
	}
	if state == "" {
		return InvoiceVoid
	}
	return state
}

// clone copies an order so far that changing the parts of one leaves the
// other.
func (d *OrderDetails) clone() OrderDetails {
	c := *d
	c.Items = append([]OrderItem(nil), d.Items...)
	c.Invoices = append([]Invoice(nil), d.Invoices...)
	c.Shipments = append([]ShipmentDetails(nil), d.Shipments...)
	return c
}

// changed says whether a part differs from what it was.
func changed[T any](now, was T) bool { return !reflect.DeepEqual(now, was) }

// OrderTallies are what the orders among some entities count for, for the
// totals that are loaded beside them.
func OrderTallies(entities []Entity) []Tally {
	orders := ordersAmong(entities)
	tallies := make([]Tally, len(orders))
	for i, d := range orders {
		tallies[i] = d.Tally()
	}
	return tallies
}

// ordersAmong are the orders among some entities, with their lines.
func ordersAmong(entities []Entity) []*OrderDetails {
	var all []*OrderDetails
	of := map[string]*OrderDetails{}
	for _, entity := range entities {
		if o, ok := entity.(*Order); ok {
			of[o.ID] = &OrderDetails{Order: *o}
			all = append(all, of[o.ID])
		}
	}
	for _, entity := range entities {
		if line, ok := entity.(*OrderItem); ok && of[line.OrderID] != nil {
			of[line.OrderID].Items = append(of[line.OrderID].Items, *line)
		}
	}
	return all
}
