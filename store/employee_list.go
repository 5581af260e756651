package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EmployeeFilter narrows the list of employees to a beginning of the name,
// and to a job or to a warehouse, whose keys go on with the name. Where both
// are set, the warehouse counts.
type EmployeeFilter struct{ Name, JobID, WarehouseID string }

// EmployeeDetails are an employee with what their IDs stand for: nil where
// there is no such thing, or none that this user may see.
type EmployeeDetails struct {
	Employee
	Department *Reference `json:",omitempty"`
	Location   *Reference `json:",omitempty"`
	Warehouse  *Warehouse `json:",omitempty"`
	Manager    *Employee  `json:",omitempty"`
}

// Employee finds an employee by ID. What is private of them is left out for
// whoever may not read it; one who works elsewhere than in a manager's
// warehouses is not there.
func (a Access) Employee(ctx context.Context, id string) (*Employee, error) {
	return a.employee(ctx, getEmployee, id)
}

// PhonesOfEmployee are the numbers under which an employee is reached.
func (a Access) PhonesOfEmployee(ctx context.Context, id string) ([]string, error) {
	if err := a.require(ReadStaff); err != nil {
		return nil, err
	}
	e, err := a.employee(ctx, getEmployeePhones, id)
	if err != nil {
		return nil, err
	}
	return e.Phones, nil
}

func (a Access) employee(ctx context.Context, p *Pattern, id string) (*Employee, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	e, err := readOne[*Employee](ctx, a.store, p, key.Map{"employeeID": id})
	if err != nil {
		return nil, err
	}
	if !a.user.InCharge(e.WarehouseID) {
		return nil, fail(NotFound, "Employee %s not found, or not one of yours.", id)
	}
	return a.redact(*e), nil
}

// redact removes the private fields of an employee unless the user may read
// them.
func (a Access) redact(e Employee) *Employee {
	if !a.user.May(ReadStaff) {
		e = e.withoutPrivate()
	}
	return &e
}

// EmployeeDetails finds an employee, and in one more request what belongs to
// them.
func (a Access) EmployeeDetails(ctx context.Context, id string) (*EmployeeDetails, error) {
	e, err := a.Employee(ctx, id)
	if err != nil {
		return nil, err
	}
	d := &EmployeeDetails{Employee: *e}
	var manager *Employee
	named := []table.Lookup{
		lookUpReference(Department, e.DepartmentID, &d.Department),
		lookUpReference(Location, e.LocationID, &d.Location),
		lookUp(getWarehouse, key.Map{"warehouseID": e.WarehouseID}, &d.Warehouse),
		lookUp(getEmployee, key.Map{"employeeID": e.ManagerID}, &manager),
	}
	if err := a.store.table.LookUp(ctx, named, false); err != nil {
		return nil, err
	}
	if manager != nil && a.user.InCharge(manager.WarehouseID) {
		d.Manager = a.redact(*manager)
	}
	return d, nil
}

// Employees lists employees by name. A manager asks for one of their own
// warehouses; without one there is no list of theirs.
func (a Access) Employees(ctx context.Context, f EmployeeFilter, page Page) (List[Employee], error) {
	if err := a.requireWarehouse(f.WarehouseID); err != nil {
		return List[Employee]{}, err
	}
	q := table.Query{Pattern: getEmployees, Values: key.Map{"name": key.Fold(f.Name), "warehouseID": f.WarehouseID, "jobID": f.JobID}}
	named := q.Values["name"] != ""
	switch {
	case f.WarehouseID != "" && named:
		q.Pattern = getWarehouseStaffByName
	case f.WarehouseID != "":
		q.Pattern = getWarehouseStaff
	case f.JobID != "" && named:
		q.Pattern = getEmployeesByJobAndName
	case f.JobID != "":
		q.Pattern = getEmployeesByJob
	}
	return a.employees(ctx, q, page)
}

// EmployeesByHireDate lists employees by the day on which they were hired,
// the longest there first; reverse turns the order round. The day is private,
// and the list is of all places: neither a viewer nor a manager reads it.
func (a Access) EmployeesByHireDate(ctx context.Context, r DateRange, reverse bool, page Page) (List[Employee], error) {
	if err := a.require(ReadStaff); err != nil {
		return List[Employee]{}, err
	}
	if err := a.requireWarehouse(""); err != nil {
		return List[Employee]{}, err
	}
	values := key.Map{"from": key.MinDate, "to": key.MaxDate}
	if !r.From.IsZero() {
		values["from"] = calendarDay(r.From)
	}
	if !r.To.IsZero() {
		values["to"] = calendarDay(r.To)
	}
	return a.employees(ctx, table.Query{Pattern: getEmployeesByHireDate, Values: values, Reverse: reverse}, page)
}

func (a Access) employees(ctx context.Context, q table.Query, page Page) (List[Employee], error) {
	return list(ctx, a.store, q, page, func(item Item, e *Employee) error {
		err := decodeAs(item, e)
		*e = *a.redact(*e)
		return err
	})
}

// ownStaff refuses what belongs to an employee whom this user may not see.
// Whoever sees everybody is not asked about.
func (a Access) ownStaff(ctx context.Context, employeeID string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	if a.user.Role != Manager {
		return nil
	}
	_, err := a.Employee(ctx, employeeID)
	return err
}

// CustomersOfRep lists the customers whom an account rep looks after, by
// name.
func (a Access) CustomersOfRep(ctx context.Context, employeeID string, page Page) (List[Customer], error) {
	if err := a.ownStaff(ctx, employeeID); err != nil {
		return List[Customer]{}, err
	}
	q := table.Query{Pattern: getRepCustomers, Values: key.Map{"employeeID": employeeID}}
	return list(ctx, a.store, q, page, decodeAs[Customer])
}

// OrdersOfRep lists the orders of an account rep's customers in a range of
// dates, newest first.
func (a Access) OrdersOfRep(ctx context.Context, employeeID string, r DateRange, page Page) (List[Order], error) {
	if err := a.ownStaff(ctx, employeeID); err != nil {
		return List[Order]{}, err
	}
	q, err := a.store.inRange(ctx, getRepOrders, r, key.Map{"employeeID": employeeID})
	if err != nil {
		return List[Order]{}, err
	}
	q.Reverse = true
	return list(ctx, a.store, q, page, decodeOrderRow)
}

// QuotasOfRep lists what an account rep sold, quarter by quarter, the latest
// first.
func (a Access) QuotasOfRep(ctx context.Context, employeeID string, page Page) (List[Quota], error) {
	if err := a.ownStaff(ctx, employeeID); err != nil {
		return List[Quota]{}, err
	}
	q := table.Query{Pattern: getQuotasOfEmployee, Values: key.Map{"employeeID": employeeID}}
	return list(ctx, a.store, q, page, decodeAs[Quota])
}

// RankedReps lists the account reps of a quarter, who sold most first. The
// list is of all places, so a manager reads none.
func (a Access) RankedReps(ctx context.Context, period Quarter, page Page) (List[Quota], error) {
	if err := a.require(RankStaff); err != nil {
		return List[Quota]{}, err
	}
	q := table.Query{Pattern: getQuotasOfPeriod, Values: key.Map{"period": period.String()}}
	return list(ctx, a.store, q, page, decodeAs[Quota])
}
