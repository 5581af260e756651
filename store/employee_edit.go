package store

import (
	"context"
	"slices"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EmployeeFields are the editable fields of an employee.
var EmployeeFields = Fields[Employee](slices.Concat(
	inGroup("Contact",
		textField("name", "Name", func(e *Employee) *string { return &e.Name }).required().column("Name"),
		emailField("email", "Email", func(e *Employee) *string { return &e.Email }).column("Email"),
		phonesField(func(e *Employee) *[]string { return &e.Phones }).hidden().column("Phones"),
	),
	inGroup("Work",
		dayField("hired", "Hire date", func(e *Employee) *time.Time { return &e.HireDate }).column("HireDate"),
		pickField("job", "Job", ChooseJob, func(e *Employee) *string { return &e.JobID }).column("JobID"),
		pickField("department", "Department", ChooseDepartment, func(e *Employee) *string { return &e.DepartmentID }).column("DepartmentID"),
		pickField("location", "Location", ChooseLocation, func(e *Employee) *string { return &e.LocationID }).column("LocationID"),
		pickField("warehouse", "Warehouse", ChooseWarehouse, func(e *Employee) *string { return &e.WarehouseID }).column("WarehouseID"),
		pickField("manager", "Manager", ChooseEmployee, func(e *Employee) *string { return &e.ManagerID }).hint("Name, email address or ID.").column("ManagerID"),
	),
	hideAll(AddressFields(func(e *Employee) *Address { return &e.Address })),
))

func (e *Employee) version() *int { return &e.Version }

// AddEmployee adds an employee and returns the ID, which comes from the form token.
// It returns Invalid if a field is invalid or refers to an unknown record.
func (a Access) AddEmployee(ctx context.Context, employee Employee, token string) (id string, err error) {
	if err := a.require(SetUp); err != nil {
		return "", err
	}
	if employee.ID, err = a.store.newID(token); err != nil {
		return "", err
	}
	return employee.ID, createFromForm(ctx, a, &employee, employeeEdit(ctx, a, employee.ID, token))
}

// SaveEmployee changes an employee, and copies the title of the job to the employee.
// Existing quotas keep their copy of the name. For rentals, see renameRenter. SaveEmployee
// returns NotFound, or Conflict if the form showed another version. It returns Invalid if a
// field is invalid or refers to an unknown record.
func (a Access) SaveEmployee(ctx context.Context, employee Employee, token string) error {
	before, err := a.EmployeeForChange(ctx, employee.ID)
	if err != nil {
		return err
	}
	return saveFromForm(ctx, a, before, &employee, employeeEdit(ctx, a, employee.ID, token))
}

func employeeEdit(ctx context.Context, a Access, id, token string) edit[Employee] {
	return edit[Employee]{
		fields:    EmployeeFields,
		added:     EventEmployeeAdded,
		edited:    EventEmployeeEdited,
		partition: partitionOf(getEmployee, "employeeID", id),
		token:     token,
		validate:  func(e *Employee) error { return a.requireReferences(ctx, e) },
		also: func(c *change, before, after *Employee) error {
			if before == nil {
				return nil
			}
			return a.store.renameRenter(ctx, c, id, before.Name, after.Name)
		},
	}
}

// EmployeeForChange makes a consistent read of an employee. It returns NotFound if there
// is no such employee.
func (a Access) EmployeeForChange(ctx context.Context, id string) (*Employee, error) {
	if err := a.require(SetUp); err != nil {
		return nil, err
	}
	return readConsistently[*Employee](ctx, a.store, getEmployee, key.Map{"employeeID": id})
}

// requireReferences returns Invalid if the job, department, location, warehouse or
// manager does not exist, or if the employee is their own manager. Otherwise, it sets the
// employee's JobTitle to the name of the job, or to "" without a job.
func (a Access) requireReferences(ctx context.Context, e *Employee) error {
	if e.ManagerID == e.ID {
		return InvalidField("manager", "An employee can't be their own manager. Choose someone else.")
	}
	var job, department, location *Reference
	var warehouse *Warehouse
	var manager *Employee
	err := a.store.table.LookUp(ctx, []table.Lookup{
		lookUpReference(Job, e.JobID, &job),
		lookUpReference(Department, e.DepartmentID, &department),
		lookUpReference(Location, e.LocationID, &location),
		lookUp(getWarehouse, key.Map{"warehouseID": e.WarehouseID}, &warehouse),
		lookUp(getEmployee, key.Map{"employeeID": e.ManagerID}, &manager),
	}, true)
	if err != nil {
		return err
	}
	for _, reference := range []struct {
		field, id string
		missing   bool
	}{
		{"job", e.JobID, job == nil},
		{"department", e.DepartmentID, department == nil},
		{"location", e.LocationID, location == nil},
		{"warehouse", e.WarehouseID, warehouse == nil},
		{"manager", e.ManagerID, manager == nil},
	} {
		if reference.id != "" && reference.missing {
			noun := reference.field
			if noun == "manager" {
				noun = "employee"
			}
			return InvalidField(reference.field, "No %s has the ID %s.", noun, reference.id)
		}
	}
	e.JobTitle = ""
	if job != nil {
		e.JobTitle = job.Name
	}
	return nil
}
