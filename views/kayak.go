package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Kayak is one kayak: where it is, who had it, what was done to it.
type Kayak struct {
	Page
	Kayak   store.Kayak
	Store   *store.RentalStore // nil where it is not known
	Person  ui.Input           // whose rentals the history is narrowed to
	Rentals Part[store.Rental] // newest first
	Events  Part[store.Event]
}

// out is the rental that the kayak is out in, if it is and that is on the
// page.
func (p Kayak) out() *store.Rental {
	for i := range p.Rentals.Rows {
		if r := &p.Rentals.Rows[i]; r.Returned.IsZero() && p.Kayak.Status == store.KayakOut {
			return r
		}
	}
	return nil
}
