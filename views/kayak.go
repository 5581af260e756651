package views

import (
	"time"

	"stockroom/store"
)

// Kayak is the page of a kayak with its bookings, rentals and history.
type Kayak struct {
	Page
	Kayak    store.Kayak
	Store    *store.RentalStore // nil if the store does not exist
	Person   PickInput          // filter of the rental history
	Today    time.Time
	Bookings Part[store.Booking] // open bookings, earliest first
	Rentals  Part[store.Rental]  // newest first
	Events   Part[store.Event]
	CanNote  bool // show the note form, which needs the field Token
	Token    string
}

// mayMove reports whether the user may be in charge of another store, to which the kayak can
// move.
func (p Kayak) mayMove() bool { return p.User.InChargeOfAll() || len(p.User.Stores) > 1 }

// toPickUp returns the first open booking of the kayak if it begins today or began earlier,
// otherwise nil.
func (p Kayak) toPickUp() *store.Booking {
	if len(p.Bookings.Rows) == 0 || p.Bookings.Rows[0].From.After(p.Today) {
		return nil
	}
	return &p.Bookings.Rows[0]
}

// currentRental returns the current rental of the kayak. It returns nil if the kayak is not
// rented out, or if the rental is not in the page's list of rentals.
func (p Kayak) currentRental() *store.Rental {
	for i := range p.Rentals.Rows {
		if r := &p.Rentals.Rows[i]; r.Returned.IsZero() && p.Kayak.Status == store.KayakOut {
			return r
		}
	}
	return nil
}
