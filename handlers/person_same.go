package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// fieldOther is the form field with the ID of the record that separatePeople separates from
// the record in the path.
const fieldOther = "other"

// showSamePerson shows the records that are joined with the record of a person.
func showSamePerson(r *request) error {
	return r.showForm(r.samePersonPage(pick{kind: store.ChooseRenter}))
}

func (r *request) samePersonPage(person pick) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		of, err := r.shop.Renter(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		if err := of.RequireVisible(); err != nil {
			return nil, err
		}
		others, err := r.shop.SamePerson(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		person.adds = nil
		p := views.SamePerson{Person: *of, Others: others, Other: formInput(form, rejected, "person"), Pick: person.view()}
		p.Page, p.Form = r.page("Same person as "+of.Name), r.formState(form, rejected, 0)
		return views.SamePersonPage(p), nil
	}
}

// joinPeople records that another record belongs to the same person.
func joinPeople(r *request) error {
	form, err := r.readForm(pickParams("person")...)
	if err != nil {
		return err
	}
	person, err := r.readPick(form, "person", store.ChooseRenter)
	if err == nil && person.chosen == nil {
		err = store.InvalidField("person", "Enter a name, phone number, email address or ID.")
	}
	if err == nil {
		err = r.shop.JoinPeople(r.ctx(), r.id(), person.id(), form.Token())
	}
	return r.finishChange(err, "Records joined.", views.SamePersonPath(r.id()), r.rerender(form, r.samePersonPage(person)))
}

// separatePeople undoes joinPeople.
func separatePeople(r *request) error {
	form, err := r.readForm(fieldOther)
	if err != nil {
		return err
	}
	err = r.shop.SeparatePeople(r.ctx(), r.id(), form.Get(fieldOther), form.Token())
	return r.finishChange(err, "Records separated.", views.SamePersonPath(r.id()), r.rerender(form, r.samePersonPage(pick{kind: store.ChooseRenter})))
}

// samePerson returns the part of a page that shows the records joined with a person's ID.
func (r *request) samePerson(id string) *single[[]store.Renter] {
	return &single[[]store.Renter]{fetch: func(ctx context.Context) ([]store.Renter, error) { return r.shop.SamePerson(ctx, id) }}
}
