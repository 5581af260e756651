package handlers

import (
	"errors"
	"net/http"
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// form reads the form of a change: these fields, its token and the version
// that it was made for, and no other.
func (r *request) form(fields ...string) (web.Form, error) {
	return web.ReadChange(r.Context, fields...)
}

// token makes the token of a form that is about to be shown. A form that is
// shown again because something in it was wrong gets a new one.
func (r *request) token() string { return r.site.store.NewToken() }

// changed answers a change that was asked for. Where it was made, the page to
// go on with says so.
func (r *request) changed(err error, message, path string, again func(*store.Error) (templ.Component, error)) error {
	if err == nil {
		return r.done(message, path)
	}
	return r.refused(err, again)
}

// refused answers a change that was not made. Where what was typed cannot be,
// or where somebody else was first, the form is shown again, as typed, with
// what is wrong.
func (r *request) refused(err error, again func(*store.Error) (templ.Component, error)) error {
	var refused *store.Error
	if !errors.As(err, &refused) || (refused.Kind != store.Invalid && refused.Kind != store.Conflict) {
		return err
	}
	page, err := again(refused)
	if err != nil {
		return err
	}
	status := http.StatusUnprocessableEntity
	if refused.Kind == store.Conflict {
		status = http.StatusConflict
	}
	return r.site.tools.RenderStatus(r.Context, status, page)
}

// formOf is what a form carries that is shown for this version of a thing:
// new, or again because it was refused. What was wrong in it is still for the
// version that it was made for; where somebody else was first it is made anew
// for what there is now, so that sending it again is a choice.
func (r *request) formOf(form web.Form, refused *store.Error, version int) views.Form {
	f := views.Form{Once: r.token(), Version: version}
	if refused == nil {
		return f
	}
	f.Conflict = refused.Kind == store.Conflict
	if !f.Conflict {
		f.Version = form.Version()
	}
	if slices.Contains(aboutAll, refused.Field) {
		f.Problem = refused.Message
	}
	return f
}

// aboutAll are the fields of what is wrong with a form as a whole.
var aboutAll = []string{"", store.FieldQuantities, store.FieldLines}

// formPage makes the page of a form: new, or as it was typed where it was
// refused.
type formPage func(form web.Form, refused *store.Error) (templ.Component, error)

// ask answers with a form that nobody has filled in yet.
func (r *request) ask(page formPage) error {
	shown, err := page(web.Form{}, nil)
	if err != nil {
		return err
	}
	return r.show(shown)
}

// again shows a form that was refused.
func (r *request) again(form web.Form, page formPage) func(*store.Error) (templ.Component, error) {
	return func(refused *store.Error) (templ.Component, error) { return page(form, refused) }
}
