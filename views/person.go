package views

import (
	"stockroom/store"
)

// Person is the page of a person who rents kayaks and is neither a customer nor an
// employee.
type Person struct {
	Page
	Person      store.Renter
	Same        Single[[]store.Renter] // other records of the same person
	Employments Employments
	Rented
}
