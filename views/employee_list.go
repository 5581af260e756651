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
