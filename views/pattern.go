package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Patterns is the list of access patterns.
type Patterns struct {
	Page
	List
	System  string // show only patterns of this system; "" for all
	Systems []string
	Rows    []PatternUse
}

// PatternUse is a pattern with the places where it is used.
type PatternUse struct {
	*store.Pattern
	UsedBy []Use
}

// Use is a place where a pattern is used, usually a page.
type Use struct {
	Name string
	Path string // path of the page; "" if the use is not a page
}

// Pattern is the page of a pattern, with a form to run it.
type Pattern struct {
	Page
	List
	PatternUse
	Inputs     map[string]ui.Input // inputs by parameter name
	HasResults bool
	Rows       []store.Item
	Cost       store.Read // cost of reading the results
}

// fields returns a field for each parameter of the pattern.
func (p Pattern) fields() []ui.Field {
	var fields []ui.Field
	for _, name := range p.Names() {
		f := ui.Field{Name: name, Label: name, Input: p.Inputs[name]}
		if name == "from" || name == "to" {
			f.Hint = "A date such as 2026-11-21, today or last month. Leave empty for an open range."
		}
		fields = append(fields, f)
	}
	return fields
}

// PatternPath returns the path of an access pattern.
func PatternPath(name string) string { return "/data/patterns/" + ui.Segment(name) }

func usedBy(uses []Use) string {
	switch len(uses) {
	case 0:
		return "no page"
	case 1:
		return uses[0].Name
	}
	return uses[0].Name + " and " + count(len(uses)-1, "other", "others")
}
