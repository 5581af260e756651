package views

import "stockroom/views/ui"

// Form is what the form of a change carries besides what is typed into it.
type Form struct {
	Once     string // the token that makes it count once
	Version  int    // of the thing that it is about, as it is shown
	Problem  string // what is wrong with it as a whole; "" where nothing is
	Conflict bool   // somebody else was first: the fields show what there is now
}

// to is the form as it is sent: where to, and what its button says.
func (f Form) to(action, submit, back string) ui.Change {
	return ui.Change{Action: action, Once: f.Once, Version: f.Version, Submit: submit, Back: back}
}

// now is what a value is now, for a field of a form that came too late; "" for
// one that nobody changed meanwhile.
func (f Form) now(typed, now string) string {
	switch {
	case !f.Conflict || typed == now:
		return ""
	case now == "":
		return "empty"
	}
	return now
}

// offered are the fields of a form, or none where it is not offered: a summary
// of errors leads to fields that are there.
func offered(there bool, fields ...ui.Field) []ui.Field {
	if !there {
		return nil
	}
	return fields
}
