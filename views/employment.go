package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Employments is the list of a store's or person's periods of employment.
type Employments struct {
	Part  Part[store.Employment]
	Year  ui.Input // filter; "" is all years
	Order ui.Input // "" is newest first
}

// Grouped is the order of employments that lists one person or store after the other.
const Grouped = "grouped"

func (e Employments) isFiltered() bool { return e.Year != ui.Input{} || e.Order != ui.Input{} }

// isEmpty reports whether the list has no rows without a filter, and could be read.
func (e Employments) isEmpty() bool {
	return len(e.Part.Rows) == 0 && !e.Part.Failed && !e.isFiltered()
}

func (e Employments) year() ui.Field {
	return ui.Field{Name: "year", Label: "Worked in year", Numeric: true, Input: e.Year}
}

func (e Employments) otherwise() string {
	if e.Year.Value != "" {
		return "Nobody in this year."
	}
	return "No employment history."
}

func orderOptions(byStore bool) []ui.Option {
	grouped := "One person after the other"
	if byStore {
		grouped = "One store after the other"
	}
	return []ui.Option{{Value: "", Text: "Newest first"}, {Value: Grouped, Text: grouped}}
}
