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
	input.Error = rejected.About(name)
	return input
}

// number reads a whole number from a form. For an invalid number, it adds the error to
// wrong and returns 0.
func number(form web.Form, name string, wrong *store.InputErrors) int {
	n, err := store.ParseWhole(name, form.Get(name))
	_ = wrong.Add(err) // ParseWhole returns only Invalid
	return n
}

// money reads an amount of money from a form. For an invalid amount, it adds the error to
// wrong and returns 0.
func money(form web.Form, name string, wrong *store.InputErrors) store.Amount {
	amount, err := store.ParseMoney(name, form.Get(name))
	_ = wrong.Add(err) // ParseMoney returns only Invalid
	return amount
}

// calendarOf returns the calendar day of a time in its own zone, as midnight UTC.
func calendarOf(t time.Time) time.Time {
	year, month, day := t.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}
