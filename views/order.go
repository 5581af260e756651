package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Orders is the list of orders: of one status, oldest first, or of all,
// newest first.
type Orders struct {
	Page
	List                       // parameters status, from, to, sort, limit
	Status   store.OrderStatus // "" is all
	From, To ui.Input          // the days on which they were placed
	Rows     []store.Order
	MaySell  bool // the user may take a new one
	MayShip  bool // and ship several at once
}

// Order is the whole story of one order.
type Order struct {
	Page
	Order store.OrderDetails

	MayShip, MayTakeBack, MayCancel bool // the user may, and there is something to
	LeadsToRep                      bool // whom a manager may not know
	MayNote                         bool // and then Once is the token of the form of a note
	Once                            string
}

// OrderItem is one line of an order.
type OrderItem struct {
	Page
	Line store.OrderItem
}

// OrderItems are the lines of an order, by themselves.
type OrderItems struct {
	Page
	OrderID string
	Rows    []store.OrderItem
}

// OrderInvoices are the invoices of an order, by themselves.
type OrderInvoices struct {
	Page
	OrderID string
	Rows    []store.Invoice
}

// OrderShipments are the shipments of an order, by themselves.
type OrderShipments struct {
	Page
	OrderID string
	Rows    []store.Shipment
}

// PackingSlip is what goes into the parcel, to be printed. It names no price.
type PackingSlip struct {
	Page
	Order store.OrderDetails
}
