package handlers

import (
	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

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
