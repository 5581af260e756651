package ui

import "strings"

// Field is one field of a form: what it asks for and what was typed.
type Field struct {
	Name         string // of the parameter
	Label        string
	Type         string // of the input; "" is text
	Autocomplete string // "" is off: what is typed here is not about the user
	Describedby  string // the id of a hint that several fields share
	Hint         string // a hint of its own
	Required     bool
	Input
}

// id is the field's own in the page; the search box has the plain name q.
func (f Field) id() string { return "field-" + f.Name }

func (f Field) errorID() string { return f.id() + "-error" }

func (f Field) hintID() string { return f.id() + "-hint" }

func (f Field) inputType() string {
	if f.Type == "" {
		return "text"
	}
	return f.Type
}

func (f Field) autocomplete() string {
	if f.Autocomplete == "" {
		return "off"
	}
	return f.Autocomplete
}

// describedby names what is read out after the field: what is wrong first.
func (f Field) describedby() string {
	var ids []string
	if f.Error != "" {
		ids = append(ids, f.errorID())
	}
	if f.Hint != "" {
		ids = append(ids, f.hintID())
	}
	if f.Describedby != "" {
		ids = append(ids, f.Describedby)
	}
	return strings.Join(ids, " ")
}

// wrong are the fields that have an error.
func wrong(fields []Field) []Field {
	var found []Field
	for _, f := range fields {
		if f.Error != "" {
			found = append(found, f)
		}
	}
	return found
}

// AnyWrong says whether one of the fields has an error.
func AnyWrong(fields ...Field) bool { return len(wrong(fields)) > 0 }

// Option is one choice of a Select.
type Option struct{ Value, Text string }
