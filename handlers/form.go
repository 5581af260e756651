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

// formPage renders a form. If rejected is not nil, the form shows the entered values
// and the error.
type formPage func(form web.Form, rejected *store.Error) (templ.Component, error)

// showForm renders an empty form.
func (r *request) showForm(page formPage) error {
	component, err := page(web.Form{}, nil)
	if err != nil {
		return err
	}
	return r.show(component)
}

// readForm reads a submitted form with these fields, a token and a version. It
// rejects any other field.
func (r *request) readForm(fields ...string) (web.Form, error) {
	form, err := web.ReadChange(r.Context, fields...)
	if err != nil {
		return form, err
	}
	if a := additionIn(r.Request().PostForm); a != nil {
		return form, a
	}
	return form, nil
}

// newFormToken returns a token for a form. A form that is shown again after an error
// gets a new token. While an admin views the site as someone else, forms get a token
// that is always rejected.
func (r *request) newFormToken() string {
	if web.IsViewing(r.Context) {
		return web.ViewingToken
	}
	return r.site.store.NewToken()
}

// finishChange redirects with a success message if err is nil. If the form was
// rejected, it shows the form again. It returns any other error.
func (r *request) finishChange(err error, message, path string, rerender func(*store.Error) (templ.Component, error)) error {
	if err == nil || store.KindOf(err) == store.Unfinished {
		return r.finishSteps(err, message, path)
	}
	return r.rejectChange(err, rerender)
}

// finishSteps redirects to path with a success message if err is nil. If the change
// is unfinished, the message says what is missing, and the page at path has a button
// to finish.
func (r *request) finishSteps(err error, message, path string) error {
	var known *store.Error
	switch {
	case err == nil:
	case errors.As(err, &known) && known.Kind == store.Unfinished:
		r.site.tools.LogFailure(r.Context, "a change is unfinished", err)
		message = known.Message
	default:
		return err
	}
	return r.redirectWithFlash(message, path)
}

// rejectChange shows the form again with the entered values and the error, if the
// input was invalid or someone else has changed the entity. It returns any other
// error.
func (r *request) rejectChange(err error, rerender func(*store.Error) (templ.Component, error)) error {
	var rejected *store.Error
	if !errors.As(err, &rejected) || (rejected.Kind != store.Invalid && rejected.Kind != store.Conflict) {
		return err
	}
	page, err := rerender(rejected)
	if err != nil {
		return err
	}
	status := http.StatusUnprocessableEntity
	if rejected.Kind == store.Conflict {
		status = http.StatusConflict
	}
	return r.site.tools.RenderStatus(r.Context, status, page)
}

// rerender returns a function that renders the submitted form again with its error.
func (r *request) rerender(form web.Form, page formPage) func(*store.Error) (templ.Component, error) {
	return func(rejected *store.Error) (templ.Component, error) { return page(form, rejected) }
}

// formState returns the token, version and error of a form. After invalid input, the
// form keeps its version. After a conflict, it gets the current version, because the
// user now sees the other change and may overwrite it.
func (r *request) formState(form web.Form, rejected *store.Error, version int) views.Form {
	f := views.Form{Token: r.newFormToken(), Version: version}
	if rejected == nil {
		return f
	}
	f.Conflict = rejected.Kind == store.Conflict
	if !f.Conflict {
		f.Version = form.Version()
	}
	if slices.Contains(formErrorFields, rejected.Field) {
		f.Problem = rejected.Message
	}
	return f
}

// formErrorFields are the fields of errors about the form as a whole.
var formErrorFields = []string{"", store.FieldQuantities, store.FieldLines}
