package handlers

import (
	"github.com/a-h/templ"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// userEvents is the number of events in each list on the page of a user.
const userEvents = 8

func showUser(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	if r.wantsFile() {
		user, err := r.shop.User(r.ctx(), r.id())
		if err != nil {
			return err
		}
		return web.SendJSON(r.Context, user)
	}
	page, err := r.userPage(nil, nil, nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

// userPage returns the page of a user. If form is not nil, the page shows the entered role
// and scope, and after a conflict also the saved ones.
func (r *request) userPage(form *web.Form, scope *scopeForm, rejected *store.Error) (templ.Component, error) {
	user, err := r.shop.User(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.User{
		Account: *user, Own: user.Name == r.user.Name, Token: r.newFormToken(),
		Version: user.Version, Role: ui.Input{Value: string(user.Role)},
	}
	if form == nil {
		saved := r.scopeOf(user)
		scope = &saved
	} else {
		p.Role = formInput(*form, rejected, "role")
		if rejected == nil || rejected.Kind != store.Conflict {
			p.Version = form.Version()
		}
	}
	names, err := r.scopeNames(scope, *user)
	if err != nil {
		return nil, err
	}
	p.Scope = scope.view(rejected, user.ScopeParts(), names)
	if rejected != nil && rejected.Field == "" {
		p.Problem = rejected.Message
	}
	if rejected != nil && rejected.Kind == store.Conflict && form != nil {
		p.RoleNow = savedValue(p.Role, string(user.Role))
	}
	all, ctx := errgroup.WithContext(r.ctx())
	for _, part := range []struct {
		events *[]store.Event
		filter store.EventFilter
	}{
		{&p.About, store.EventFilter{About: user.Partition()}},
		{&p.By, store.EventFilter{By: user.Name}},
	} {
		all.Go(func() error {
			found, err := r.shop.Events(ctx, part.filter, store.Page{Limit: userEvents})
			*part.events = found.Rows
			return err
		})
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	if p.Sessions, err = r.shop.SessionsOf(r.ctx(), user.Name); err != nil {
		return nil, err
	}
	if p.Tokens, err = r.shop.AccessTokensOf(r.ctx(), user.Name); err != nil {
		return nil, err
	}
	if p.Places, err = r.shop.TokenPlaces(r.ctx(), p.Tokens); err != nil {
		return nil, err
	}
	p.Page = r.page(user.Name)
	return views.UserPage(p), nil
}

// savedValue returns the saved value of a field if it differs from the entered value, or
// "empty" if the saved value is "". If both are the same, it returns "".
func savedValue(input ui.Input, saved string) string {
	switch saved {
	case input.Value:
		return ""
	case "":
		return "empty"
	}
	return saved
}
