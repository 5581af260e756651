package handlers

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
	"stockroom/web"
)

// typed is a field of a form as it was typed, with what is wrong with it.
func typed(form web.Form, refused *store.Error, name string) ui.Input {
	input := ui.Input{Value: form.Get(name)}
	if refused != nil && refused.Field == name {
		input.Error = refused.Message
	}
	return input
}

// number reads a whole number from a form. A minus may be the one of a
// keyboard or the one that this site writes.
func number(form web.Form, name string) (int, error) {
	text := strings.Replace(strings.TrimSpace(form.Get(name)), "−", "-", 1)
	n, err := strconv.Atoi(text)
	if errors.Is(err, strconv.ErrRange) { // the store, which knows how much may be, says so
		return max(min(n, math.MaxInt32), math.MinInt32), nil
	}
	if err != nil {
		return 0, store.InvalidField(name, "Write a whole number, such as 12.")
	}
	return n, nil
}

// money reads a sum of money from a form; nothing where nothing was typed.
func money(form web.Form, name string) (store.Amount, error) {
	text := strings.TrimSpace(form.Get(name))
	if text == "" {
		return store.Amount{}, nil
	}
	sum, err := store.ParseAmount(text)
	if err != nil {
		return store.Amount{}, store.InvalidField(name, "Write a sum such as 12.50.")
	}
	return sum, nil
}
