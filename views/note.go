package views

import "stockroom/views/ui"

// Note is the form of a note on an order or a customer.
type Note struct {
	Page
	Form
	OrderID    string // set for a note on an order
	CustomerID string
	Text       ui.Input
}

func noteField(text ui.Input) ui.Field {
	return ui.Field{Name: "note", Label: "Note", Required: true, Input: text}
}

// about returns the list and the page that the note belongs to.
func (p Note) about() (list, listName, path, id string) {
	if p.OrderID != "" {
		return "/orders", "Orders", OrderPath(p.OrderID), p.OrderID
	}
	return "/customers", "Customers", CustomerPath(p.CustomerID), p.CustomerID
}
