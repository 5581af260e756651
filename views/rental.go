package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Rented holds a person's current and past rentals.
type Rented struct {
	Out     Part[store.ActiveRental]
	Rentals Part[store.Rental] // newest first
	Store   ui.Input           // store ID that filters the history; "" for all stores
	Stores  []store.RentalStore
}
