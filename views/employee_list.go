package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Employees is the list of employees, by name, job, warehouse or hire date.
type Employees struct {
	Page
	List
	Name       ui.Input // start of the name
	Job        ui.Input // job ID
	Warehouse  ui.Input // warehouse ID
	From, To   ui.Input // range of hire dates
	OwnOnly    bool     // the user may list only employees of their own warehouses, one warehouse at a time
	HireDates  bool     // the user may filter by hire date
	ByHireDate bool     // the list is sorted by hire date
	Jobs       []store.ListedReference
	Warehouses []store.Warehouse   // options of the filter, and names of warehouses
	OwnStores  []store.RentalStore // the stores of a manager, whose staff are not in the list
	Rows       []store.Employee
}
