package handlers

import (
	"errors"
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
	return r.finishUserChange(err, "Role saved. The user must sign in again.", "Nothing changed. Role, warehouses and stores are the same as before.", again)
}

func lockUser(r *request) error {
	return r.setLocked(true, "User locked.", "Nothing changed. The user is already locked.")
}

func unlockUser(r *request) error {
	return r.setLocked(false, "User unlocked.", "Nothing changed. The user is not locked.")
}

func (r *request) setLocked(locked bool, message, unchanged string) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	err = r.shop.SetLocked(r.ctx(), r.id(), form.Version(), locked, form.Token())
	return r.finishUserChange(err, message, unchanged, r.userAgain)
}

// finishUserChange handles the result of a change of a user like finishChange. unchanged is
// the message if the user already was as requested.
func (r *request) finishUserChange(err error, message, unchanged string, rerender func(*store.Error) (templ.Component, error)) error {
	if errors.Is(err, store.ErrUnchanged) {
		message, err = unchanged, nil
	}
	return r.finishChange(err, message, views.UserPath(r.id()), rerender)
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
