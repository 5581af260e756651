package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// listStores shows all stores at once, with what is overdue at each.
func listStores(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	var stores []store.RentalStore
	var overdue map[string]int
	var whole bool
	both, ctx := errgroup.WithContext(r.ctx())
	both.Go(func() (err error) {
		stores, err = r.shop.RentalStores(ctx)
		return err
	})
	both.Go(func() (err error) {
		overdue, whole, err = r.shop.Overdue(ctx)
		return err
	})
	err := both.Wait()
	rows := make([]views.StoreRow, len(stores))
	for i, s := range stores {
		rows[i] = views.StoreRow{RentalStore: s, Overdue: overdue[s.ID]}
	}
	return answerWhole(r, "stores", storeColumns, rows, err, func(string) templ.Component {
		return views.StoresPage(views.Stores{Page: r.page("Stores"), Rows: rows, Whole: whole})
	})
}

func showStore(r *request) error {
	q, err := r.query("person")
	if err != nil {
		return err
	}
	person := q.Get("person")
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	var utilisation store.Utilisation
	kayaks := partOf(r, "kayaks", kayakColumns, s.ID, store.Access.KayaksOfStore)
	out := partOf(r, "out", activeRentalColumns, s.ID, store.Access.RentedFromStore)
	overdue := partOf(r, "overdue", activeRentalColumns, s.ID, func(a store.Access, ctx context.Context, id string, _ store.Page) (store.List[store.ActiveRental], error) {
		rows, err := a.OverdueAtStore(ctx, id)
		return store.List[store.ActiveRental]{Rows: rows}, err
	})
	rentals := partOf(r, "rentals", rentalColumns, s.ID, func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[store.Rental], error) {
		if person != "" {
			return a.RentalsOfStoreByPerson(ctx, id, person, p)
		}
		return a.RentalsOfStore(ctx, id, p)
	})
	employees := partOf(r, "employees", storeEmployeeColumns, s.ID, store.Access.EmployeesOfStore)
	employments := partOf(r, "employments", employmentColumns, s.ID, store.Access.EmploymentsAtStore)
	return answerThing(r, q, thing{
		path: views.StorePath(s.ID), lists: []attached{kayaks, out, overdue, rentals, employees, employments},
		reads: []func(context.Context) error{func(ctx context.Context) (err error) {
			utilisation, err = r.shop.Utilisation(ctx, s)
			return err
		}},
		page: func() templ.Component {
			return views.StorePage(views.Store{
				Page: r.page(cmp.Or(s.Name, s.ID)), Store: *s, Utilisation: utilisation, Person: field(q, "person"), Kayaks: kayaks.view(), Out: out.view(),
				Overdue: overdue.view(), Rentals: rentals.view(), Employees: employees.view(), Employments: employments.view(),
			})
		},
		json: func() any {
			return struct {
				*store.RentalStore
				Utilisation store.Utilisation
				Kayaks      beginning[store.Kayak]
				Rented      beginning[store.ActiveRental]
				Overdue     beginning[store.ActiveRental]
				Rentals     beginning[store.Rental]
				Employees   beginning[store.StoreEmployee]
				Employments beginning[store.Employment]
			}{s, utilisation, kayaks.json(), out.json(), overdue.json(), rentals.json(), employees.json(), employments.json()}
		},
	})
}

// partOf is a list of the thing with this ID.
func partOf[T any](r *request, name string, columns []web.Column[T], id string, ask func(store.Access, context.Context, string, store.Page) (store.List[T], error)) *part[T] {
	return &part[T]{name: name, columns: columns, ask: func(ctx context.Context, p store.Page) (store.List[T], error) {
		return ask(r.shop, ctx, id, p)
	}}
}

// listOverdue lists what should be back by now, at all stores or at those in a
// manager's charge.
func listOverdue(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	today, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	onlyOrder(q)
	return answerList(r, q, listing[store.ActiveRental]{
		file: "overdue", columns: activeRentalColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.ActiveRental], error) {
			return r.shop.RentalsDue(ctx, today.AddDate(0, 0, -1), p)
		},
		page: func(l views.List, rows []store.ActiveRental) templ.Component {
			return views.OverduePage(views.Overdue{Page: r.page("Overdue"), List: l, Rows: rows})
		},
	})
}
