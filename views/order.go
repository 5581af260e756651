package views

import "stockroom/store"

// Order is the page of an order.
type Order struct {
	Page
	Order store.OrderDetails

	CanShip, CanReturn, CanCancel bool // the user has the permission, and the order allows it
	CanEdit, CanEditAddress       bool
	CanCopy                       bool
	LeadsToRep                    bool // the user may open the page of the account rep
	CanNote                       bool // show the note form, which needs Token
	CanFinish                     bool // show the form that finishes a return, which needs Token
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

// unfinished explains what is unfinished about the order.
func (p Order) unfinished() string {
	switch {
	case p.Order.IsPartlyCancelled():
		return "This order was cancelled, but some of its items are not marked as cancelled yet."
	case p.Order.Status == store.OrderReturned:
		return "This order was returned, but some of its shipments are not marked as returned yet."
	}
	return "This order was marked as unfinished when it was imported. Finish it to remove the mark."
}
