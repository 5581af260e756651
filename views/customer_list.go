package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Customers is the list of customers, by name.
type Customers struct {
	Page
	List            // parameters bucket, name, email, limit
	Bucket string   // the first letter; "" for all
	Name   ui.Input // the start of the name
	Email  ui.Input // the whole address
	Rows   []store.Customer
	CanAdd bool
}
