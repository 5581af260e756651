// Package key builds the keys of items: templates, shards, folded names and date
// ranges. Its functions are pure. Package store defines the templates.
package key

import (
	"fmt"
	"slices"
	"strings"
)

// Template is a key with placeholders, such as o#${orderID}. Writes and queries build
// their keys from the same templates. The zero Template stands for a missing key.
type Template struct {
	source string
	parts  []part
}

// part is a part of a template: literal text and the placeholder after it. The last part
// may have no placeholder.
type part struct{ literal, name string }

// Values maps placeholders to values; see table.Entity.
type Values interface {
	KeyValue(name string) string
}

// Map is a map from placeholder to value.
type Map map[string]string

// KeyValue returns the value of a placeholder.
func (m Map) KeyValue(name string) string { return m[name] }

// Parse parses a template. It panics if the template is malformed, because templates
// are constants in the code.
func Parse(source string) Template {
	t := Template{source: source}
	rest := source
	for rest != "" {
		literal, tail, found := strings.Cut(rest, "${")
		if !found {
			t.parts = append(t.parts, part{literal: literal})
			break
		}
		name, after, closed := strings.Cut(tail, "}")
		if !closed || name == "" {
			panic(fmt.Sprintf("key: template %q has an unclosed or empty ${…}", source))
		}
		t.parts = append(t.parts, part{literal, name})
		rest = after
	}
	return t
}

// String returns the source of the template.
func (t Template) String() string { return t.source }

// IsZero reports whether the template is empty. An empty template means that an entity has
// no such key, or that a query has no condition on the sort key.
func (t Template) IsZero() bool { return t.source == "" }

// Names returns the placeholders in order of first use.
func (t Template) Names() []string {
	var names []string
	for _, p := range t.parts {
		if p.name != "" && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// Render replaces the placeholders with their values. If a value is missing, Render
// returns no key and the name of the first missing placeholder.
func (t Template) Render(values Values) (rendered, missing string) {
	if len(t.parts) == 1 && t.parts[0].name == "" {
		return t.parts[0].literal, ""
	}
	var room [8]string
	found := room[:0]
	size := 0
	for _, p := range t.parts {
		value := ""
		if p.name != "" {
			if value = values.KeyValue(p.name); value == "" {
				return "", p.name
			}
		}
		found = append(found, value)
		size += len(p.literal) + len(value)
	}
	var b strings.Builder
	b.Grow(size)
	for i, p := range t.parts {
		b.WriteString(p.literal)
		b.WriteString(found[i])
	}
	return b.String(), ""
}
