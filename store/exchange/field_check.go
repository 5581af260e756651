package exchange

import (
	"fmt"
	"slices"
	"strings"

	"stockroom/store"
)

// checkFields returns a reason if the form of an entity would reject a value of the row, or
// "". Only in CSV files, it also rejects empty cells that the form requires: published
// models lack some attributes that forms require, such as names of warehouses.
func checkFields(row *Row, entity store.Entity) (reason string) {
	p := store.CheckFields(entity, row.source.has)
	switch {
	case p == nil, p.Value == "" && row.source == nil:
		return ""
	case p.Value == "":
		return missing(p.Column)
	case strings.Contains(p.Value, "\n"):
		return fmt.Sprintf("%s: %s", p.Column, p.Message)
	}
	return fmt.Sprintf("%s %s: %s", p.Column, store.Quoted(shortText(p.Value)), p.Message)
}

func shortText(text string) string {
	const length = 60
	if runes := []rune(text); len(runes) > length {
		return string(runes[:length]) + "…"
	}
	return text
}

// has reports whether the file has a column for an attribute. For formats other than
// CSV, it returns true.
func (s *rowSource) has(name string) bool {
	return s == nil || slices.ContainsFunc(s.columns, func(c *column) bool { return c.path != nil && c.name == name })
}
