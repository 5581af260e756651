package handlers

import (
	"time"

	"stockroom/store"
	"stockroom/views/ui"
	"stockroom/web"
)

// formInput returns the entered value of a form field and its error.
func formInput(form web.Form, rejected *store.Error, name string) ui.Input {
	input := ui.Input{Value: form.Get(name)}
	if rejected != nil && rejected.Field == name {
		input.Error = rejected.Message
	}
	return input
}

// number reads a whole number from a form.
func number(form web.Form, name string) (int, error) { return store.ParseWhole(name, form.Get(name)) }

// money reads an amount from a form.
func money(form web.Form, name string) (store.Amount, error) {
	return store.ParseMoney(name, form.Get(name))
}

// calendarOf returns the calendar day of a time in its own zone, as midnight UTC.
func calendarOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
