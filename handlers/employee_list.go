package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// employeeQuery contains the parameters of the list of employees, and the options of its
// filters.
type employeeQuery struct {
	*web.Query
	filter     store.EmployeeFilter
	hired      store.DateRange
	hireDates  bool // the user may filter by hire date
	ownOnly    bool // the user sees only their own warehouses
	jobs       store.List[store.ListedReference]
	warehouses store.List[store.Warehouse]
	ownStores  []store.RentalStore // the stores of a manager
}

// parseEmployeeQuery parses the parameters of the list of employees. A filter that the
// user may not use is rejected like an unknown parameter.
func parseEmployeeQuery(r *request) (l employeeQuery, err error) {
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
		l.Fail("from", "Filter by hire date alone, without a name, job or warehouse.")
	case l.filter.JobID != "" && l.filter.WarehouseID != "":
		l.Fail("warehouse", "Filter by job or by warehouse, not both.")
	}
	if r.wantsFile() {
		return l, nil
	}
	if l.warehouses, err = r.shop.Warehouses(r.ctx(), store.AlsoArchived, store.Page{Limit: store.MaxLimit}); err != nil {
		return l, err
	}
	if l.ownOnly {
		l.ownStores, err = r.shop.RentalStores(r.ctx(), store.NotArchived)
		return l, err
	}
	l.jobs, err = r.shop.References(r.ctx(), store.Job, "", store.NotArchived, store.Page{Limit: store.MaxLimit})
	return l, err
}

// byHireDate reports whether the list is filtered by hire date. Such a list is also
// sorted by hire date.
func (l *employeeQuery) byHireDate() bool { return l.Get("from") != "" || l.Get("to") != "" }

// warehouse returns the input of the warehouse filter. For managers, its default is their
// first warehouse.
func (l *employeeQuery) warehouse() ui.Input {
	return ui.Input{Value: l.filter.WarehouseID, Error: l.Errors["warehouse"]}
}

// listEmployees lists employees by name, job, warehouse or hire date. Only the name can be
// combined with a job or a warehouse, because the other filters use different index keys.
// Managers see one of their warehouses at a time.
func listEmployees(r *request) error {
	l, err := parseEmployeeQuery(r)
	if err != nil {
		return err
	}
	f, hired := l.filter, l.hired
	return respondList(r, l.Query, listPage[store.Employee]{
		file: "employees", columns: employeeColumns, reversible: l.byHireDate(),
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Employee], error) {
			switch {
			case l.byHireDate():
				return r.shop.EmployeesByHireDate(ctx, hired, l.Reverse(), p)
			case l.ownOnly && f.WarehouseID == "":
				return store.List[store.Employee]{}, nil
			}
			return r.shop.Employees(ctx, f, p)
		},
		page: func(list views.List, rows []store.Employee) templ.Component {
			return views.EmployeesPage(views.Employees{
				Page: r.page("Employees"), List: list.NameWarehouses(l.warehouses.Rows).NameJobs(l.jobs.Rows), Name: queryInput(l.Query, "name"), Job: queryInput(l.Query, "job"), Warehouse: l.warehouse(),
				From: queryInput(l.Query, "from"), To: queryInput(l.Query, "to"), Jobs: l.jobs.Rows, Warehouses: l.warehouses.Rows,
				OwnOnly: l.ownOnly, ByHireDate: l.byHireDate(), HireDates: l.hireDates, OwnStores: l.ownStores, Rows: rows,
			})
		},
	})
}
