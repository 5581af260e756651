package handlers

import (
	"stockroom/store"
	"stockroom/views/ui"
	"stockroom/web"
)

// employeeQuery is the address of the list of employees.
type employeeQuery struct {
	*web.Query
	filter     store.EmployeeFilter
	hired      store.DateRange
	hireDates  bool // the user may list by them
	ownOnly    bool // the user is in charge of some warehouses only
	jobs       store.List[store.ListedReference]
	warehouses store.List[store.Warehouse]
}

// readEmployees reads it, with what there is to choose from. A filter that is
// not the user's is refused as one that the list does not have.
func readEmployees(r *request) (l employeeQuery, err error) {
	l.ownOnly = !r.user.InCharge("")
	l.hireDates = !l.ownOnly && r.user.May(store.ReadStaff)
	filters := []string{"name", "job", "warehouse", "from", "to"}
	switch {
	case l.ownOnly:
		filters = []string{"name", "warehouse"}
	case !l.hireDates:
		filters = filters[:3]
	}
	if l.Query, err = r.query(filters...); err != nil {
		return l, err
	}
	l.filter = store.EmployeeFilter{Name: l.Get("name"), JobID: l.Get("job"), WarehouseID: l.Get("warehouse")}
	l.hired = r.days(l.Query)
	if l.ownOnly && l.filter.WarehouseID == "" && len(r.user.Warehouses) > 0 {
		l.filter.WarehouseID = r.user.Warehouses[0]
	}
	switch {
	case l.byHireDate() && l.filter != (store.EmployeeFilter{}):
		l.Fail("from", "Hire dates stand alone: take off the name, the job and the warehouse.")
	case l.filter.JobID != "" && l.filter.WarehouseID != "":
		l.Fail("warehouse", "Staff are listed by job or by warehouse, not by both.")
	}
	if r.file() {
		return l, nil
	}
	if l.warehouses, err = r.shop.Warehouses(r.ctx(), store.Page{Limit: store.MaxLimit}); err != nil || l.ownOnly {
		return l, err
	}
	l.jobs, err = r.shop.References(r.ctx(), store.Job, "", store.Page{Limit: store.MaxLimit})
	return l, err
}

// byHireDate says that the list is read by hire dates, and so in their order.
func (l *employeeQuery) byHireDate() bool { return l.Get("from") != "" || l.Get("to") != "" }

// warehouse is the one that is looked at, also where nobody chose it.
func (l *employeeQuery) warehouse() ui.Input {
	return ui.Input{Value: l.filter.WarehouseID, Error: l.Errors["warehouse"]}
}
