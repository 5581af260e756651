package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Rented holds a person's unpaid rental charges, current and past rentals, and bookings.
type Rented struct {
	Today    time.Time
	Unpaid   Part[store.RentalPayment] // unpaid charges among the payments that the page searches, newest first
	Bookings Part[store.Booking]       // latest first
	Out      Part[store.ActiveRental]
	Rentals  Part[store.Rental] // newest first
	Store    ui.Input           // store ID to filter by, or EachStore; "" for all stores
	Stores   []store.RentalStore

	UnpaidLack bool // there are more payments than the page searches
}

// owed returns the sum of the unpaid charges.
func (r *Rented) owed() store.Amount {
	var sum store.Amount
	for i := range r.Unpaid.Rows {
		sum = sum.Plus(r.Unpaid.Rows[i].Amount)
	}
	return sum
}
