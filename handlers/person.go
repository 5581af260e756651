package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// showPerson shows a person who is neither a customer nor an employee but rents kayaks.
// It redirects to the page of a customer or employee.
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
	case r.wantsFile():
	case person.Customer:
		return web.Redirect(r.Context, views.CustomerPath(person.ID))
	case person.Employee:
		return web.Redirect(r.Context, views.EmployeePath(person.ID))
	}
	rented := r.rented(q, person.ID)
	return respondDetail(r, q, detailPage{
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
