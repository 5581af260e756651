package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func showEmployee(r *request) error {
	q, err := r.query("from", "to", "store", "year", "order")
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
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Customer], error) {
			return r.shop.CustomersOfRep(ctx, id, p)
		},
	}
	orders := part[store.Order]{
		name: "orders", columns: orderColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Order], error) {
			return r.shop.OrdersOfRep(ctx, id, days, p)
		},
	}
	quotas := part[store.Quota]{
		name: "quotas", columns: quotaColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Quota], error) {
			return r.shop.QuotasOfRep(ctx, id, p)
		},
	}
	employments := r.employments(q, id, store.Access.EmploymentsOfPerson)
	rented := r.rented(q, id)
	same := r.samePerson(id)
	return respondDetail(r, q, detailPage{
		path: views.EmployeePath(id), lists: append(rented.lists(), &customers, &orders, &quotas, employments), parts: []pagePart{rented.paid, same},
		page: func() templ.Component {
			return views.EmployeePage(views.Employee{
				Page: r.page(cmp.Or(employee.Name, id)), Employee: *employee, Private: r.user.May(store.ReadStaff), CanEdit: r.user.May(store.SetUp), Same: same.view(),
				From: queryInput(q, "from"), To: queryInput(q, "to"),
				Customers: customers.view(), Orders: orders.view(), Quotas: quotas.view(), Employments: employments.view(q), Rented: rented.view(),
			})
		},
		json: func() any {
			return struct {
				*store.EmployeeDetails
				Customers   firstRows[store.Customer]
				Orders      firstRows[store.Order]
				Quotas      firstRows[store.Quota]
				Employments firstRows[store.Employment]
				rentedJSON
			}{employee, customers.json(), orders.json(), quotas.json(), employments.json(), rented.json()}
		},
	})
}
