package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Employments is a list of periods of employment at a store or of a person.
type Employments struct {
	Part  Part[store.Employment]
	Year  ui.Input // filter by year; "" for all years
	Order ui.Input // "" for newest first
}

// Grouped is the value of the field Order that sorts the periods by person or store.
const Grouped = "grouped"

func (e Employments) isFiltered() bool { return e.Year != ui.Input{} || e.Order != ui.Input{} }

// isEmpty reports whether there are no periods of employment at all. It returns false if
// the list could not be read, or if a filter is set, which may hide periods.
func (e Employments) isEmpty() bool {
	return len(e.Part.Rows) == 0 && !e.Part.Failed && !e.isFiltered()
}

func (e Employments) year() ui.Field {
	return ui.Field{Name: "year", Label: "Year worked", Numeric: true, Input: e.Year}
}

func (e Employments) otherwise() string {
	if e.Year.Value != "" {
		return "No employment in this year."
	}
	return "No employment history."
}

func orderOptions(byStore bool) []ui.Option {
	grouped := "By person"
	if byStore {
		grouped = "By store"
	}
	return []ui.Option{{Value: "", Text: "Newest first"}, {Value: Grouped, Text: grouped}}
}
