package views

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"stockroom/store"
	"stockroom/views/ui"
)

// Patterns is the catalogue of access patterns.
type Patterns struct {
	Page
	List           // parameter system
	System  string // whose patterns are shown; "" is all
	Systems []string
	Rows    []PatternUse
}

// PatternUse is a pattern and the pages that ask it.
type PatternUse struct {
	*store.Pattern
	UsedBy []Use
}

// Use is a page, or what else asks a pattern.
type Use struct {
	Name string
	Path string // as the routes have it; "" for what is no page
}

// Pattern is one pattern, to be tried with values.
type Pattern struct {
	Page
	List
	PatternUse
	Typed map[string]ui.Input // values of the pattern, by their names
	Tried bool
	Rows  []store.Item
	Cost  store.Read // of the try
}

// fields ask for the values of the pattern.
func (p Pattern) fields() []ui.Field {
	var fields []ui.Field
	for _, name := range p.Names() {
		f := ui.Field{Name: name, Label: name, Input: p.Typed[name]}
		if name == "from" || name == "to" {
			f.Hint = "A day, such as 2026-11-21, today or last month; nothing for an open end."
		}
		fields = append(fields, f)
	}
	return fields
}

// Partition is what lies under one partition key.
type Partition struct {
	Page
	List  // parameters pk, index, limit
	Key   ui.Input
	Index string // "table", or the name of an index
	Rows  []store.Item
}

// Model is which entity stands in which index, and the whole design as JSON.
type Model struct {
	Page
	JSON string
}

// PatternPath is the address of an access pattern.
func PatternPath(name string) string { return "/data/patterns/" + ui.Segment(name) }

// PartitionPath is the address of what lies under a partition key, of the
// table or of an index.
func PartitionPath(index, pk string) string {
	address := "/data/partitions?pk=" + url.QueryEscape(pk)
	if index != "table" {
		address += "&index=" + url.QueryEscape(index)
	}
	return address
}

// indexNames are the table and its indexes.
func indexNames() []string {
	names := make([]string, store.IndexCount+1)
	for n := range names {
		names[n] = store.IndexName(n)
	}
	return names
}

// hues is how many colours entities are told apart by; app.css has them. There
// are more entities than colours that one can tell apart, so each is also told
// by letters and by its name.
const hues = 8

// mark writes the sign of an entity: its letters on its colour.
func mark(m *ui.Markup, entityType string) {
	hue := slices.IndexFunc(store.Definitions, func(d store.Definition) bool { return d.Type == entityType })
	m.HTML(`<span class="mark e`)
	m.Int((hue + hues) % hues)
	m.HTML(`" aria-hidden="true">`)
	m.Text(letters(entityType))
	m.HTML(`</span>`)
}

// letters are the first letters of the words of a name such as
// warehouseItem, or the first two of a single word.
func letters(entityType string) string {
	first, size := utf8.DecodeRuneInString(entityType)
	if size == 0 || first == utf8.RuneError {
		return "?"
	}
	next := strings.IndexFunc(entityType[size:], unicode.IsUpper)
	if next < 0 {
		next = 0
	}
	second, _ := utf8.DecodeRuneInString(entityType[size+next:])
	if second == utf8.RuneError {
		return strings.ToUpper(string(first))
	}
	return strings.ToUpper(string(first)) + strings.ToLower(string(second))
}

// entityName writes the sign and the name of an entity.
func entityName(entityType string) ui.Written {
	return func(m *ui.Markup) {
		mark(m, entityType)
		m.HTML(` `)
		m.Text(named(entityType, "item"))
	}
}

// entityCell begins a row with an entity. Where there is little room its name
// is parted between words, and only there.
func entityCell(t table, entityType string) {
	t.HTML(`<tr><td class="entity">`)
	mark(t.Markup, entityType)
	t.HTML(` `)
	for name := entityType; name != ""; {
		next := len(name)
		if n := strings.IndexFunc(name[1:], unicode.IsUpper); n >= 0 {
			next = 1 + n
		}
		t.Text(name[:next])
		if name = name[next:]; name != "" {
			t.HTML(`<wbr>`)
		}
	}
	t.HTML(`</td>`)
}

// keyTemplate writes a template of a key, which is parted behind a #, as its
// own parts are, and not within a name.
func keyTemplate(m *ui.Markup, template string) {
	m.HTML(`<code>`)
	for _, part := range strings.SplitAfter(template, "#") {
		m.Text(part)
		m.HTML(`<wbr>`)
	}
	m.HTML(`</code>`)
}

// legend are the entities that stand in a list of items, each once.
func legend(rows []store.Item) []string {
	var types []string
	for _, item := range rows {
		if t := plainText(item["EntityType"]); !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	return types
}

// keyLinks leads from an item to each of the partitions that it lies in.
func keyLinks(m *ui.Markup, item store.Item) {
	m.HTML(`<ul class="keys">`)
	for _, index := range indexNames() {
		prefix := ""
		if index != "table" {
			prefix = index + "-"
		}
		pk, sk := plainText(item[prefix+"PK"]), plainText(item[prefix+"SK"])
		if pk == "" {
			continue
		}
		m.HTML(`<li><span class="muted">`)
		m.Text(index)
		m.HTML(`</span> <span><a href="`)
		m.Address(PartitionPath(index, pk))
		m.HTML(`"><code>`)
		m.Text(pk)
		m.HTML(`</code></a> <code>→ `)
		m.Text(sk)
		m.HTML(`</code></span></li>`)
	}
	m.HTML(`</ul>`)
}

// itemsTable lists items of any type: what each is, where it lies, what it
// says.
func itemsTable(p *Page, caption string, rows []store.Item) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Item</th></tr></thead><tbody>`)
		for _, item := range rows {
			entityType := plainText(item["EntityType"])
			t.HTML(`<tr><td class="wrap raw">`)
			entityName(entityType)(t.Markup)
			if store.Withheld(item) {
				t.HTML(`<span class="sub">Kept secret: items of this kind are shown to nobody.</span></td></tr>`)
				continue
			}
			keyLinks(t.Markup, item)
			t.HTML(`<details><summary>Attributes</summary><pre tabindex="0">`)
			t.Text(typedJSON(item))
			t.HTML(`</pre></details></td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// patternsTable is the catalogue.
func patternsTable(p *Page, rows []PatternUse) ui.Written {
	return tableOf(p, "Access patterns", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Access pattern</th><th scope="col">Index</th><th scope="col" class="p2">Partition key</th>` +
			`<th scope="col" class="p2">Sort key</th><th scope="col" class="p3">Asked by</th></tr></thead><tbody>`)
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

// glanceTable says at a glance which entity stands in which index.
func glanceTable(p *Page) ui.Written {
	return tableOf(p, "Which entity stands in which index", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Entity</th>`)
		for _, index := range indexNames() {
			t.HTML(`<th scope="col" class="at">`)
			t.Text(capital(index))
			t.HTML(`</th>`)
		}
		t.HTML(`</tr></thead><tbody>`)
		for i := range store.Definitions {
			d := &store.Definitions[i]
			entityCell(t, d.Type)
			for n := range store.IndexCount + 1 {
				if n > 0 && d.Index[n].PK.IsZero() {
					t.HTML(`<td class="at"></td>`)
					continue
				}
				t.HTML(`<td class="at">`)
				mark(t.Markup, d.Type)
				t.HTML(`<span class="vh">yes</span></td>`)
			}
			t.HTML(`</tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// modelTable says under which keys each entity lies.
func modelTable(p *Page) ui.Written {
	return tableOf(p, "Keys of every entity", func(t table) {
		t.HTML(`<thead><tr><th scope="col">Entity</th>`)
		for _, index := range indexNames() {
			t.HTML(`<th scope="col">`)
			t.Text(capital(index))
			t.HTML(`</th>`)
		}
		t.HTML(`</tr></thead><tbody>`)
		for i := range store.Definitions {
			d := &store.Definitions[i]
			entityCell(t, d.Type)
			for n := range store.IndexCount + 1 {
				keys := d.Table
				if n > 0 {
					keys = d.Index[n]
				}
				t.HTML(`<td class="model">`)
				if !keys.PK.IsZero() {
					t.HTML(`<code>`)
					t.Text(keys.PK.String())
					t.HTML(`</code><code class="sub">→ `)
					t.Text(keys.SK.String())
					t.HTML(`</code>`)
				}
				t.HTML(`</td>`)
			}
			t.HTML(`</tr>`)
		}
		t.HTML(`</tbody>`)
	})
}
