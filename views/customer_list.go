package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Customers is the list of customers, by name.
type Customers struct {
	Page
	List
	Bucket string   // first letter; "" for all
	Name   ui.Input // start of the name
	Email  ui.Input // complete address
	Rows   []store.Customer
	CanAdd bool
}
