package views

import (
	"stockroom/store"
)

// Overdue is what should be back by now, at all stores.
type Overdue struct {
	Page
	List // parameter limit
	Rows []store.ActiveRental
}
