package views

import (
	"stockroom/store"
)

// Overdue lists overdue kayaks of all stores that the user may see.
type Overdue struct {
	Page
	List // URL parameter: limit
	Rows []store.ActiveRental
}
