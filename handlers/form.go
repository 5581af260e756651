package handlers

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// formPage renders a form. If rejected is not nil, the form shows the entered values
// and the error.
type formPage func(form web.Form, rejected *store.Error) (templ.Component, error)

// showForm renders a form that the user has not submitted yet.
func (r *request) showForm(page formPage) error {
	component, err := page(web.Form{}, nil)
	if err != nil {
		return err
	}
	return r.show(component)
}

// readForm reads a submitted form with a token, a version and these fields. It rejects a
// form with other fields. If the user chose to add a record for a field, it returns an
// addition.
func (r *request) readForm(fields ...string) (web.Form, error) {
	form, err := r.site.tools.ReadChange(r.Context, fields...)
	if err != nil {
		return form, err
	}
	if a := additionIn(r.Request().PostForm); a != nil {
		return form, a
	}
	return form, nil
}

// newFormToken returns the token for a new form, or for a form that is shown again after
// an error. While an admin views the site as someone else, it returns a token that is
// always rejected.
func (r *request) newFormToken() string {
	if web.IsViewing(r.Context) {
		return web.ViewingToken
	}
	token := r.site.tools.NewFormToken(r.Context)
	if r.keep != nil {
		r.keep.tokens = append(r.keep.tokens, token)
	}
	return token
}

// finishChange handles the result of a change. If err is nil, it redirects to path with the
// message and the other bookings that the change affected. If the change is
// unfinished, it also redirects; see finishSteps. If the change was rejected, it shows the
// form again; see rejectChange. It returns all other errors.
func (r *request) finishChange(err error, message, path string, rerender func(*store.Error) (templ.Component, error)) error {
	if isStored(err) {
		return r.finishSteps(err, message+views.ChangedBookings(r.shop.Affected), path)
	}
	return r.rejectChange(err, rerender)
}

// isStored reports whether a change, or at least its first step, has been stored.
func isStored(err error) bool { return err == nil || store.KindOf(err) == store.Unfinished }

// finishSteps handles the result of a change in several steps. If err is nil, it redirects
// to path with the message. If a step failed, it redirects with the message of the error,
// which says how to finish the change, for example with a button on the page at path. It
// returns all other errors.
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

// rejectChange shows the form again, with the entered values and the error, if the
// change was rejected with Invalid or Conflict. It returns all other errors.
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

func (r *request) rerender(form web.Form, page formPage) func(*store.Error) (templ.Component, error) {
	return func(rejected *store.Error) (templ.Component, error) { return page(form, rejected) }
}

// formState returns the token, version and error of a form. After invalid input, the
// form keeps its version. After a conflict, it gets the current version, so that the
// user can overwrite the change that caused the conflict.
func (r *request) formState(form web.Form, rejected *store.Error, version int) views.Form {
	f := views.Form{Token: r.newFormToken(), Version: version}
	if rejected == nil {
		return f
	}
	f.Conflict = rejected.Kind == store.Conflict
	if !f.Conflict {
		f.Version = form.Version()
	}
	for _, field := range formErrorFields {
		f.Problem = cmp.Or(f.Problem, rejected.About(field))
	}
	return f
}

// formErrorFields are the fields whose errors are shown at the top of the form.
var formErrorFields = []string{"", store.FieldQuantities, store.FieldLines}
