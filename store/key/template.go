// Package key makes the strings that items are found by: templates and their
// values, shards, folded names, ranges of dates. Everything here is a pure
// function of its arguments; what the table's keys are is said in package
// store, and nothing here reads or writes a table.
package key

import (
	"fmt"
	"slices"
	"strings"
)

// A Template is a key with names in the place of values: o#${orderID}. Both
// the items that are written and the questions that are asked of the table
// render their keys from templates, so a key is spelled in one place only.
// The zero Template renders nothing: the key that an entity does not have.
type Template struct {
	source string
	parts  []part
}

// part is literal text followed by one value; the last part of a template
// may have no value.
type part struct{ literal, name string }

// Values give each name of a template its value; the empty string means that
// there is none.
type Values interface {
	KeyValue(name string) string
}

// Map is Values spelled out.
type Map map[string]string

// KeyValue implements Values.
func (m Map) KeyValue(name string) string { return m[name] }

// Parse reads a template as the table's documentation writes them. The templates of the
// program are constants, so a malformed one is a mistake in its source: Parse
// panics.
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

// String returns the template as it was written.
func (t Template) String() string { return t.source }

// IsZero says whether the template is empty: no key at all, or a whole
// partition where a sort key is meant.
func (t Template) IsZero() bool { return t.source == "" }

// Names lists the names in the order of their first use.
func (t Template) Names() []string {
	var names []string
	for _, p := range t.parts {
		if p.name != "" && !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}

// Render puts the values in. Where one is missing it returns its name and no
// key: half a key would be the wrong key.
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
