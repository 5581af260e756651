package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// OrderReturn is the form that records returned items.
type OrderReturn struct {
	Page
	Form
	Order      store.Order
	Lines      []LineForm
	Packed     []store.ShipmentDetails // packed shipments, whose items cannot be returned
	Warehouses []store.Warehouse       // warehouses that can restock items

	Warehouse, Why ui.Input
}

func (p OrderReturn) fields() []ui.Field {
	return append(lineFields(p.Lines),
		ui.Field{Name: store.FieldWarehouse, Label: "Restock at", Input: p.Warehouse},
		whyField(p.Why),
	)
}

// nothing explains why no items can be returned.
func (p OrderReturn) nothing() string {
	switch {
	case p.Order.ShipmentState == "" || p.Order.ShipmentState == store.NothingShipped:
		return "Nothing in this order has been shipped yet."
	case len(p.Packed) > 0:
		return "No items of this order have left the warehouse, or all items that left were returned."
	case seesAll(&p.Page):
		return "No items of this order can be returned."
	}
	return "No items of this order can be returned to your warehouses."
}

// unpackAdvice says what to do instead of returning items of packed shipments. The links to
// the shipments follow it.
func (p OrderReturn) unpackAdvice() string {
	advice := "unpack shipment"
	if len(p.Packed) > 1 {
		advice += "s"
	}
	if !p.User.May(store.Ship) {
		advice = "ask a manager to " + advice
	}
	return "Packed items haven't left the warehouse, so they can't be returned. To put them back into stock, " + advice
}

// endOf returns the punctuation mark after element i of a list with n elements at the end of
// a sentence.
func endOf(i, n int) string {
	if i == n-1 {
		return "."
	}
	return ","
}

func (p OrderReturn) options() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Don't restock"}}
	for _, w := range p.Warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: nameOr(w.Name, w.ID)})
	}
	return options
}
