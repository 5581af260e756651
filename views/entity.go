package views

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"stockroom/store"
	"stockroom/views/ui"
)

// indexNames returns the names of the table and its indexes.
func indexNames() []string {
	names := make([]string, store.IndexCount+1)
	for n := range names {
		names[n] = store.IndexName(n)
	}
	return names
}

// hues is the number of colours for entities in app.css. People cannot distinguish as
// many colours as there are entities, so each mark also has letters.
const hues = 8

// mark writes the letters of an entity type on the background colour of the type.
func mark(entityType string) ui.Written {
	hue := slices.IndexFunc(store.Definitions, func(d store.Definition) bool { return d.Type == entityType })
	return func(m *ui.Markup) {
		m.HTML(`<span class="mark e`)
		m.Int((hue + hues) % hues)
		m.HTML(`" aria-hidden="true">`)
		m.Text(letters(entityType))
		m.HTML(`</span>`)
	}
}

// letters returns the initials of an entity type, such as Wi for warehouseItem, or
// the first two letters of a single word, such as Or for order.
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

// entityName writes the mark and the name of an entity type.
func entityName(entityType string) ui.Written {
	return func(m *ui.Markup) {
		mark(entityType)(m)
		m.HTML(` `)
		m.Text(nameOr(entityType, "item"))
	}
}

// wrappingEntityName is like entityName, but allows line breaks between the words.
func wrappingEntityName(entityType string) ui.Written {
	return func(m *ui.Markup) {
		mark(entityType)(m)
		m.HTML(` `)
		for name := entityType; name != ""; {
			next := len(name)
			if n := strings.IndexFunc(name[1:], unicode.IsUpper); n >= 0 {
				next = 1 + n
			}
			m.Text(name[:next])
			if name = name[next:]; name != "" {
				m.HTML(`<wbr>`)
			}
		}
	}
}

// keyTemplate writes a key template. It allows line breaks after each #.
func keyTemplate(template string) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<code>`)
		for _, part := range strings.SplitAfter(template, "#") {
			m.Text(part)
			m.HTML(`<wbr>`)
		}
		m.HTML(`</code>`)
	}
}
