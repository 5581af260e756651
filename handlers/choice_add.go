package handlers

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// If no record matches the text in a field of a form, the user can add one. The server then
// shows a second form, which adds the record. A hidden field of the second form contains
// the first form, signed. After the record is added, the server shows the first form again,
// with the new record chosen.

// adder shows the form that adds a record of one kind.
type adder interface {
	// addPage returns the second form, with the name filled in. The argument kept is the
	// signed first form.
	addPage(r *request, action, name, kept string) (templ.Component, error)
}

// addedChoice describes how to add a record of one kind.
type addedChoice struct {
	permission store.Permission
	path       string // path of the form
	editor     adder
	prefix     string // prefix of the record's ID in the value of the first form's field
}

// The kinds of records that can be added from a field that accepts a warehouse or a store.
const (
	addedWarehouse store.ChoiceKind = "place@warehouse"
	addedStore     store.ChoiceKind = "place@store"
)

// addedChoices contains the kinds of records that can be added from a field. Kayaks are
// missing, because the path of their form depends on the store. Renters are missing,
// because forms with a renter have separate fields for a new person.
var addedChoices = map[store.ChoiceKind]addedChoice{
	store.ChooseCustomer:   {permission: store.EditCustomers, path: "/customers/new", editor: &customerEditor},
	store.ChooseEmployee:   {permission: store.SetUp, path: "/employees/new", editor: &employeeEditor},
	store.ChooseProduct:    {permission: store.SetUp, path: "/products/new", editor: &productEditor},
	store.ChooseWarehouse:  {permission: store.SetUp, path: "/warehouses/new", editor: &warehouseEditor},
	store.ChooseStore:      {permission: store.SetUp, path: "/stores/new", editor: &rentalStoreEditor},
	addedWarehouse:         {permission: store.SetUp, path: "/warehouses/new", editor: &warehouseEditor, prefix: store.WarehouseScope},
	addedStore:             {permission: store.SetUp, path: "/stores/new", editor: &rentalStoreEditor, prefix: store.StoreScope},
	store.ChooseRegion:     addedReference(store.Region),
	store.ChooseCountry:    addedReference(store.Country),
	store.ChooseLocation:   addedReference(store.Location),
	store.ChooseDepartment: addedReference(store.Department),
	store.ChooseJob:        addedReference(store.Job),
	store.ChooseCategory:   addedReference(store.Category),
}

func addedReference(kind store.ReferenceKind) addedChoice {
	return addedChoice{permission: store.SetUp, path: "/reference/" + kind.List() + "/new", editor: editorOfReference(kind)}
}

// addedChoiceOf returns how to add a record of a kind. It returns false if records of
// this kind cannot be added from a field.
func addedChoiceOf(kind store.ChoiceKind) (add addedChoice, ok bool) {
	if storeID, isKayak := kind.KayakStore(); isKayak {
		return addedChoice{permission: store.RunRentals, path: views.StorePath(storeID) + "/kayaks/new", editor: kayakAdder{storeID}}, true
	}
	add, ok = addedChoices[kind]
	return add, ok
}

// kayakAdder shows the form that adds a kayak to a store.
type kayakAdder struct{ storeID string }

func (k kayakAdder) addPage(r *request, action, name, kept string) (templ.Component, error) {
	e, err := newKayakAt(r, k.storeID)
	if err != nil {
		return nil, err
	}
	return e.addPage(r, action, name, kept)
}

func (r *request) canAdd(kind store.ChoiceKind) bool {
	add, ok := addedChoiceOf(kind)
	return ok && r.user.May(add.permission)
}

// added returns the kinds of records that the user may add from a field.
func (r *request) added(kind store.ChoiceKind) []ui.Added {
	switch {
	case kind == store.ChoosePlace && r.canAdd(addedWarehouse):
		return []ui.Added{{Kind: string(addedWarehouse), Noun: "warehouse"}, {Kind: string(addedStore), Noun: "store"}}
	case r.canAdd(kind):
		return []ui.Added{{Kind: string(kind)}}
	}
	return nil
}

// addition is the error that a handler returns if the user chose to add a record for a
// field. serve then shows the form that adds the record.
type addition struct {
	kind store.ChoiceKind
	name string // entered name
}

func (a *addition) Error() string { return "the user adds a " + string(a.kind) }

// additionIn returns the addition that the user chose in a form, or nil.
func additionIn(values url.Values) *addition {
	for param := range values {
		field, isPick := strings.CutSuffix(param, ui.PickedParam(""))
		if kind, adds := strings.CutPrefix(values.Get(param), ui.PickedAdd); isPick && adds {
			return &addition{store.ChoiceKind(kind), strings.TrimSpace(values.Get(field))}
		}
	}
	return nil
}

// showAddition shows the form that adds a record. A hidden field of this form contains the
// form that the user submitted.
func (r *request) showAddition(a *addition) error {
	if !r.canAdd(a.kind) {
		return &store.Error{Kind: store.Forbidden, Message: "Your role can't add this record."}
	}
	kept, reason, err := r.site.tools.KeepForm(r.Context, r.route.permission)
	if err != nil {
		return err
	}
	if kept == "" {
		return echo.NewHTTPError(http.StatusRequestEntityTooLarge, reason)
	}
	add, _ := addedChoiceOf(a.kind)
	page, err := add.editor.addPage(r, add.path, a.name, kept)
	if err != nil {
		return err
	}
	return r.show(page)
}

func (e *editor[T]) addPage(r *request, action, name, kept string) (templ.Component, error) {
	p := views.Edit{Noun: e.noun, List: e.list, ListName: e.listName, Action: action, Return: kept}
	p.Fields = editFields(e.fields, web.Form{}, nil, nil, r.settings.Currency)
	for i := range p.Fields {
		if p.Fields[i].Spec.Name == "name" {
			p.Fields[i].Input.Value = name
		}
	}
	if err := r.showPicks(p.Fields, nil); err != nil {
		return nil, err
	}
	p.Page, p.Form = r.page(p.EditTitle()), views.Form{Token: r.newFormToken()}
	return views.EditPage(p), nil
}

// returnToForm shows the first form again, with the added record chosen. It returns false
// if the first form is too old or was submitted by another user.
func (r *request) returnToForm(kept, message, id, name string) (shown bool, err error) {
	form := r.site.tools.ReadKeptForm(kept)
	if form == nil || form.User != "" && !strings.EqualFold(form.User, r.user.Name) {
		return false, nil
	}
	for param := range form.Values {
		field, isPick := strings.CutSuffix(param, ui.PickedParam(""))
		if kind, adds := strings.CutPrefix(form.Values.Get(param), ui.PickedAdd); isPick && adds {
			form.Values.Set(param, addedChoices[store.ChoiceKind(kind)].prefix+id)
			form.Values.Set(field, cmp.Or(name, id))
			form.Values.Set(ui.PickedTextParam(field), cmp.Or(name, id))
		}
	}
	form.Values.Set(web.FieldUnsent, "yes")
	r.signForm(form.Values)
	if form.Values.Has(views.ButtonParam) {
		form.Values.Set(views.ButtonParam, views.ButtonEdit)
	}
	return true, r.show(views.KeptFormPage(views.KeptForm{Page: r.page("Continue"), Path: form.Path, Values: form.Values, Username: r.user.Name, Added: message, SendNow: true}))
}

// errUnsent is the error in a form that is shown again after the user has added a record
// for it.
var errUnsent = &store.Error{Kind: store.Invalid, Message: "Check the form, then submit it. It has not been saved yet."}
