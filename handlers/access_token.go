package handlers

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showTokens(r *request) error {
	page, err := r.tokensPage(web.Form{}, r.tokenScope(), nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

// tokenScope returns the scope that the form for a new token suggests: all warehouses and
// stores of the user.
func (r *request) tokenScope() scopeForm { return r.scopeOf(r.user) }

// tokensPage lists the user's access tokens, with the form that creates one.
func (r *request) tokensPage(form web.Form, scope scopeForm, rejected *store.Error) (templ.Component, error) {
	tokens, err := r.shop.AccessTokens(r.ctx())
	if err != nil {
		return nil, err
	}
	p := views.AccessTokens{
		Rows: tokens, Roles: r.user.TokenRoles(), AnyPlace: r.user.May(store.Administer), Token: r.newFormToken(),
		Name: formInput(form, rejected, "name"), Role: formInput(form, rejected, "role"), Days: formInput(form, rejected, "days"),
	}
	if p.Role.Value == "" {
		p.Role.Value = string(p.Roles[0]) // select the role with the fewest permissions
	}
	if p.Days.Value == "" {
		p.Days.Value = strconv.Itoa(store.DefaultTokenDays)
	}
	if p.Places, err = r.shop.TokenPlaces(r.ctx(), tokens); err != nil {
		return nil, err
	}
	var names map[string]store.Choice
	if p.AnyPlace {
		if names, err = r.scopeNames(&scope); err != nil {
			return nil, err
		}
	}
	p.Scope = scope.view(rejected, r.user.ScopeParts(), names)
	if rejected != nil {
		p.Problem = formProblem(rejected)
	}
	if !p.AnyPlace { // if the page has no field for the scope, it shows the error of the scope at the top
		p.Problem = cmp.Or(p.Problem, p.Scope.Add.Error)
	}
	p.Page = r.page("Access tokens")
	return views.AccessTokensPage(p), nil
}

// createToken creates a token and shows it in the response. It does not redirect: the
// token itself is not stored, so another page could not show it.
func createToken(r *request) error {
	form, err := r.readForm(slices.Concat(scopeFields, []string{"name", "role", "days"})...)
	if err != nil {
		return err
	}
	scope := r.tokenScope()
	if r.user.May(store.Administer) {
		scope, err = r.readScope(form)
	} else {
		scope.parts = form.All(fieldPlaces)
	}
	again := func(rejected *store.Error) (templ.Component, error) { return r.tokensPage(form, scope, rejected) }
	if err == nil && scope.adds {
		return r.showForm(func(web.Form, *store.Error) (templ.Component, error) { return again(nil) })
	}
	n := store.NewAccessToken{Name: form.Get("name"), Role: store.Role(form.Get("role"))}
	n.Days, _ = strconv.Atoi(form.Get("days")) // for an invalid number, Days is 0, which the store rejects
	if err == nil {
		n.Warehouses, n.Stores, err = scope.places()
	}
	secret := ""
	if err == nil {
		secret, err = r.shop.CreateAccessToken(r.ctx(), n, form.Token())
	}
	if err != nil {
		return r.rejectChange(err, again)
	}
	return r.show(views.NewAccessTokenPage(views.NewAccessToken{
		Page: r.page("Access token created"), Name: n.Name, Secret: secret, Origin: r.site.tools.Origin(r.Context),
	}))
}

func revokeToken(r *request) error {
	form, err := r.readForm("token")
	if err != nil {
		return err
	}
	if err := r.shop.RevokeAccessToken(r.ctx(), form.Get("token"), form.Token()); err != nil {
		return err
	}
	return r.redirectWithFlash("Access token revoked.", "/account/tokens")
}

// revokeTokenOf revokes an access token of another user.
func revokeTokenOf(r *request) error {
	form, err := r.readForm("token")
	if err != nil {
		return err
	}
	if err := r.shop.RevokeAccessTokenOf(r.ctx(), r.id(), form.Get("token"), form.Token()); err != nil {
		return err
	}
	return r.redirectWithFlash("Access token revoked.", views.UserPath(r.id()))
}
