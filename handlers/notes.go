package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func askNoteOnOrder(r *request) error { return r.ask(r.noteForm) }

// noteOnOrder adds a note to the timeline of an order.
func noteOnOrder(r *request) error {
	form, err := r.form("note")
	if err != nil {
		return err
	}
	err = r.shop.NoteOnOrder(r.ctx(), r.id(), form.Get("note"), form.Once())
	return r.changed(err, "The note was added.", views.OrderPath(r.id()), r.again(form, r.noteForm))
}

func askNoteOnCustomer(r *request) error { return r.ask(r.noteForm) }

// noteOnCustomer adds a note to the timeline of a customer.
func noteOnCustomer(r *request) error {
	form, err := r.form("note")
	if err != nil {
		return err
	}
	err = r.shop.NoteOnCustomer(r.ctx(), r.id(), form.Get("note"), form.Once())
	return r.changed(err, "The note was added.", views.CustomerPath(r.id()), r.again(form, r.noteForm))
}

// noteForm is the form of a note on the order or the customer in the address.
func (r *request) noteForm(form web.Form, refused *store.Error) (templ.Component, error) {
	var p views.Note
	var err error
	if sectionOf(r.route.path) == "/orders" {
		p.OrderID = r.id()
		_, err = r.shop.Order(r.ctx(), r.id())
	} else {
		p.CustomerID = r.id()
		_, err = r.shop.Customer(r.ctx(), r.id())
	}
	if err != nil {
		return nil, err
	}
	p.Page, p.Form, p.Text = r.page("Note"), r.formOf(form, refused, 0), typed(form, refused, "note")
	return views.NotePage(p), nil
}
