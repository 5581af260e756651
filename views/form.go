package views

import "stockroom/views/ui"

// Form is the token, version and problem of a form.
type Form struct {
	Token    string // form token, so that a second submission changes nothing
	Version  int    // of the entity that the form shows
	Problem  string // error of the whole form; "" if there is none
	Conflict bool   // someone else changed the entity first: the fields also show its current values
}

// to returns the form with its path and button.
func (f Form) to(action, submit, back string) ui.Change {
	return ui.Change{Action: action, Token: f.Token, Version: f.Version, Submit: submit, Back: back}
}

// now returns, after a conflict, the saved value of a field if it differs from the
// entered one, otherwise "".
func (f Form) now(entered, saved string) string {
	switch {
	case !f.Conflict || entered == saved:
		return ""
	case saved == "":
		return "empty"
	}
	return saved
}

// fieldsIf returns the fields for the error summary, or none if there is false
// because the form is not shown.
func fieldsIf(there bool, fields ...ui.Field) []ui.Field {
	if !there {
		return nil
	}
	return fields
}
