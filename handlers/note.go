package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showOrderNoteForm(r *request) error { return r.showForm(r.noteForm) }

func addOrderNote(r *request) error {
	form, err := r.readForm("note")
	if err != nil {
		return err
	}
	err = r.shop.NoteOnOrder(r.ctx(), r.id(), form.Get("note"), form.Token())
	return r.finishChange(err, "Note added.", views.OrderPath(r.id()), r.rerender(form, r.noteForm))
}

func showCustomerNoteForm(r *request) error { return r.showForm(r.noteForm) }

func addCustomerNote(r *request) error {
	form, err := r.readForm("note")
	if err != nil {
		return err
	}
	err = r.shop.NoteOnCustomer(r.ctx(), r.id(), form.Get("note"), form.Token())
	return r.finishChange(err, "Note added.", views.CustomerPath(r.id()), r.rerender(form, r.noteForm))
}

// noteForm renders the form for a note on the order or customer in the path.
func (r *request) noteForm(form web.Form, rejected *store.Error) (templ.Component, error) {
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
	p.Page, p.Form, p.Text = r.page("Add note"), r.formState(form, rejected, 0), formInput(form, rejected, "note")
	return views.NotePage(p), nil
}
