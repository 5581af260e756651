package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// What can be done with the orders that were ticked on a list, as the values of
// its buttons.
const (
	ButtonShip  = "ship"
	ButtonSlips = "slips"
)

// Together is the form that ships what is open of several orders at once.
type Together struct {
	Page
	Form
	Orders     []store.OrderDetails
	Warehouses []store.Warehouse
	Warehouse  ui.Input
}

// Shipped is what became of several orders that were shipped at once.
type Shipped struct {
	Page
	Warehouse string // its ID
	Orders    []ShippedOrder
}

// ShippedOrder is what became of one of them.
type ShippedOrder struct {
	OrderID string
	Problem string // why it was not shipped; "" where it was
}

// Slips are the packing slips of several orders, to be printed.
type Slips struct {
	Page
	Orders []store.OrderDetails
}

func (p Together) field() ui.Field {
	return ui.Field{Name: store.FieldWarehouse, Label: "Ship from", Required: true, Input: p.Warehouse}
}

func (p Together) options() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Choose a warehouse"}}
	for _, w := range p.Warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: named(w.Name, w.ID)})
	}
	return options
}

// openOf says how much of an order has still to leave, in pieces.
func openOf(o *store.OrderDetails) string {
	pieces := 0
	for i := range o.Items {
		pieces += o.Items[i].Open()
	}
	return strconv.Itoa(pieces)
}

// went counts the orders that were shipped.
func (p Shipped) went() int {
	n := 0
	for _, o := range p.Orders {
		if o.Problem == "" {
			n++
		}
	}
	return n
}
