package handlers

import (
	"cmp"
	"context"
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

func showKayak(r *request) error {
	q, err := r.query("person")
	if err != nil {
		return err
	}
	person := q.Get("person")
	k, err := r.shop.Kayak(r.ctx(), r.id())
	if err != nil {
		return err
	}
	var at *store.RentalStore
	rentals := partOf(r, "rentals", rentalColumns, k.ID, func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[store.Rental], error) {
		if person != "" {
			return a.RentalsOfKayakByPerson(ctx, id, person, p)
		}
		return a.RentalsOfKayak(ctx, id, p)
	})
	events := partOf(r, "events", eventColumns, k.ID, store.Access.EventsOfKayak)
	return answerThing(r, q, thing{
		path: views.KayakPath(k.ID), lists: []attached{rentals, events},
		reads: []func(context.Context) error{func(ctx context.Context) error {
			return ifThere(&at)(r.shop.RentalStore(ctx, k.StoreID))
		}},
		page: func() templ.Component {
			return views.KayakPage(views.Kayak{
				Page: r.page(cmp.Or(k.Name, k.ID)), Kayak: *k, Store: at, Person: field(q, "person"), Rentals: rentals.view(), Events: events.view(),
			})
		},
		json: func() any {
			return struct {
				*store.Kayak
				Rentals beginning[store.Rental]
				Events  beginning[store.Event]
			}{k, rentals.json(), events.json()}
		},
	})
}

// showPerson leads to the page of whoever an ID stands for. Somebody whom only
// the rental knows has no other than this.
func showPerson(r *request) error {
	q, err := r.query("store")
	if err != nil {
		return err
	}
	person, err := r.shop.Renter(r.ctx(), r.id())
	if err != nil {
		return err
	}
	switch {
	case r.file():
	case person.Customer:
		return web.Redirect(r.Context, views.CustomerPath(person.ID))
	case person.Employee:
		return web.Redirect(r.Context, views.EmployeePath(person.ID))
	}
	rented := r.rented(q, person.ID)
	return answerThing(r, q, thing{
		path: views.PersonPath(person.ID), lists: rented.lists(),
		page: func() templ.Component {
			return views.PersonPage(views.Person{Page: r.page(person.Name), Person: *person, Rented: rented.view()})
		},
		json: func() any {
			return struct {
				*store.Renter
				rentedJSON
			}{person, rented.json()}
		},
	})
}

// rented is what a person has out and ever had, as it stands on their page.
type rented struct {
	store ui.Input
	out   *part[store.ActiveRental]
	all   *part[store.Rental]
}

// rented asks for what a person rented, from the store that the query names.
func (r *request) rented(q *web.Query, personID string) *rented {
	at := q.Get("store")
	if at != "" && at != views.EachStore && !r.user.InChargeOfStore(at) {
		q.Fail("store", "There is no store "+at+" in your charge.")
	}
	return &rented{
		store: field(q, "store"),
		out:   partOf(r, "out", activeRentalColumns, personID, store.Access.RentedByPerson),
		all: partOf(r, "rentals", rentalColumns, personID, func(a store.Access, ctx context.Context, id string, p store.Page) (store.List[store.Rental], error) {
			switch at {
			case "":
				return a.RentalsOfPerson(ctx, id, p)
			case views.EachStore:
				return a.RentalsOfPersonByStore(ctx, id, p)
			}
			return a.RentalsOfPersonAtStore(ctx, id, at, p)
		}),
	}
}

func (p *rented) lists() []attached { return []attached{p.out, p.all} }

// view offers the stores of the rentals that it shows: to offer every store,
// the page would have to read them all.
func (p *rented) view() views.Rented {
	stores := []store.RentalStore{}
	offer := func(id, name string) {
		known := slices.ContainsFunc(stores, func(s store.RentalStore) bool { return s.ID == id })
		if id != "" && id != views.EachStore && !known {
			stores = append(stores, store.RentalStore{ID: id, Name: name})
		}
	}
	for _, rental := range p.all.found.Rows {
		offer(rental.StoreID, rental.StoreName)
	}
	offer(p.store.Value, "")
	return views.Rented{Out: p.out.view(), Rentals: p.all.view(), Store: p.store, Stores: stores}
}

// rentedJSON is the same in the JSON of a person.
type rentedJSON struct {
	KayaksOut beginning[store.ActiveRental]
	Rentals   beginning[store.Rental]
}

func (p *rented) json() rentedJSON { return rentedJSON{p.out.json(), p.all.json()} }
