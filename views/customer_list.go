package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Customers is the list of customers, by name.
type Customers struct {
	Page
	List            // parameters bucket, name, email, limit
	Bucket string   // the first letter; "" is all
	Name   ui.Input // name prefix
	Email  ui.Input // exact
	Rows   []store.Customer
	CanAdd bool
}
