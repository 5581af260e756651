package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// noteForm is the form that adds a note to one type of record.
type noteForm struct {
	on   views.Noted
	find func(r *request, id string) error // returns NotFound if the record does not exist
	add  func(a store.Access, ctx context.Context, id, note, token string, roles ...store.Role) error
}

var orderNote = noteForm{
	on: views.NotedOrder, add: store.Access.NoteOnOrder,
	find: func(r *request, id string) error { _, err := r.shop.Order(r.ctx(), id); return err },
}

var customerNote = noteForm{
	on: views.NotedCustomer, add: store.Access.NoteOnCustomer,
	find: func(r *request, id string) error { _, err := r.shop.Customer(r.ctx(), id); return err },
}

var accountNote = noteForm{
	on: views.NotedAccount, add: store.Access.NoteOnAccount,
	find: func(r *request, id string) error { _, err := r.customerOfAccount(id); return err },
}

var kayakNote = noteForm{
	on: views.NotedKayak, add: store.Access.NoteOnKayak,
	find: func(r *request, id string) error { _, err := r.shop.Kayak(r.ctx(), id); return err },
}

func (n noteForm) show(r *request) error { return r.showForm(n.render(r)) }

func (n noteForm) submit(r *request) error {
	form, err := r.readForm("note", views.NoteRolesParam+"*")
	if err != nil {
		return err
	}
	err = n.add(r.shop, r.ctx(), r.id(), form.Get("note"), form.Token(), rolesIn(form.All(views.NoteRolesParam))...)
	return r.finishChange(err, "Note added.", n.on.Path(r.id()), r.rerender(form, n.render(r)))
}

// render returns a function that renders the form for the record in the path.
func (n noteForm) render(r *request) func(web.Form, *store.Error) (templ.Component, error) {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		if err := n.find(r, r.id()); err != nil {
			return nil, err
		}
		roles := form.All(views.NoteRolesParam)
		if rejected == nil {
			roles = r.QueryParams()[views.NoteRolesParam]
		}
		return views.NotePage(views.Note{
			Roles: rolesIn(roles),
			Page:  r.page("Add note"), Form: r.formState(form, rejected, 0), On: n.on, ID: r.id(), Text: formInput(form, rejected, "note"),
		}), nil
	}
}

func rolesIn(names []string) []store.Role {
	roles := make([]store.Role, len(names))
	for i, name := range names {
		roles[i] = store.Role(name)
	}
	return roles
}
