package views

import (
	"net/url"

	"stockroom/store"
	"stockroom/views/ui"
)

// Saved are the saved views of a user, and those for all.
type Saved struct {
	Page
	Views    store.Views
	MayShare bool // and change those for all
}

// SaveView is the form that saves a list. It posts name, path and shared to
// /views/new.
type SaveView struct {
	Page
	Form
	Name, Path ui.Input
	Shared     ui.Input // "yes": for all
	MayShare   bool
}

// SavedView is one view, to be renamed or deleted.
type SavedView struct {
	Page
	Form
	View store.View
	Name ui.Input
}

// Whose a view is, as its address says it.
const (
	OwnViews    = "own"
	SharedViews = "shared"
)

// ViewPath is the address at which a view is renamed and deleted.
func ViewPath(v *store.View) string {
	whose := OwnViews
	if v.Owner == "" {
		whose = SharedViews
	}
	return "/views/" + whose + "/" + ui.Segment(v.ID)
}

// saveAs is the form that saves a list as it is.
func (l List) saveAs() string { return "/views/new?path=" + url.QueryEscape(l.With("", "")) }

func viewNameField(name ui.Input) ui.Field {
	return ui.Field{Name: "name", Label: "Name", Required: true, Hint: "As it stands in the menu.", Input: name}
}

func (p SaveView) fields() []ui.Field {
	fields := []ui.Field{
		viewNameField(p.Name),
		{Name: "path", Label: "List", Required: true, Hint: "Its address with the filters that are set.", Input: p.Path},
	}
	if p.MayShare {
		fields = append(fields, ui.Field{Name: "shared", Label: "For all: it stands in everybody's menu", Input: p.Shared})
	}
	return fields
}

// savedTable lists views with where each leads to; edit leads to what changes
// one.
func savedTable(p *Page, caption string, rows []store.View, edit bool) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">View</th><th scope="col" class="p2">List</th>`)
		if edit {
			t.HTML(`<th scope="col"><span class="vh">Change</span></th>`)
		}
		t.HTML(`</tr></thead><tbody>`)
		for i := range rows {
			v := &rows[i]
			t.HTML(`<tr><td class="name wrap"><a href="`)
			t.Address(v.Path)
			t.HTML(`" dir="auto">`)
			t.Text(v.Name)
			t.HTML(`</a><span class="sub m">`)
			t.Text(plainly(v.Path))
			t.HTML(`</span></td><td class="p2 wrap">`)
			t.Text(plainly(v.Path))
			if edit {
				t.HTML(`</td><td class="num"><a class="btn small" href="`)
				t.Address(ViewPath(v))
				t.HTML(`">Change<span class="vh"> `)
				t.Text(v.Name)
				t.HTML(`</span></a>`)
			}
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// plainly is an address as people write it.
func plainly(path string) string {
	if plain, err := url.QueryUnescape(path); err == nil {
		return plain
	}
	return path
}
