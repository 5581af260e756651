package handlers

import (
	"stockroom/store"
	"stockroom/web"
)

// viewAs starts viewing the site as another role or user.
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

// endViewAs ends viewing the site as another role or user.
func endViewAs(r *request) error {
	r.site.tools.EndViewAs(r.Context)
	if web.SignedInUser(r.Context).May(store.Administer) {
		return web.Redirect(r.Context, "/admin/users")
	}
	return web.Redirect(r.Context, "/")
}
