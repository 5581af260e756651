package views

import (
	"strings"
	"time"

	"stockroom/store"
	"stockroom/views/ui"
)

// WarehouseForm is the form of a warehouse's name and address.
type WarehouseForm struct {
	Page
	Form
	Warehouse store.Warehouse // as it is now

	Name ui.Input
	AddressForm
}

// Filled fills the form with what is known of a warehouse.
func (p WarehouseForm) Filled(w *store.Warehouse) WarehouseForm {
	p.Name.Value = w.Name
	p.AddressForm.fill(&w.Address)
	return p
}

func (p WarehouseForm) fields() []ui.Field {
	name := ui.Field{Name: "name", Label: "Name", Required: true, Input: p.Name, Now: p.now(p.Name.Value, p.Warehouse.Name)}
	return append([]ui.Field{name}, p.AddressForm.fields(p.Form, &p.Warehouse.Address)...)
}

func (p WarehouseForm) path() string { return WarehousePath(p.Warehouse.ID) }

// EmployeeForm is the form of an employee.
type EmployeeForm struct {
	Page
	Form
	Employee store.Employee // as they are now

	Name, Email, Phones, Hired                 ui.Input
	Job, Department, Location, Warehouse, Boss ui.Input
}

// Filled fills the form with what is known of an employee.
func (p EmployeeForm) Filled(e *store.Employee) EmployeeForm {
	p.Name.Value, p.Email.Value, p.Phones.Value, p.Hired.Value = e.Name, e.Email, strings.Join(e.Phones, "\n"), isoDay(e.HireDate)
	p.Job.Value, p.Department.Value, p.Location.Value = e.JobID, e.DepartmentID, e.LocationID
	p.Warehouse.Value, p.Boss.Value = e.WarehouseID, e.ManagerID
	return p
}

// isoDay is a day as fields take it.
func isoDay(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(time.DateOnly)
}

// fields are those of the person and those of their work.
func (p EmployeeForm) fields() (person, work []ui.Field) {
	e := &p.Employee
	field := func(name, label, hint string, input ui.Input, now string) ui.Field {
		return ui.Field{Name: name, Label: label, Hint: hint, Input: input, Now: p.now(input.Value, now)}
	}
	name := field("name", "Name", "", p.Name, e.Name)
	name.Required = true
	email := field("email", "E-mail", "", p.Email, e.Email)
	email.Type = "email"
	person = []ui.Field{name, email, field("phones", "Phones", "A number a line.", p.Phones, strings.Join(e.Phones, "\n"))}
	work = []ui.Field{
		field("hired", "Hired", "A day as 2026-11-21.", p.Hired, isoDay(e.HireDate)),
		field("job", "Job", "The ID of a job.", p.Job, e.JobID),
		field("department", "Department", "The ID of a department.", p.Department, e.DepartmentID),
		field("location", "Location", "The ID of a location.", p.Location, e.LocationID),
		field("warehouse", "Warehouse", "The ID of a warehouse.", p.Warehouse, e.WarehouseID),
		field("manager", "Manager", "The ID of an employee.", p.Boss, e.ManagerID),
	}
	return person, work
}

func (p EmployeeForm) path() string { return EmployeePath(p.Employee.ID) }
