package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// PickList is the page with the products to pick in one warehouse for several orders.
type PickList struct {
	Page
	Orders     []store.OrderDetails
	Warehouses []store.Warehouse
	Warehouse  ui.Input // warehouse ID; "" if none is chosen
	Lines      []store.PickLine
	Params     []ui.Param // parameters with the filters and the selected orders
	ListPath   string     // address of the list of orders that the user came from
}

func (p *PickList) field() ui.Field {
	return ui.Field{Name: "warehouse", Label: "Warehouse", Required: true, Input: p.Warehouse}
}

func (p *PickList) options() []ui.Option {
	options := []ui.Option{{Value: "", Text: "Choose a warehouse"}}
	for _, w := range p.Warehouses {
		options = append(options, ui.Option{Value: w.ID, Text: nameOr(w.Name, w.ID)})
	}
	return options
}

// warehouseName returns the name of the chosen warehouse, or its ID if it is not in the
// list.
func (p *PickList) warehouseName() string {
	for _, w := range p.Warehouses {
		if w.ID == p.Warehouse.Value {
			return nameOr(w.Name, w.ID)
		}
	}
	return p.Warehouse.Value
}

func (p *PickList) pieces() int {
	n := 0
	for i := range p.Lines {
		n += p.Lines[i].Quantity
	}
	return n
}

// onHand returns the number of pieces to pick that are on hand.
func (p *PickList) onHand() int {
	n := 0
	for i := range p.Lines {
		n += max(0, min(p.Lines[i].Quantity, p.Lines[i].OnHand))
	}
	return n
}

// stockNote returns a note if the warehouse has too few pieces, otherwise "".
func stockNote(line *store.PickLine) string {
	switch {
	case line.OnHand <= 0:
		return "None on hand"
	case line.OnHand < line.Quantity:
		return number(line.OnHand) + " of " + number(line.Quantity) + " on hand"
	}
	return ""
}
