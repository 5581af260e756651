package views

import (
	"time"

	"stockroom/store"
)

// Kayak is the page of a kayak with its rentals and history.
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

// toPickUp returns the booking of the kayak that begins today or began earlier,
// otherwise nil.
func (p Kayak) toPickUp() *store.Booking {
	if len(p.Bookings.Rows) == 0 || p.Bookings.Rows[0].From.After(p.Today) {
		return nil
	}
	return &p.Bookings.Rows[0]
}

// currentRental returns the current rental of the kayak, or nil if the page's list of
// rentals does not contain it.
func (p Kayak) currentRental() *store.Rental {
	for i := range p.Rentals.Rows {
		if r := &p.Rentals.Rows[i]; r.Returned.IsZero() && p.Kayak.Status == store.KayakOut {
			return r
		}
	}
	return nil
}
