package handlers

import (
	"slices"
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
	{Name: "SecondFactor", Cell: func(u store.User) web.Cell { return yes(u.SecondFactor) }},
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
	if err != nil {
		return err
	}
	if r.wantsFile() {
		return respondRows(r, "users", userColumns, users, nil, nil)
	}
	page, err := r.usersPage(users, web.Form{}, r.scopeOf(&store.User{}), nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

// usersPage returns the list of users, with the form that adds a user.
func (r *request) usersPage(users []store.User, form web.Form, scope scopeForm, rejected *store.Error) (templ.Component, error) {
	names, err := r.scopeNames(&scope, users...)
	if err != nil {
		return nil, err
	}
	p := views.Users{
		Page: r.page("Users"), Rows: users, Places: names, Token: r.newFormToken(),
		Name: formInput(form, rejected, "name"), Role: formInput(form, rejected, "role"), Scope: scope.view(rejected, nil, names),
	}
	if rejected != nil {
		p.Problem = formProblem(rejected)
	}
	return views.UsersPage(p), nil
}

// addUser adds a user and shows the one-time password in the response. It does not
// redirect, because only a hash of the password is stored, so another page could not show
// it.
func addUser(r *request) error {
	form, err := r.readForm(slices.Concat(scopeFields, []string{"name", "role"})...)
	if err != nil {
		return err
	}
	scope, err := r.readScope(form)
	again := func(rejected *store.Error) (templ.Component, error) {
		users, err := r.shop.Users(r.ctx())
		if err != nil {
			return nil, err
		}
		return r.usersPage(users, form, scope, rejected)
	}
	if err == nil && scope.adds {
		return r.showForm(func(web.Form, *store.Error) (templ.Component, error) { return again(nil) })
	}
	user := store.User{Name: form.Get("name"), Role: store.Role(form.Get("role"))}
	if err == nil {
		user.Warehouses, user.Stores, err = scope.places()
	}
	password := ""
	if err == nil {
		password, err = r.shop.AddUser(r.ctx(), user)
	}
	if err == nil {
		return r.showOneTimePassword(strings.ToLower(strings.TrimSpace(user.Name)), password)
	}
	return r.rejectChange(err, again)
}

func (r *request) showOneTimePassword(name, password string) error {
	return r.show(views.OneTimePasswordPage(views.OneTimePassword{Page: r.page("One-time password"), Name: name, Password: password}))
}
