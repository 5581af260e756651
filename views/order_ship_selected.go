package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// The values of ButtonParam tell which button was pressed.
const (
	ButtonShip  = "ship"
	ButtonSlips = "slips"
	ButtonPick  = "pick"

	ButtonPrint = "print" // print the selected rows
	ButtonPDF   = "pdf"
	ButtonRun   = "run" // start a bulk change
)

// OrderShipSelected is the form that ships the open items of several orders.
type OrderShipSelected struct {
	Page
	Form
	Orders     []store.OrderDetails
	Warehouses []store.Warehouse
	Warehouse  ui.Input
}

// OrderShipResults shows which of the selected orders were shipped.
type OrderShipResults struct {
	Page
	Warehouse string // warehouse ID
	Orders    []OrderShipResult
}

// OrderShipResult is the result of one order.
type OrderShipResult struct {
	OrderID string
	Problem string // why the order was not shipped; "" if it was shipped
}

// unpaid returns the number of orders that are not fully paid.
func (p OrderShipSelected) unpaid() int {
	n := 0
	for i := range p.Orders {
		if p.Orders[i].PaymentState != store.InvoicePaid {
			n++
		}
	}
	return n
}

func (p OrderShipSelected) field() ui.Field {
	return ui.Field{Name: store.FieldWarehouse, Label: "Ship from", Required: true, Input: p.Warehouse}
}

func (p OrderShipSelected) options() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Choose a warehouse"}}
	for _, w := range p.Warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: nameOr(w.Name, w.ID)})
	}
	return options
}

// openOf returns a text with the number of open pieces of an order.
func openOf(o *store.OrderDetails) string {
	pieces := 0
	for i := range o.Items {
		pieces += o.Items[i].Open()
	}
	return strconv.Itoa(pieces)
}

// shippedCount returns the number of orders that were shipped.
func (p OrderShipResults) shippedCount() int {
	n := 0
	for _, o := range p.Orders {
		if o.Problem == "" {
			n++
		}
	}
	return n
}
