package handlers

import (
	"context"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

var userColumns = []web.Column[store.User]{
	{Name: "User", Cell: func(u store.User) web.Cell { return web.Text(u.Name) }},
	{Name: "Role", Cell: func(u store.User) web.Cell { return web.Text(string(u.Role)) }},
	{Name: "Warehouses", Cell: func(u store.User) web.Cell { return web.Text(strings.Join(u.Warehouses, "; ")) }},
	{Name: "Stores", Cell: func(u store.User) web.Cell { return web.Text(strings.Join(u.Stores, "; ")) }},
	{Name: "MustChange", Cell: func(u store.User) web.Cell { return yes(u.MustChange) }},
	{Name: "Disabled", Cell: func(u store.User) web.Cell { return yes(u.Disabled) }},
}

func yes(flag bool) web.Cell {
	if flag {
		return web.Plain("yes")
	}
	return web.Plain("")
}

func listUsers(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	users, err := r.shop.Accounts(r.ctx())
	return answerWhole(r, "users", userColumns, users, err, func(string) templ.Component {
		return r.users(users, web.Form{}, nil)
	})
}

// users is the page of all accounts, with the form of a new one as typed.
func (r *request) users(users []store.User, form web.Form, refused *store.Error) templ.Component {
	return views.UsersPage(views.Users{
		Page: r.page("Users"), Rows: users, Once: r.token(),
		Name: typed(form, refused, "name"), Role: typed(form, refused, "role"), Scope: typed(form, refused, "scope"),
	})
}

// addUser answers with the page that shows the one-time password, and not by
// leading to another: the password is nowhere but in this answer.
func addUser(r *request) error {
	form, err := r.form("name", "role", "scope")
	if err != nil {
		return err
	}
	user := store.User{Name: form.Get("name"), Role: store.Role(form.Get("role"))}
	password := ""
	if user.Warehouses, user.Stores, err = store.ParseScope(form.Get("scope")); err == nil {
		password, err = r.shop.OpenAccount(r.ctx(), user)
	}
	if err == nil {
		return r.oneTime(strings.ToLower(strings.TrimSpace(user.Name)), password)
	}
	return r.refused(err, func(refused *store.Error) (templ.Component, error) {
		users, err := r.shop.Accounts(r.ctx())
		return r.users(users, form, refused), err
	})
}

func (r *request) oneTime(name, password string) error {
	return r.show(views.OneTimePasswordPage(views.OneTimePassword{Page: r.page("One-time password"), Name: name, Password: password}))
}

// userEvents is how many events of each kind stand on the page of a user.
const userEvents = 8

func showUser(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	if r.file() {
		user, err := r.shop.Account(r.ctx(), r.id())
		if err != nil {
			return err
		}
		return web.SendJSON(r.Context, user)
	}
	page, err := r.userPage(nil, nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

// userPage is the page of one account; where its form was refused, as typed,
// with what somebody else made of it meanwhile.
func (r *request) userPage(form *web.Form, refused *store.Error) (templ.Component, error) {
	user, err := r.shop.Account(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.User{
		Account: *user, Own: user.Name == r.user.Name, Token: r.token(),
		Role: ui.Input{Value: string(user.Role)}, Scope: ui.Input{Value: user.Scope()},
	}
	if form != nil {
		p.Role, p.Scope = typed(*form, refused, "role"), typed(*form, refused, "scope")
	}
	if refused != nil && refused.Field == "" {
		p.Wrong = refused.Message
	}
	if refused != nil && refused.Kind == store.Conflict && form != nil {
		p.RoleNow, p.ScopeNow = now(p.Role, string(user.Role)), now(p.Scope, user.Scope())
	}
	all, ctx := errgroup.WithContext(r.ctx())
	for _, part := range []struct {
		to     *[]store.Event
		filter store.EventFilter
	}{
		{&p.About, store.EventFilter{About: user.Partition()}},
		{&p.By, store.EventFilter{By: user.Name}},
	} {
		all.Go(func() error {
			found, err := r.shop.Events(ctx, part.filter, store.Page{Limit: userEvents})
			*part.to = found.Rows
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	p.Page = r.page(user.Name)
	return views.UserPage(p), nil
}

// now is what a field's value is by now, where that is not what was typed.
func now(typed ui.Input, is string) string {
	switch is {
	case typed.Value:
		return ""
	case "":
		return "nothing"
	}
	return is
}

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
