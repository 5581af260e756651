package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Patterns is the catalogue of access patterns.
type Patterns struct {
	Page
	List           // parameter system
	System  string // filter; "" is all
	Systems []string
	Rows    []PatternUse
}

// PatternUse is a pattern with its uses.
type PatternUse struct {
	*store.Pattern
	UsedBy []Use
}

// Use is a page or another use of a pattern.
type Use struct {
	Name string
	Path string // of the route; "" if the use is not a page
}

// Pattern is the page of a pattern, with a form to run it.
type Pattern struct {
	Page
	List
	PatternUse
	Inputs     map[string]ui.Input // by parameter
	HasResults bool
	Rows       []store.Item
	Cost       store.Read // of the results
}

// fields returns the parameters of the pattern.
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

func patternsTable(p *Page, rows []PatternUse) ui.Written {
	return tableOf(p, "Access patterns", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Access pattern</th><th scope="col">Index</th><th scope="col" class="p2">Partition key</th>` +
			`<th scope="col" class="p2">Sort key</th><th scope="col" class="p3">Used by</th></tr></thead><tbody>`)
		for _, row := range rows {
			t.HTML(`<tr><td>`)
			t.Link("/data/patterns/", row.Name, row.Name)
			t.HTML(`<span class="sub">`)
			t.Text(row.Row().Operation)
			t.HTML(`</span><span class="sub m">`)
			keyTemplate(t.Markup, row.PK.String())
			t.HTML(`</span></td><td>`)
			t.Text(row.Index)
			t.HTML(`</td><td class="p2 parted">`)
			keyTemplate(t.Markup, row.PK.String())
			t.HTML(`</td><td class="p2 parted">`)
			keyTemplate(t.Markup, row.SK.String())
			t.HTML(`</td><td class="p3">`)
			t.Text(usedBy(row.UsedBy))
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

func usedBy(uses []Use) string {
	switch len(uses) {
	case 0:
		return "no page"
	case 1:
		return uses[0].Name
	}
	return uses[0].Name + " and " + count(len(uses)-1, "other", "others")
}
