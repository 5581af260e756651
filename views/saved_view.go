package views

import (
	"net/url"

	"stockroom/store"
	"stockroom/views/ui"
)

// Saved is the page with the user's own views and the shared views.
type Saved struct {
	Page
	Views    store.SavedViews
	CanShare bool // the user may share views and change shared ones
}

// SaveView is the form to save a list as a view. It posts name, path and shared
// to /views/new.
type SaveView struct {
	Page
	Form
	Name, Path ui.Input
	Shared     ui.Input // "yes" to share the view; otherwise ""
	CanShare   bool
}

// SavedView is the form to rename or delete a view.
type SavedView struct {
	Page
	Form
	View store.SavedView
	Name ui.Input
}

// The possible first parts of a view's path.
const (
	OwnViews    = "own"
	SharedViews = "shared"
)

// ViewPath returns the path of the page where a view is renamed or deleted.
func ViewPath(v *store.SavedView) string {
	scope := OwnViews
	if v.Owner == "" {
		scope = SharedViews
	}
	return "/views/" + scope + "/" + ui.Segment(v.ID)
}

// saveAs returns the address of the form that saves this list with its filters.
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

// readablePath decodes the percent-encoding of an address.
func readablePath(path string) string {
	if plain, err := url.QueryUnescape(path); err == nil {
		return plain
	}
	return path
}
