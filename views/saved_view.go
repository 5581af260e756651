package views

import (
	"net/url"

	"stockroom/store"
	"stockroom/views/ui"
)

// Saved lists the user's own views and shared views.
type Saved struct {
	Page
	Views    store.Views
	CanShare bool // the user may share views and change shared ones
}

// SaveView is the form to save a list as a view. It posts name, path and shared
// to /views/new.
type SaveView struct {
	Page
	Form
	Name, Path ui.Input
	Shared     ui.Input // "yes" or ""
	CanShare   bool
}

// SavedView is the form to rename or delete a view.
type SavedView struct {
	Page
	Form
	View store.View
	Name ui.Input
}

// The first part of a view's path.
const (
	OwnViews    = "own"
	SharedViews = "shared"
)

// ViewPath returns the path of the form to rename or delete a view.
func ViewPath(v *store.View) string {
	scope := OwnViews
	if v.Owner == "" {
		scope = SharedViews
	}
	return "/views/" + scope + "/" + ui.Segment(v.ID)
}

// saveAs returns the address of the form that saves the list with its filters.
func (l List) saveAs() string { return "/views/new?path=" + url.QueryEscape(l.With("", "")) }

func viewNameField(name ui.Input) ui.Field {
	return ui.Field{Name: "name", Label: "Name", Required: true, Hint: "Shown in the menu.", Input: name}
}

func (p SaveView) fields() []ui.Field {
	fields := []ui.Field{
		viewNameField(p.Name),
		{Name: "path", Label: "List", Required: true, Hint: "The address of the list with its filters.", Input: p.Path},
	}
	if p.CanShare {
		fields = append(fields, ui.Field{Name: "shared", Label: "Share with all users", Input: p.Shared})
	}
	return fields
}

// savedTable lists views. With edit, each row links to the form to change it.
func savedTable(p *Page, caption string, rows []store.View, edit bool) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">View</th><th scope="col" class="p2">List</th>`)
		if edit {
			t.HTML(`<th scope="col"><span class="vh">Actions</span></th>`)
		}
		t.HTML(`</tr></thead><tbody>`)
		for i := range rows {
			v := &rows[i]
			t.HTML(`<tr><td class="name wrap"><a href="`)
			t.Address(v.Path)
			t.HTML(`" dir="auto">`)
			t.Text(v.Name)
			t.HTML(`</a><span class="sub m">`)
			t.Text(unescaped(v.Path))
			t.HTML(`</span></td><td class="p2 wrap">`)
			t.Text(unescaped(v.Path))
			if edit {
				t.HTML(`</td><td class="num"><a class="btn small" href="`)
				t.Address(ViewPath(v))
				t.HTML(`">Edit<span class="vh"> `)
				t.Text(v.Name)
				t.HTML(`</span></a>`)
			}
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// unescaped returns an address in readable form.
func unescaped(path string) string {
	if plain, err := url.QueryUnescape(path); err == nil {
		return plain
	}
	return path
}
