package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Kayak is the page of a kayak with its rentals and history.
type Kayak struct {
	Page
	Kayak   store.Kayak
	Store   *store.RentalStore // nil if unknown
	Person  ui.Input           // filter of the rental history, an ID
	Rentals Part[store.Rental] // newest first
	Events  Part[store.Event]
	CanNote bool // show the note form, with the token Token
	Token   string
}

// currentRental returns the open rental of the kayak if it is among the rentals on
// the page, otherwise nil.
func (p Kayak) currentRental() *store.Rental {
	for i := range p.Rentals.Rows {
		if r := &p.Rentals.Rows[i]; r.Returned.IsZero() && p.Kayak.Status == store.KayakOut {
			return r
		}
	}
	return nil
}
