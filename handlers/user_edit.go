package handlers

import (
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func changeRole(r *request) error {
	form, err := r.form("role", "scope")
	if err != nil {
		return err
	}
	warehouses, stores, err := store.ParseScope(form.Get("scope"))
	if err == nil {
		err = r.shop.ChangeRole(r.ctx(), r.id(), form.Version(), store.Role(form.Get("role")), warehouses, stores, form.Once())
	}
	return r.changed(err, "The role was saved. The user has to log in again.", views.UserPath(r.id()), func(refused *store.Error) (templ.Component, error) {
		return r.userPage(&form, refused)
	})
}

func disableUser(r *request) error { return r.setDisabled(true, "The account is locked.") }

func enableUser(r *request) error { return r.setDisabled(false, "The account is open again.") }

func (r *request) setDisabled(disabled bool, message string) error {
	return r.changeUser(func(ctx context.Context, name string, form web.Form) error {
		return r.shop.SetDisabled(ctx, name, form.Version(), disabled, form.Once())
	}, message)
}

// changeUser makes a change that has no field of its own.
func (r *request) changeUser(change func(ctx context.Context, name string, form web.Form) error, message string) error {
	form, err := r.form()
	if err != nil {
		return err
	}
	err = change(r.ctx(), r.id(), form)
	return r.changed(err, message, views.UserPath(r.id()), r.userAgain)
}

func (r *request) userAgain(refused *store.Error) (templ.Component, error) {
	return r.userPage(nil, refused)
}

// resetPassword answers with the password, as addUser does.
func resetPassword(r *request) error {
	form, err := r.form()
	if err != nil {
		return err
	}
	password, err := r.shop.ResetPassword(r.ctx(), r.id(), form.Version())
	if err == nil {
		return r.oneTime(r.id(), password)
	}
	return r.refused(err, r.userAgain)
}
