package views

import (
	"stockroom/store"
)

// Person is somebody whom only the rental knows.
type Person struct {
	Page
	Person store.Renter
	Rented
}
