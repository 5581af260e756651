package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// showPerson shows a person who rents kayaks. For a customer or an employee, it redirects
// to the page of the customer or employee, unless the response is a file.
func showPerson(r *request) error {
	q, err := r.query("store", "year", "order")
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
	same := r.samePerson(person.ID)
	employments := r.employments(q, person.ID, store.Access.EmploymentsOfPerson)
	return respondDetail(r, q, detailPage{
		path: views.PersonPath(person.ID), lists: append(rented.lists(), employments), parts: []pagePart{rented.paid, same},
		page: func() templ.Component {
			return views.PersonPage(views.Person{Page: r.page(person.Name), Person: *person, Same: same.view(), Rented: rented.view(), Employments: employments.view(q)})
		},
		json: func() any {
			return struct {
				*store.Renter
				Employments firstRows[store.Employment]
				rentedJSON
			}{person, employments.json(), rented.json()}
		},
	})
}
