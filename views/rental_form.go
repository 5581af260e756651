package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// RentalForm is the part that forms about rented kayaks have in common. First, the user
// enters the kayaks. Then the form shows their rentals, and the user confirms the change.
type RentalForm struct {
	Page
	Store   store.RentalStore
	Kayaks  ui.Input // entered or scanned IDs
	Token   string
	Problem string   // error that belongs to no field
	Shown   []string // the rentals that the submitted form showed; nil to submit the present ones
}

// shown returns the values of the hidden field store.FieldShown.
func (p *RentalForm) shown(rentals []store.ActiveRental) []string {
	if p.Shown != nil {
		return p.Shown
	}
	shown := make([]string, len(rentals))
	for i := range shown {
		shown[i] = rentals[i].Identity()
	}
	return shown
}

// scan returns the field for the kayaks. In the first step, it has the focus, so that staff
// can scan labels at once.
func (p *RentalForm) scan(found bool) ui.Field {
	f := scanField(p.Kayaks)
	f.Focus = !found && f.Error == "" && p.Problem == ""
	return f
}

func kayakIDs(rentals []store.ActiveRental) []string {
	ids := make([]string, len(rentals))
	for i := range ids {
		ids[i] = rentals[i].KayakID
	}
	return ids
}

// kayakLines returns the IDs of the kayaks, one per line.
func kayakLines(rentals []store.ActiveRental) string { return strings.Join(kayakIDs(rentals), "\n") }

// scanField returns the field for kayaks, usually one per line, because scanners end each
// code with a newline.
func scanField(kayaks ui.Input) ui.Field {
	return ui.Field{Name: "kayaks", Label: "Kayaks", Hint: "Scan the labels, or enter IDs or names: one per line, or separated by commas.", Required: true, Input: kayaks}
}
