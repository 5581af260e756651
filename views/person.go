package views

import (
	"stockroom/store"
)

// Person is the page of a person who only rents kayaks.
type Person struct {
	Page
	Person      store.Renter
	Employments Employments
	Rented
}
