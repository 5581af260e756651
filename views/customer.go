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
	Name   ui.Input // a beginning of the name
	Email  ui.Input // a whole address
	Rows   []store.Customer
	MayAdd bool
}

// Customer is one person and what they bought in a range of days.
type Customer struct {
	Page
	Customer store.Customer
	Rep      *store.Employee // who looks after them; nil: nobody, or nobody whom the user may know of
	From, To ui.Input        // the days of all three lists
	Orders   Part[store.Order]
	Invoices Part[store.Invoice]
	Products Part[store.OrderItem]
	Rented   Rented

	Subscriptions Part[store.Subscription]
	Receipts      Part[store.Receipt]
	Newest        []store.Moment // of those days, what happened last in all parts of the business
	MayEdit       bool
	MayNote       bool // and then Once is the token of the form of a note
	Once          string
}

// Timeline is all that happened with a customer, newest first.
type Timeline struct {
	Page
	List     // parameter limit
	Customer store.Customer
	Rows     []store.Moment
}
