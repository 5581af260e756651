package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// Saved views stand in the menu, in the group of their own page.
const saved = "Views"

// listSaved shows the views of the user and those for all, as they are now.
func listSaved(r *request) error {
	found, err := r.shop.ViewsNow(r.ctx())
	if err != nil {
		return err
	}
	return r.show(views.SavedPage(views.Saved{Page: r.page("Saved views"), Views: found, MayShare: r.user.May(store.Administer)}))
}

// askSave asks for the name of a list that is about to be saved.
func askSave(r *request) error {
	return r.ask(func(web.Form, *store.Error) (templ.Component, error) {
		return r.saveForm(views.SaveView{Path: ui.Input{Value: r.QueryParam("path")}}, web.Form{}, nil), nil
	})
}

func (r *request) saveForm(p views.SaveView, form web.Form, refused *store.Error) templ.Component {
	p.Page, p.Form, p.MayShare = r.page("Save a view"), r.formOf(form, refused, 0), r.user.May(store.Administer)
	return views.SaveViewPage(p)
}

func saveView(r *request) error {
	form, err := r.form("name", "path", "shared")
	if err != nil {
		return err
	}
	path, err := r.listAt(form.Get("path"))
	if err == nil {
		err = r.shop.SaveView(r.ctx(), store.View{Name: form.Get("name"), Path: path}, form.Get("shared") != "", form.Once())
	}
	return r.changed(err, "The view was saved. It is in the menu.", path, func(refused *store.Error) (templ.Component, error) {
		return r.saveForm(views.SaveView{
			Name: typed(form, refused, "name"), Path: typed(form, refused, "path"), Shared: typed(form, refused, "shared"),
		}, form, refused), nil
	})
}

// listAt is a list of this site that the user may open, by the address that
// somebody typed: with its filters and its order, without the place in it,
// which is signed for whoever was there.
func (r *request) listAt(address string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || u.Fragment != "" {
		return "", store.InvalidField("path", "Write the address of a list of this site, such as /orders?status=OPEN.")
	}
	row := r.site.listRoute(u.Path)
	if row == nil || !r.user.May(row.may) {
		return "", store.InvalidField("path", "There is no such list. Write its address as the browser shows it, such as /orders?status=OPEN.")
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", store.InvalidField("path", "What follows the ? cannot be read.")
	}
	values.Del("after")
	for name, given := range values {
		if len(given) > 1 {
			return "", store.InvalidField("path", "The filter %q is given twice.", name)
		}
	}
	u.RawQuery = values.Encode()
	return u.RequestURI(), nil
}

// listRoute is the list at a path, nil where there is none.
func (s *site) listRoute(path string) *route {
	parts := strings.Split(path, "/")
	for i := range s.rows {
		row := &s.rows[i]
		if row.method != http.MethodGet || row.twins != list {
			continue
		}
		matches := func(pattern, part string) bool {
			return pattern == part || strings.HasPrefix(pattern, ":") && part != ""
		}
		if patterns := strings.Split(row.path, "/"); slices.EqualFunc(patterns, parts, matches) {
			return row
		}
	}
	return nil
}

// sharedView is what the address says of whose view it is.
func (r *request) sharedView() (bool, error) {
	switch r.param("whose") {
	case views.OwnViews:
		return false, nil
	case views.SharedViews:
		return true, nil
	}
	return false, &store.Error{Kind: store.NotFound, Message: "There is no such view."}
}

func askView(r *request) error { return r.ask(r.viewForm) }

// viewForm is the form that renames a view, beside the one that deletes it.
func (r *request) viewForm(form web.Form, refused *store.Error) (templ.Component, error) {
	shared, err := r.sharedView()
	if err != nil {
		return nil, err
	}
	v, err := r.shop.View(r.ctx(), shared, r.id())
	if err != nil {
		return nil, err
	}
	p := views.SavedView{Page: r.page(v.Name), Form: r.formOf(form, refused, v.Version), View: *v, Name: ui.Input{Value: v.Name}}
	if refused != nil {
		p.Name = typed(form, refused, "name")
	}
	return views.SavedViewPage(p), nil
}

func renameView(r *request) error {
	form, err := r.form("name")
	if err != nil {
		return err
	}
	shared, err := r.sharedView()
	if err != nil {
		return err
	}
	err = r.shop.RenameView(r.ctx(), shared, r.id(), form.Get("name"), form.Version(), form.Once())
	return r.changed(err, "The view was renamed.", "/views", r.again(form, r.viewForm))
}

func deleteView(r *request) error {
	form, err := r.form()
	if err != nil {
		return err
	}
	shared, err := r.sharedView()
	if err != nil {
		return err
	}
	err = r.shop.DeleteView(r.ctx(), shared, r.id(), form.Version(), form.Once())
	return r.changed(err, "The view was deleted.", "/views", r.again(form, r.viewForm))
}

// savedViews are those in the user's menu. What they cost is no part of what
// the page asks, and a page is worth having without them.
func (r *request) savedViews() store.Views {
	if r.user == nil {
		return store.Views{}
	}
	found, err := r.shop.Views(store.WithTrace(r.Request().Context(), r.aside))
	if err != nil {
		r.site.tools.LogFailure(r.Context, "the saved views could not be read", err)
		return store.Views{}
	}
	return found
}

// withSaved is the menu with the user's saved views in it. A view for all that
// leads to what this user may not open is left out.
func (s *site) withSaved(menu []views.MenuGroup, user *store.User, found store.Views) []views.MenuGroup {
	var items []views.MenuItem
	for _, v := range slices.Concat(found.Own, found.Shared) {
		path, _, _ := strings.Cut(v.Path, "?")
		if row := s.listRoute(path); row != nil && user.May(row.may) {
			items = append(items, views.MenuItem{Name: v.Name, Path: v.Path, Icon: ui.IconView, Named: true})
		}
	}
	if len(items) == 0 {
		return menu
	}
	menu = slices.Clone(menu)
	for i := range menu {
		if menu[i].Title == saved {
			menu[i].Items = slices.Concat(items, menu[i].Items)
		}
	}
	return menu
}
