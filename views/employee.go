package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Employee is one employee, and what an account rep does.
type Employee struct {
	Page
	Employee    store.EmployeeDetails
	MayEdit     bool
	Private     bool     // what is private of them is theirs to read who looks at it
	From, To    ui.Input // the days of the orders
	Customers   Part[store.Customer]
	Orders      Part[store.Order]
	Quotas      Part[store.Quota]      // the latest first
	Employments Part[store.Employment] // at stores
	Rented      Rented
}
