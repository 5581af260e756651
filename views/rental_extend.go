package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Extend is the form that moves the due day of rentals. First, the user enters the kayaks.
// Then the form shows their rentals, and the user enters the new due day.
type Extend struct {
	RentalForm
	Due   ui.Input
	Quote *store.ExtensionQuote // nil until the kayaks are entered
}

func (p Extend) dueField() ui.Field {
	return ui.Field{Name: "due", Label: "New due date", Hint: "Today or later. The charge depends on the day of the check-in.", Type: "date", Required: true, Input: p.Due}
}

// fields returns the fields for the error summary.
func (p Extend) fields() []ui.Field {
	if p.Quote == nil {
		return []ui.Field{scanField(p.Kayaks)}
	}
	return []ui.Field{p.dueField(), scanField(p.Kayaks)}
}

func (p Extend) change() ui.Change {
	return ui.Change{Action: ExtendPath(p.Store.ID), Token: p.Token, Submit: "Change due date", Back: StorePath(p.Store.ID)}
}
