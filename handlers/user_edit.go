package handlers

import (
	"slices"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func changeRole(r *request) error {
	form, err := r.readForm(slices.Concat(scopeFields, []string{"role"})...)
	if err != nil {
		return err
	}
	scope, err := r.readScope(form)
	again := func(rejected *store.Error) (templ.Component, error) { return r.userPage(&form, &scope, rejected) }
	if err == nil && scope.adds {
		return r.showForm(func(web.Form, *store.Error) (templ.Component, error) { return again(nil) })
	}
	var warehouses, stores []string
	if err == nil {
		warehouses, stores, err = scope.places()
	}
	if err == nil {
		err = r.shop.ChangeRole(r.ctx(), r.id(), form.Version(), store.Role(form.Get("role")), warehouses, stores, form.Token())
	}
	return r.finishChange(err, "Role saved. The user must sign in again.", views.UserPath(r.id()), again)
}

func lockUser(r *request) error { return r.setLocked(true, "User locked.") }

func unlockUser(r *request) error { return r.setLocked(false, "User unlocked.") }

func (r *request) setLocked(locked bool, message string) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	err = r.shop.SetLocked(r.ctx(), r.id(), form.Version(), locked, form.Token())
	return r.finishChange(err, message, views.UserPath(r.id()), r.userAgain)
}

func (r *request) userAgain(rejected *store.Error) (templ.Component, error) {
	return r.userPage(nil, nil, rejected)
}

func endUserSessions(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	if err := r.shop.EndSessionsOf(r.ctx(), r.id()); err != nil {
		return err
	}
	return r.redirectWithFlash("Sessions ended.", views.UserPath(r.id()))
}

// resetPassword sets a one-time password and shows it in the response. Like addUser, it
// does not redirect.
func resetPassword(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	password, err := r.shop.ResetPassword(r.ctx(), r.id(), form.Version())
	if err == nil {
		return r.showOneTimePassword(r.id(), password)
	}
	return r.rejectChange(err, r.userAgain)
}
