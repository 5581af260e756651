package store

import (
	"context"

	"stockroom/store/key"
	"stockroom/store/table"
)

// EmployeeFilter selects employees by the start of words in their name, and by
// warehouse or job. WarehouseID takes precedence over JobID.
type EmployeeFilter struct{ Name, JobID, WarehouseID string }

// EmployeeDetails is an employee with the records to which the employee refers. A
// record is nil if it does not exist or the user may not see it.
type EmployeeDetails struct {
	Employee
	Department *Reference `json:",omitempty"`
	Location   *Reference `json:",omitempty"`
	Warehouse  *Warehouse `json:",omitempty"`
	Manager    *Employee  `json:",omitempty"`
}

// Employee returns an employee. It omits the private fields unless the user may read
// them. It returns NotFound for employees whom the user may not see at all.
func (a Access) Employee(ctx context.Context, id string) (*Employee, error) {
	return a.employee(ctx, getEmployee, id)
}

// PhonesOfEmployee returns an employee's phone numbers.
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
	var e *Employee
	var ownStaff bool
	if err := a.store.table.LookUp(ctx, append(a.lookUpOwnStaff(ctx, id, &ownStaff), lookUp(p, key.Map{"employeeID": id}, &e)), false); err != nil {
		return nil, err
	}
	if e == nil || !a.maySeeEmployee(e, ownStaff) {
		return nil, errEmployeeNotFound(id)
	}
	return a.redact(*e), nil
}

func errEmployeeNotFound(id string) error {
	return fail(NotFound, "Employee %s not found, or not one of yours.", id)
}

// maySeeEmployee reports whether the user may see an employee. Managers may see only employees
// of their own warehouses and own staff; see lookUpOwnStaff.
func (a Access) maySeeEmployee(e *Employee, ownStaff bool) bool {
	return ownStaff || a.user.InCharge(e.WarehouseID)
}

// lookUpOwnStaff returns lookups that set *ownStaff to true if a person works at one of
// the user's own stores. Only managers have stores of their own.
func (a Access) lookUpOwnStaff(ctx context.Context, personID string, ownStaff *bool) (lookups []table.Lookup) {
	own, _ := a.ownStores()
	for _, storeID := range own {
		lookups = append(lookups, table.Lookup{
			Pattern: getStoreEmployee, Values: key.Map{"storeULID": storeID, "personULID": personID},
			Found: func(row Row) error {
				var e StoreEmployee
				if err := decodeAs(row, &e); err != nil {
					return err
				}
				today, err := a.store.Today(ctx)
				*ownStaff = *ownStaff || e.worksOn(today)
				return err
			},
		})
	}
	return lookups
}

func (a Access) redact(e Employee) *Employee {
	if !a.user.May(ReadStaff) {
		e = e.withoutPrivate()
	}
	return &e
}

// EmployeeDetails returns an employee with the records to which the employee refers.
// It reads these records with one request.
func (a Access) EmployeeDetails(ctx context.Context, id string) (*EmployeeDetails, error) {
	e, err := a.Employee(ctx, id)
	if err != nil {
		return nil, err
	}
	d := &EmployeeDetails{Employee: *e}
	var manager *Employee
	var ownStaff bool
	lookups := append(a.lookUpOwnStaff(ctx, e.ManagerID, &ownStaff),
		lookUpReference(Department, e.DepartmentID, &d.Department),
		lookUpReference(Location, e.LocationID, &d.Location),
		lookUp(getWarehouse, key.Map{"warehouseID": e.WarehouseID}, &d.Warehouse),
		lookUp(getEmployee, key.Map{"employeeID": e.ManagerID}, &manager),
	)
	if err := a.store.table.LookUp(ctx, lookups, false); err != nil {
		return nil, err
	}
	if manager != nil && a.maySeeEmployee(manager, ownStaff) {
		d.Manager = a.redact(*manager)
	}
	if !a.user.InCharge(e.WarehouseID) {
		d.Warehouse = nil
	}
	return d, nil
}

// Employees lists employees by name. Managers must choose one of their own
// warehouses.
func (a Access) Employees(ctx context.Context, f EmployeeFilter, page Page) (List[Employee], error) {
	if err := a.requireWarehouse(f.WarehouseID); err != nil {
		return List[Employee]{}, err
	}
	q := table.Query{Pattern: getEmployees, Values: key.Map{"name": "", "warehouseID": f.WarehouseID, "jobID": f.JobID}}
	words := key.Words(f.Name)
	switch {
	case f.WarehouseID != "":
		q.Pattern = getWarehouseStaff
	case f.JobID != "":
		q.Pattern = getEmployeesByJob
	case len(words) > 0:
		found, err := listNamed[*Employee](ctx, a.store, wordsOfStaff, f.Name, page, func(w *SearchWord) bool { return w.Type == typeEmployee })
		for i := range found.Rows {
			found.Rows[i] = *a.redact(found.Rows[i])
		}
		return found, err
	}
	return listWithWords(ctx, a.store, q, page, words, a.decodeEmployee, func(e *Employee) string { return e.Name })
}

// EmployeesByHireDate lists the employees of all warehouses by hire date. It requires
// the permission ReadStaff, because the hire date is private. Managers may not use
// the list, because it includes employees of warehouses that they do not manage.
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
	return list(ctx, a.store, q, page, a.decodeEmployee)
}

func (a Access) decodeEmployee(row Row, e *Employee) error {
	err := decodeAs(row, e)
	*e = *a.redact(*e)
	return err
}
