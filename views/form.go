package views

import (
	"strings"

	"stockroom/views/ui"
)

// Form contains the token, version and error of a form.
type Form struct {
	Token    string // identifies the form, so that a second submission changes nothing
	Version  int    // version of the record that the form shows
	Problem  string // error of the whole form; "" if there is none
	Conflict bool   // the record was changed after the form was opened, so the form also shows the current values
	Action   string // address of a form with several steps, with the key of its draft; "" for other forms
}

// DraftParam is the parameter with the key of a draft.
const DraftParam = "draft"

// to returns the form as a ui.Change with its address, the text of its button, and the link
// back.
func (f *Form) to(action, submit, back string) ui.Change {
	return ui.Change{Action: action, Token: f.Token, Version: f.Version, Submit: submit, Back: back}
}

// now returns the saved value of a field, to show after a conflict. It returns "empty" if
// the saved value is "". It returns "" without a conflict, or if the saved value equals
// the entered one.
func (f *Form) now(entered, saved string) string {
	switch {
	case !f.Conflict || strings.ReplaceAll(entered, "\r\n", "\n") == saved: // browsers send line breaks as CRLF
		return ""
	case saved == "":
		return "empty"
	}
	return saved
}

// fieldsIf returns the fields for the error summary, or nil if the page does not show these
// fields.
func fieldsIf(shown bool, fields ...ui.Field) []ui.Field {
	if !shown {
		return nil
	}
	return fields
}
