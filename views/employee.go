package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Employees is the list of employees: by name, of one job or warehouse, or by
// the days on which they were hired.
type Employees struct {
	Page
	List                // parameters name, job, warehouse, from, to, sort, limit
	Name       ui.Input // a beginning of the name
	Job        ui.Input // the ID of one
	Warehouse  ui.Input // the ID of one
	From, To   ui.Input // the days on which they were hired
	OwnOnly    bool     // the user is in charge of some warehouses only, and looks at one of them
	HireDates  bool     // the user may list by them
	ByHireDate bool     // the list is read by them
	Jobs       []store.ListedReference
	Warehouses []store.Warehouse // those to choose from, and to name
	Rows       []store.Employee
}

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

// Phones are the numbers under which somebody is reached.
type Phones struct {
	Page
	ID   string // of the person
	Of   string // what they are to the business: customer, employee
	Path string // of their page
	Rows []string
}

// Reps are the account reps of a quarter, who sold most first.
type Reps struct {
	Page
	List    // parameters period, limit
	Period  store.Quarter
	Current store.Quarter // the present one
	Rows    []store.Quota
}
