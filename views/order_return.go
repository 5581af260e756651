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
	Warehouses []store.Warehouse // warehouses that can restock items

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
	case p.User == nil || p.User.InChargeOfAll():
		return "No items of this order can be returned."
	}
	return "No items of this order can be returned to your warehouses."
}

func (p OrderReturn) options() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Don't restock"}}
	for _, w := range p.Warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: nameOr(w.Name, w.ID)})
	}
	return options
}
