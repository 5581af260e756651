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

// listViews shows the user's own views and the shared ones. It reads them from the table,
// because the cache of saved views may be outdated.
func listViews(r *request) error {
	all, err := r.shop.CurrentSavedViews(r.ctx())
	if err != nil {
		return err
	}
	return r.show(views.SavedPage(views.Saved{Page: r.page("Saved views"), Views: all, CanShare: r.user.May(store.Administer)}))
}

func showSaveView(r *request) error {
	return r.showForm(func(web.Form, *store.Error) (templ.Component, error) {
		return r.saveForm(views.SaveView{Path: ui.Input{Value: r.QueryParam("path")}}, web.Form{}, nil), nil
	})
}

func (r *request) saveForm(p views.SaveView, form web.Form, rejected *store.Error) templ.Component {
	p.Page, p.Form, p.CanShare = r.page("Save view"), r.formState(form, rejected, 0), r.user.May(store.Administer)
	return views.SaveViewPage(p)
}

func saveView(r *request) error {
	form, err := r.readForm("name", "path", "shared")
	if err != nil {
		return err
	}
	path, err := r.parseListAddress(form.Get("path"))
	if err == nil {
		err = r.shop.SaveView(r.ctx(), store.SavedView{Name: form.Get("name"), Path: path}, form.Get("shared") != "", form.Token())
	}
	return r.finishChange(err, "View saved. It now appears as a tab above the list.", path, func(rejected *store.Error) (templ.Component, error) {
		return r.saveForm(views.SaveView{
			Name: formInput(form, rejected, "name"), Path: formInput(form, rejected, "path"), Shared: formInput(form, rejected, "shared"),
		}, form, rejected), nil
	})
}

// parseListAddress checks the address of a list. It removes the cursor, because a cursor
// is valid only for one user. It returns Invalid if the address is not that of a list, if
// a filter appears twice, or if the user may not open the list.
func (r *request) parseListAddress(address string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "" || u.Host != "" || u.Opaque != "" || u.Fragment != "" {
		return "", store.InvalidField("path", "Enter the address of a list on this site, such as /orders?status=OPEN.")
	}
	row := r.site.listRoute(u.Path)
	if row == nil || !r.user.May(row.permission) {
		return "", store.InvalidField("path", "List not found. Enter its address without the host name, such as /orders?status=OPEN.")
	}
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", store.InvalidField("path", "The part of the address after the ? is not valid.")
	}
	values.Del("after")
	for name, all := range values {
		if len(all) > 1 {
			return "", store.InvalidField("path", "The filter “%s” appears twice.", name)
		}
	}
	u.RawQuery = values.Encode()
	return u.RequestURI(), nil
}

// listRoute returns the route of the list at a path, or nil if the path is not that of a
// list.
func (s *site) listRoute(path string) *route {
	parts := strings.Split(path, "/")
	for i := range s.rows {
		row := &s.rows[i]
		if row.method != http.MethodGet || row.formats != list {
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

// isSharedView reports whether the path belongs to a shared view. It returns NotFound
// if the path belongs neither to a shared nor to an own view.
func (r *request) isSharedView() (bool, error) {
	switch r.param("whose") {
	case views.OwnViews:
		return false, nil
	case views.SharedViews:
		return true, nil
	}
	return false, &store.Error{Kind: store.NotFound, Message: "View not found."}
}

func showView(r *request) error { return r.showForm(r.viewForm) }

func (r *request) viewForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	shared, err := r.isSharedView()
	if err != nil {
		return nil, err
	}
	v, err := r.shop.SavedView(r.ctx(), shared, r.id())
	if err != nil {
		return nil, err
	}
	p := views.SavedView{Page: r.page(v.Name), Form: r.formState(form, rejected, v.Version), View: *v, Name: ui.Input{Value: v.Name}}
	if rejected != nil && form.Get(store.FieldViewEmail) == "" {
		p.Name = formInput(form, rejected, "name")
	}
	p.Frequency = ui.Input{Value: string(v.Email)}
	if rejected != nil && rejected.Field == store.FieldViewEmail {
		p.Frequency = formInput(form, rejected, store.FieldViewEmail)
	}
	path, _, _ := strings.Cut(v.Path, "?")
	if row := r.site.listRoute(path); row != nil {
		p.CanEmail = !shared && isEmailed(row)
	}
	p.NoticesOff = !r.settings.Notices
	return views.SavedViewPage(p), nil
}

func setViewEmail(r *request) error {
	form, err := r.readForm(store.FieldViewEmail)
	if err != nil {
		return err
	}
	shared, err := r.isSharedView()
	if err != nil {
		return err
	}
	if shared {
		return &store.Error{Kind: store.NotFound, Message: "Only your own views can be emailed to you."}
	}
	v, err := r.shop.SavedView(r.ctx(), false, r.id())
	if err != nil {
		return err
	}
	frequency := store.ViewFrequency(form.Get(store.FieldViewEmail))
	if frequency == views.ViewNever {
		frequency = store.ViewNever
	}
	if frequency != store.ViewNever {
		err = r.checkViewRows(v.Path)
	}
	if err == nil {
		err = r.shop.SetViewEmail(r.ctx(), r.id(), frequency, form.Version(), form.Token())
	}
	return r.finishChange(err, "Email frequency saved.", "/views", r.rerender(form, r.viewForm))
}

func renameView(r *request) error {
	form, err := r.readForm("name")
	if err != nil {
		return err
	}
	shared, err := r.isSharedView()
	if err != nil {
		return err
	}
	err = r.shop.RenameView(r.ctx(), shared, r.id(), form.Get("name"), form.Version(), form.Token())
	return r.finishChange(err, "View renamed.", "/views", r.rerender(form, r.viewForm))
}

func deleteView(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	shared, err := r.isSharedView()
	if err != nil {
		return err
	}
	err = r.shop.DeleteView(r.ctx(), shared, r.id(), form.Version(), form.Token())
	return r.finishChange(err, "View deleted.", "/views", r.rerender(form, r.viewForm))
}

// savedViews returns the saved views for the tabs of lists. Its table requests do not count
// as reads of the page. If they fail, it returns no views, so that the page works without
// them.
func (r *request) savedViews() store.SavedViews {
	if r.user == nil {
		return store.SavedViews{}
	}
	all, err := r.shop.SavedViews(store.WithTrace(r.Request().Context(), r.settingsTrace))
	if err != nil {
		if r.ctx().Err() == nil { // do not log cancelled requests
			r.site.tools.LogFailure(r.Context, "the saved views could not be read", err)
		}
		return store.SavedViews{}
	}
	return all
}

// viewTabs returns the saved views as tabs of their lists. It leaves out views of lists
// that do not exist or that the user may not open.
func (s *site) viewTabs(user *store.User, all store.SavedViews) []views.SavedTab {
	var tabs []views.SavedTab
	for _, v := range slices.Concat(all.Own, all.Shared) {
		path, _, _ := strings.Cut(v.Path, "?")
		if row := s.listRoute(path); row != nil && user.May(row.permission) {
			tabs = append(tabs, views.SavedTab{Name: v.Name, Path: v.Path})
		}
	}
	return tabs
}
