package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Employee is the page of an employee. Account reps have customers, orders and
// quotas.
type Employee struct {
	Page
	Employee    store.EmployeeDetails
	CanEdit     bool
	Private     bool     // the user may see private details, such as the phone number
	From, To    ui.Input // range of order dates
	Customers   Part[store.Customer]
	Orders      Part[store.Order]
	Quotas      Part[store.Quota] // latest first
	Employments Employments       // employments at stores
	Rented      Rented
	Same        Single[[]store.Renter] // other records of the same person
}
