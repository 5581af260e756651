package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Rented is what a person has out and ever had.
type Rented struct {
	Out     Part[store.ActiveRental]
	Rentals Part[store.Rental] // newest first
	Store   ui.Input           // where the history is from; "" is everywhere
	Stores  []store.RentalStore
}
