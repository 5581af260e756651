package handlers

import (
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
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
	users, err := r.shop.Users(r.ctx())
	return respondRows(r, "users", userColumns, users, err, func(string) templ.Component {
		return r.usersPage(users, web.Form{}, nil)
	})
}

// usersPage returns the list of users with the form to add one.
func (r *request) usersPage(users []store.User, form web.Form, rejected *store.Error) templ.Component {
	return views.UsersPage(views.Users{
		Page: r.page("Users"), Rows: users, Token: r.newFormToken(),
		Name: formInput(form, rejected, "name"), Role: formInput(form, rejected, "role"), Scope: formInput(form, rejected, "scope"),
	})
}

// addUser shows the one-time password in its response. It does not redirect, because the
// password is not stored and the next page could not show it.
func addUser(r *request) error {
	form, err := r.readForm("name", "role", "scope")
	if err != nil {
		return err
	}
	user := store.User{Name: form.Get("name"), Role: store.Role(form.Get("role"))}
	password := ""
	if user.Warehouses, user.Stores, err = store.ParseScope(form.Get("scope")); err == nil {
		password, err = r.shop.AddUser(r.ctx(), user)
	}
	if err == nil {
		return r.showOneTimePassword(strings.ToLower(strings.TrimSpace(user.Name)), password)
	}
	return r.rejectChange(err, func(rejected *store.Error) (templ.Component, error) {
		users, err := r.shop.Users(r.ctx())
		return r.usersPage(users, form, rejected), err
	})
}

func (r *request) showOneTimePassword(name, password string) error {
	return r.show(views.OneTimePasswordPage(views.OneTimePassword{Page: r.page("One-time password"), Name: name, Password: password}))
}
