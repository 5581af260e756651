package handlers

import (
	"stockroom/store"
	"stockroom/web"
)

// viewAs shows the following pages as another role or user would see them.
func viewAs(r *request) error {
	form, err := r.readForm("as")
	if err != nil {
		return err
	}
	if err := r.shop.ViewAs(r.ctx(), form.Get("as"), form.Token()); err != nil {
		return err
	}
	if err := r.site.tools.StartViewAs(r.Context, form.Get("as")); err != nil {
		return err
	}
	return web.Redirect(r.Context, "/")
}

// endViewAs shows the following pages as the user who signed in.
func endViewAs(r *request) error {
	r.site.tools.EndViewAs(r.Context)
	if web.SignedInUser(r.Context).May(store.Administer) {
		return web.Redirect(r.Context, "/admin/users")
	}
	return web.Redirect(r.Context, "/")
}
