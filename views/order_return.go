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
	Warehouses []store.Warehouse // where items can be restocked

	Warehouse, Why ui.Input
}

func (p OrderReturn) fields() []ui.Field {
	return append(lineFields(p.Lines),
		ui.Field{Name: store.FieldWarehouse, Label: "Restock at", Input: p.Warehouse},
		whyField(p.Why),
	)
}

func (p OrderReturn) options() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Don't restock"}}
	for _, w := range p.Warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: named(w.Name, w.ID)})
	}
	return options
}
