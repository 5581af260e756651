package handlers

import (
	"net/url"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// noteForm is the form that adds a note to one kind of record.
type noteForm struct {
	on   func(r *request) views.Noted
	find func(r *request) error // returns NotFound if the record does not exist
	add  func(r *request, note, token string, roles ...store.Role) error
}

var orderNote = noteForm{
	on:   func(r *request) views.Noted { return views.NotedOrder(r.id()) },
	find: func(r *request) error { _, err := r.shop.Order(r.ctx(), r.id()); return err },
	add: func(r *request, note, token string, roles ...store.Role) error {
		return r.shop.NoteOnOrder(r.ctx(), r.id(), note, token, roles...)
	},
}

var customerNote = noteForm{
	on:   func(r *request) views.Noted { return views.NotedCustomer(r.id()) },
	find: func(r *request) error { _, err := r.shop.Customer(r.ctx(), r.id()); return err },
	add: func(r *request, note, token string, roles ...store.Role) error {
		return r.shop.NoteOnCustomer(r.ctx(), r.id(), note, token, roles...)
	},
}

var accountNote = noteForm{
	on:   func(r *request) views.Noted { return views.NotedAccount(r.id()) },
	find: func(r *request) error { _, err := r.customerOfAccount(r.id()); return err },
	add: func(r *request, note, token string, roles ...store.Role) error {
		return r.shop.NoteOnAccount(r.ctx(), r.id(), note, token, roles...)
	},
}

var kayakNote = noteForm{
	on:   func(r *request) views.Noted { return views.NotedKayak(r.id()) },
	find: func(r *request) error { _, err := r.shop.Kayak(r.ctx(), r.id()); return err },
	add: func(r *request, note, token string, roles ...store.Role) error {
		return r.shop.NoteOnKayak(r.ctx(), r.id(), note, token, roles...)
	},
}

var productNote = noteForm{
	on:   func(r *request) views.Noted { return views.NotedProduct(r.id()) },
	find: func(r *request) error { _, err := r.shop.Product(r.ctx(), r.id()); return err },
	add: func(r *request, note, token string, roles ...store.Role) error {
		return r.shop.NoteOnProduct(r.ctx(), r.id(), note, token, roles...)
	},
}

var stockNote = noteForm{
	on:   func(r *request) views.Noted { return views.NotedStock(r.id(), r.warehouseID()) },
	find: func(r *request) error { _, err := r.shop.StockItem(r.ctx(), r.id(), r.warehouseID()); return err },
	add: func(r *request, note, token string, roles ...store.Role) error {
		return r.shop.NoteOnStock(r.ctx(), r.id(), r.warehouseID(), note, token, roles...)
	},
}

// redirectInvoiceNote redirects to the form that adds a note to the order of an invoice.
func redirectInvoiceNote(r *request) error {
	i, err := r.shop.Invoice(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return r.redirectToNote(views.OrderPath(i.OrderID))
}

// redirectShipmentNote redirects to the form that adds a note to the order of a shipment.
func redirectShipmentNote(r *request) error {
	s, err := r.shop.Shipment(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return r.redirectToNote(views.OrderPath(s.OrderID))
}

// redirectBookingNote redirects to the form that adds a note to the kayak of a booking.
func redirectBookingNote(r *request) error {
	b, err := r.shop.Booking(r.ctx(), r.id())
	if err != nil {
		return err
	}
	return r.redirectToNote(views.KayakPath(b.KayakID))
}

// redirectToNote redirects to the form that adds a note to a record. It passes on the roles
// in the query string.
func (r *request) redirectToNote(record string) error {
	roles := url.Values{views.NoteRolesParam: r.QueryParams()[views.NoteRolesParam]}
	return web.Redirect(r.Context, record+"/notes?"+roles.Encode())
}

func (n noteForm) show(r *request) error { return r.showForm(n.render(r)) }

func (n noteForm) submit(r *request) error {
	form, err := r.readForm("note", views.NoteRolesParam+"*")
	if err != nil {
		return err
	}
	err = n.add(r, form.Get("note"), form.Token(), rolesIn(form.All(views.NoteRolesParam))...)
	return r.finishChange(err, "Note added.", n.on(r).Path, r.rerender(form, n.render(r)))
}

// render returns a function that renders the form for the record in the path.
func (n noteForm) render(r *request) func(web.Form, *store.Error) (templ.Component, error) {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		if err := n.find(r); err != nil {
			return nil, err
		}
		roles := form.All(views.NoteRolesParam)
		if rejected == nil {
			roles = r.QueryParams()[views.NoteRolesParam]
		}
		return views.NotePage(views.Note{
			Roles: rolesIn(roles),
			Page:  r.page("Add note"), Form: r.formState(form, rejected, 0), On: n.on(r), Text: formInput(form, rejected, "note"),
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
