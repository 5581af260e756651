package store

import (
	"context"
	"strings"

	"stockroom/store/key"
)

// SaveEmployee changes an employee from the version that the form showed. Who
// is named has to be there: a job, a department, a location, a warehouse, a
// manager. What quotas and orders copied of them stays as it was.
func (a Access) SaveEmployee(ctx context.Context, employee Employee, once string) error {
	was, err := a.EmployeeForChange(ctx, employee.ID)
	if err != nil {
		return err
	}
	about := partitionOf(getEmployee, "employeeID", employee.ID)
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	if employee.Version != was.Version {
		return c.behind(ctx, about)
	}
	if err := a.checkEmployee(ctx, &employee); err != nil {
		return err
	}
	told, edited := employeeEdits(was, &employee).event(about, "employee edited")
	if !edited {
		return nil
	}
	c.tell(told)
	c.replaceNext(&employee, &employee.Version)
	return c.commit(ctx)
}

// EmployeeForChange reads an employee as they are in the table just now, for a
// form that leads to a change.
func (a Access) EmployeeForChange(ctx context.Context, id string) (*Employee, error) {
	if err := a.may(Administer); err != nil {
		return nil, err
	}
	return readConsistently[*Employee](ctx, a.Store, getEmployee, key.Map{"employeeID": id})
}

// employeeEdits name phones without their numbers: a history is read by more
// people than they are meant for.
func employeeEdits(was, now *Employee) *edits {
	var e edits
	e.field("name", was.Name, now.Name)
	e.field("e-mail", was.Email, now.Email)
	if strings.Join(was.Phones, "\n") != strings.Join(now.Phones, "\n") {
		e.field("phones", "", "changed")
	}
	e.field("hired", calendarDay(was.HireDate), calendarDay(now.HireDate))
	e.field("job", was.JobID, now.JobID)
	e.field("department", was.DepartmentID, now.DepartmentID)
	e.field("location", was.LocationID, now.LocationID)
	e.field("warehouse", was.WarehouseID, now.WarehouseID)
	e.field("manager", was.ManagerID, now.ManagerID)
	return &e
}

// checkEmployee looks at what was typed, and in one request at what it names.
// The title is that of the job.
func (a Access) checkEmployee(ctx context.Context, e *Employee) error {
	typed := []line{
		{"name", &e.Name},
		{"email", &e.Email},
		{"job", &e.JobID},
		{"department", &e.DepartmentID},
		{"location", &e.LocationID},
		{"warehouse", &e.WarehouseID},
		{"manager", &e.ManagerID},
	}
	for i := range e.Phones {
		typed = append(typed, line{"phones", &e.Phones[i]})
	}
	if err := shortLines(typed); err != nil {
		return err
	}
	switch {
	case e.Name == "":
		return InvalidField("name", "Write a name.")
	case e.Email != "" && !isEmail(e.Email):
		return InvalidField("email", "This is no e-mail address.")
	case len(e.Phones) > maxPhones:
		return InvalidField("phones", "At most %d numbers.", maxPhones)
	case e.ManagerID == e.ID:
		return InvalidField("manager", "Nobody is their own manager.")
	}
	var job, department, location *Reference
	var warehouse *Warehouse
	var manager *Employee
	err := a.readAll(ctx, []lookup{
		lookUpReference(Job, e.JobID, &job),
		lookUpReference(Department, e.DepartmentID, &department),
		lookUpReference(Location, e.LocationID, &location),
		lookUp(getWarehouse, key.Map{"warehouseID": e.WarehouseID}, &warehouse),
		lookUp(getEmployee, key.Map{"employeeID": e.ManagerID}, &manager),
	}, true)
	if err != nil {
		return err
	}
	for _, named := range []struct {
		field, id string
		there     bool
	}{
		{"job", e.JobID, job != nil},
		{"department", e.DepartmentID, department != nil},
		{"location", e.LocationID, location != nil},
		{"warehouse", e.WarehouseID, warehouse != nil},
		{"manager", e.ManagerID, manager != nil},
	} {
		if named.id != "" && !named.there {
			return InvalidField(named.field, "There is no %s %s.", named.field, named.id)
		}
	}
	e.JobTitle = ""
	if job != nil {
		e.JobTitle = job.Name
	}
	return nil
}
