package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func showStore(r *request) error {
	q, err := r.query(append(pickParams("person"), "archived", "year", "order")...)
	if err != nil {
		return err
	}
	person, err := r.pickFilter(q, "person", store.ChooseRenter)
	if err != nil {
		return err
	}
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	var utilisation store.Utilisation
	which := archivedOf(q)
	kayaks := partOf(r, "kayaks", kayakColumns, s.ID, func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[store.Kayak], error) {
		return a.KayaksOfStore(ctx, id, which, p)
	})
	out := partOf(r, "out", activeRentalColumns, s.ID, store.Access.RentedFromStore)
	overdue := partOf(r, "overdue", activeRentalColumns, s.ID, store.Access.OverdueAtStore)
	rentals := partOf(r, "rentals", rentalColumns, s.ID, func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[store.Rental], error) {
		if person.chosen != nil {
			return a.RentalsOfStoreByPerson(ctx, id, person.id(), p)
		}
		return a.RentalsOfStore(ctx, id, p)
	})
	employees := partOf(r, "employees", storeEmployeeColumns, s.ID, store.Access.EmployeesOfStore)
	employments := r.employments(q, s.ID, store.Access.EmploymentsAtStore)
	return respondDetail(r, q, detailPage{
		path: views.StorePath(s.ID), lists: []listPart{kayaks, out, overdue, rentals, employees, employments},
		reads: []func(context.Context) error{func(ctx context.Context) (err error) {
			utilisation, err = r.shop.Utilisation(ctx, s)
			return err
		}},
		page: func() templ.Component {
			return views.StorePage(views.Store{
				Page: r.page(cmp.Or(s.Name, s.ID)), Store: *s, Utilisation: utilisation, Person: person.field(), Retired: which == store.OnlyArchived, Kayaks: kayaks.view(), Out: out.view(),
				Overdue: overdue.view(), Rentals: rentals.view(), Employees: employees.view(), Employments: employments.view(q),
			})
		},
		json: func() any {
			return struct {
				*store.RentalStore
				Utilisation store.Utilisation
				Kayaks      firstRows[store.Kayak]
				Rented      firstRows[store.ActiveRental]
				Overdue     firstRows[store.ActiveRental]
				Rentals     firstRows[store.Rental]
				Employees   firstRows[store.StoreEmployee]
				Employments firstRows[store.Employment]
			}{s, utilisation, kayaks.json(), out.json(), overdue.json(), rentals.json(), employees.json(), employments.json()}
		},
	})
}
