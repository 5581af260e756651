package views

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"stockroom/store"
	"stockroom/views/ui"
)

func indexNames() []string {
	names := make([]string, store.IndexCount+1)
	for n := range names {
		names[n] = store.IndexName(n)
	}
	return names
}

// hues is the number of colors for entity types in app.css. There are more types than
// colors that people can distinguish, so each type also has letters.
const hues = 8

// mark writes the letters of an entity type on the background color of the type.
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

// letters returns the two letters of an entity type, or "?" for an unknown type.
func letters(entityType string) string { return cmp.Or(typeLetters()[entityType], "?") }

// typeLetters returns two letters for each entity type: the first letters of its first two
// words, such as Wi for warehouseItem, or the first two letters of a single word. If
// another type already has these letters, the second one is another letter of the name.
var typeLetters = sync.OnceValue(func() map[string]string {
	all, used := map[string]string{}, map[string]bool{}
	for i := range store.Definitions {
		name := store.Definitions[i].Type
		from := max(1, strings.IndexFunc(name, unicode.IsUpper))
		for _, second := range name[from:] + name[1:from] {
			pair := strings.ToUpper(name[:1]) + strings.ToLower(string(second))
			if !used[pair] {
				all[name], used[pair] = pair, true
				break
			}
		}
	}
	return all
})

// entityName writes the letters and the name of an entity type.
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

// keyTemplate writes a template of a key, such as o#${orderID}. It allows line breaks after
// each #.
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
