package views

import (
	"slices"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Order is the page of an order.
type Order struct {
	Page
	Order store.OrderDetails

	CanShip, CanReturn, CanCancel bool // the user has the permission, and the order allows it
	CanEdit, CanEditAddress       bool
	CanUnpack                     bool // the user has the permission to unpack packed shipments
	CanCopy                       bool
	CanNote                       bool // show the note form, which needs the field Token
	CanFinish                     bool // show the form that finishes a cancellation or return, which needs the field Token
	Token                         string
}

// OrderItem is the page of one item of an order.
type OrderItem struct {
	Page
	Line store.OrderItem
}

// OrderItems lists the items of an order.
type OrderItems struct {
	Page
	OrderID string
	Rows    []store.OrderItem
}

// OrderInvoices lists the invoices of an order.
type OrderInvoices struct {
	Page
	OrderID string
	Rows    []store.Invoice
}

// OrderShipments lists the shipments of an order.
type OrderShipments struct {
	Page
	OrderID string
	Rows    []store.Shipment
}

// noShipments explains an empty list of shipments. Managers do not see shipments from
// other warehouses.
func noShipments(p *Page, o *store.Order) string {
	if !seesAll(p) && o.ShipmentState != store.NothingShipped && o.ShipmentState != "" {
		return "No shipments from your warehouses."
	}
	return "No shipments yet."
}

// whyNoAddressEdit says why the delivery address can no longer be changed, and what to do
// instead. It returns "" if the user may never change it, or if nothing will be shipped.
func (p *Order) whyNoAddressEdit() string {
	packed, sent := 0, 0
	for i := range p.Order.Shipments {
		switch p.Order.Shipments[i].Status {
		case store.ShipmentPacked:
			packed++
		case store.ShipmentSent:
			sent++
		case store.ShipmentDelivered:
			sent++
		}
	}
	switch {
	case !p.User.May(store.Sell) || p.Order.Status == store.OrderCancelled || p.Order.Status == store.OrderReturned || packed+sent == 0:
		return ""
	case sent > 0 && p.Order.CanShip():
		return "Some items were shipped to this address. To send the rest elsewhere, cancel the rest and place another order."
	case sent > 0 && packed == 0:
		return ""
	case sent > 0:
		return "Some items were shipped to this address, so it can't be changed."
	}
	unpack := "unpack the shipment"
	if packed > 1 {
		unpack += "s"
	}
	if !p.User.May(store.Ship) {
		unpack = "ask a manager to " + unpack
	}
	return "To change the address, " + unpack + " first."
}

// paymentStatus returns the payment status of an order at a moment: InvoiceOverdue or
// InvoiceToRefund if an invoice has this status, otherwise the payment state of the order.
func paymentStatus(p *Page, order *store.OrderDetails, at time.Time) store.InvoiceStatus {
	for _, status := range []store.InvoiceStatus{store.InvoiceOverdue, store.InvoiceToRefund} {
		if slices.ContainsFunc(order.Invoices, func(i store.Invoice) bool { return i.ShownStatus(at, p.zone()) == status }) {
			return status
		}
	}
	return order.PaymentState
}

// ordered returns the number of pieces in the order, without cancelled pieces.
func (p Order) ordered() int {
	sum := 0
	for _, i := range p.Order.Items {
		if i.Cancelled {
			sum += i.Shipped
		} else {
			sum += i.Quantity
		}
	}
	return sum
}

func (p Order) shipped() int {
	sum := 0
	for _, i := range p.Order.Items {
		sum += i.Shipped
	}
	return sum
}

// allHandedOver reports whether the page shows all shipments of the order, and all of them
// have left their warehouses. Managers do not see shipments from other warehouses.
func (p Order) allHandedOver() bool {
	pieces := 0
	for _, s := range p.Order.Shipments {
		switch s.Status {
		case store.ShipmentPacked:
			return false
		case store.ShipmentUnpacked:
			continue
		}
		for _, i := range s.Items {
			pieces += i.Quantity
		}
	}
	return pieces == p.shipped() || seesAll(&p.Page) // an imported order may have shipped pieces without shipments
}

// statusBadge returns the badge of the order's status. An order has the status SHIPPED
// already when all its pieces are packed. The badge of such an order is Packed until the
// last shipment is handed over, and then Shipped. If the page may not show all shipments
// of the order and none of the shown ones is packed, the badge is "Packed or shipped".
func (p Order) statusBadge() ui.Badge {
	isPacked := func(s store.ShipmentDetails) bool { return s.Status == store.ShipmentPacked }
	switch {
	case p.Order.Status != store.OrderShipped:
	case slices.ContainsFunc(p.Order.Shipments, isPacked):
		return shipmentBadge(store.ShipmentPacked)
	case p.allHandedOver():
		return shipmentBadge(store.ShipmentSent)
	}
	return orderBadge(p.Order.Status)
}

// unfinished explains why an order is marked as unfinished.
func (p Order) unfinished() string {
	switch {
	case p.Order.IsPartlyCancelled():
		return "This order was cancelled, but some of its items are not marked as cancelled yet."
	case p.Order.Status == store.OrderReturned:
		return "This order was returned, but some of its shipments are not marked as returned yet."
	}
	return "This order was marked as unfinished when it was imported. Choose Finish change to remove the mark."
}
