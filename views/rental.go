package views

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// Rented holds a person's current and past rentals, and their bookings.
type Rented struct {
	Today    time.Time
	Bookings Part[store.Booking] // latest first
	Out      Part[store.ActiveRental]
	Rentals  Part[store.Rental] // newest first
	Store    ui.Input           // ID of the store that filters the past rentals; "" for all stores
	Stores   []store.RentalStore
}
