package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// listEmployees lists employees by name, by one job or warehouse, or by the
// days on which they were hired: each is a key of its own. Who is in charge of
// some warehouses only always looks at one of them, and hire dates are a
// filter only of those who may read them.
func listEmployees(r *request) error {
	l, err := readEmployees(r)
	if err != nil {
		return err
	}
	f, hired := l.filter, l.hired
	return answerList(r, l.Query, listing[store.Employee]{
		file: "employees", columns: employeeColumns, turns: l.byHireDate(),
		ask: func(ctx context.Context, p store.Page) (store.List[store.Employee], error) {
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
				Page: r.page("Employees"), List: list, Name: field(l.Query, "name"), Job: field(l.Query, "job"), Warehouse: l.warehouse(),
				From: field(l.Query, "from"), To: field(l.Query, "to"), Jobs: l.jobs.Rows, Warehouses: l.warehouses.Rows,
				OwnOnly: l.ownOnly, ByHireDate: l.byHireDate(), HireDates: l.hireDates, Rows: rows,
			})
		},
	})
}

func showEmployee(r *request) error {
	q, err := r.query("from", "to", "store")
	if err != nil {
		return err
	}
	days := r.days(q)
	employee, err := r.shop.EmployeeDetails(r.ctx(), r.id())
	if err != nil {
		return err
	}
	id := employee.ID
	customers := part[store.Customer]{
		name: "customers", columns: customerColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Customer], error) {
			return r.shop.CustomersOfRep(ctx, id, p)
		},
	}
	orders := part[store.Order]{
		name: "orders", columns: orderColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return r.shop.OrdersOfRep(ctx, id, days, p)
		},
	}
	quotas := part[store.Quota]{
		name: "quotas", columns: quotaColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Quota], error) {
			return r.shop.QuotasOfRep(ctx, id, p)
		},
	}
	employments := partOf(r, "employments", employmentColumns, id, store.Access.EmploymentsOfPerson)
	rented := r.rented(q, id)
	return answerThing(r, q, thing{
		path: views.EmployeePath(id), lists: append(rented.lists(), &customers, &orders, &quotas, employments),
		page: func() templ.Component {
			return views.EmployeePage(views.Employee{
				Page: r.page(cmp.Or(employee.Name, id)), Employee: *employee, Private: r.user.May(store.ReadStaff), MayEdit: r.user.May(store.Administer),
				From: field(q, "from"), To: field(q, "to"),
				Customers: customers.view(), Orders: orders.view(), Quotas: quotas.view(), Employments: employments.view(), Rented: rented.view(),
			})
		},
		json: func() any {
			return struct {
				*store.EmployeeDetails
				Customers   beginning[store.Customer]
				Orders      beginning[store.Order]
				Quotas      beginning[store.Quota]
				Employments beginning[store.Employment]
				rentedJSON
			}{employee, customers.json(), orders.json(), quotas.json(), employments.json(), rented.json()}
		},
	})
}

func listEmployeePhones(r *request) error {
	phones, err := r.shop.PhonesOfEmployee(r.ctx(), r.id())
	return answerWhole(r, "phones", phoneColumns, phones, err, func(id string) templ.Component {
		return views.PhonesPage(views.Phones{Page: r.page("Phones of employee " + id), ID: id, Of: "employee", Path: views.EmployeePath(id), Rows: phones})
	})
}

func listCustomerPhones(r *request) error {
	phones, err := r.shop.PhonesOfCustomer(r.ctx(), r.id())
	return answerWhole(r, "phones", phoneColumns, phones, err, func(id string) templ.Component {
		return views.PhonesPage(views.Phones{Page: r.page("Phones of customer " + id), ID: id, Of: "customer", Path: views.CustomerPath(id), Rows: phones})
	})
}
