package views

import (
	"net/url"
	"slices"
	"strings"

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

// SavedView is the page with the forms to rename, email or delete a view.
type SavedView struct {
	Page
	Form
	View       store.SavedView
	Name       ui.Input
	Frequency  ui.Input
	CanEmail   bool // the owner can get the list by email
	NoticesOff bool // the settings turn off daily notices for all users
}

// ViewNever is the value of the option that turns off emails of a view.
const ViewNever = "never"

func (p *SavedView) emailField() ui.Field {
	hint := "The email contains the first rows of the list. If the list is empty, no email is sent. Weekly emails are sent on Mondays."
	if p.NoticesOff {
		hint += " No emails are sent now, because daily notices are off in the settings."
	}
	f := ui.Field{Name: store.FieldViewEmail, Label: "Email me this list", Hint: hint, Input: p.Frequency}
	if f.Value == "" {
		f.Value = ViewNever
	}
	return f
}

var viewFrequencies = []ui.Option{{Value: ViewNever, Text: "Never"}, {Value: string(store.ViewDaily), Text: "Daily"}, {Value: string(store.ViewWeekly), Text: "Weekly"}}

func viewFrequency(f store.ViewFrequency) string {
	for _, o := range viewFrequencies {
		if o.Value == string(f) {
			return o.Text
		}
	}
	return viewFrequencies[0].Text // the option Never
}

// The segment after /views/ in the path of a view.
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
func (l *List) saveAs() string { return "/views/new?path=" + url.QueryEscape(l.With("", "")) }

// viewTabs returns the tabs of a list, followed by its saved views. A list without tabs
// gets the tab All. A saved view whose filters equal those of the list becomes the
// current tab.
func (l *List) viewTabs(p *Page, tabs []ui.Tab) []ui.Tab {
	if len(tabs) == 0 {
		tabs = []ui.Tab{{Name: "All", URL: l.Path, Current: len(l.Params) == 0}}
	}
	isHere := func(v SavedTab) bool {
		path, _, _ := strings.Cut(v.Path, "?")
		return path == l.Path
	}
	if !slices.ContainsFunc(p.Views, isHere) {
		return tabs
	}
	tabs, here := slices.Clone(tabs), filtersOf(l.With("", ""))
	for _, v := range p.Views {
		if !isHere(v) {
			continue
		}
		current := filtersOf(v.Path) == here
		for i := range tabs {
			tabs[i].Current = tabs[i].Current && !current
		}
		tabs = append(tabs, ui.Tab{Name: v.Name, URL: v.Path, Current: current, Saved: true})
	}
	return tabs
}

// filtersOf returns the parameters of an address in a fixed order.
func filtersOf(address string) string {
	_, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return query
	}
	return values.Encode()
}

func viewNameField(name ui.Input) ui.Field {
	return ui.Field{Name: "name", Label: "Name", Required: true, Hint: "Shown as a tab above the list.", Input: name}
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
