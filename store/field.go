package store

import (
	"strings"
	"unicode"
)

// Fields are the editable fields of a T, in the order of its form. The form, its
// parsing and checks, the history entry and the CSV columns follow from them. Rules
// that span several fields are in the entity's own file.
type Fields[T any] []Field[T]

// Field is one editable field of a T.
type Field[T any] struct {
	FieldSpec
	hides  bool
	format func(*T) string               // returns the value as a form shows it
	parse  func(t *T, text string) error // sets the value from the trimmed text of a form
	check  func(*T) error                // checks the value and trims it
	copy   func(to, from *T)
	amount func(*T) *Amount // for InputMoney
}

// FieldSpec describes a field to a form.
type FieldSpec struct {
	Name     string // of the form parameter
	Label    string
	Hint     string
	Group    string // the heading above the field in the form; "" for none
	Column   string // the column in CSV files; "" for none
	Kind     InputKind
	Options  []FieldOption // of an InputChoice
	Choice   ChoiceKind    // of an InputPick
	Required bool
}

// Specs describes the fields to a form.
func (fs Fields[T]) Specs() []FieldSpec {
	specs := make([]FieldSpec, len(fs))
	for i := range fs {
		specs[i] = fs[i].FieldSpec
	}
	return specs
}

// FieldOption is one choice for InputChoice.
type FieldOption struct{ Value, Label string }

// InputKind is the kind of control that edits a field.
type InputKind int

// The kinds of controls.
const (
	InputText     InputKind = iota // one line
	InputLongText                  // several lines
	InputLines                     // a list, one element per line
	InputEmail
	InputWhole // a whole number
	InputMoney
	InputDay    // a calendar day such as 2026-11-21
	InputChoice // one of Options
	InputPick   // a record of the kind Choice; the value is its ID
)

func (f Field[T]) required() Field[T]               { f.Required = true; return f }
func (f Field[T]) hint(hint string) Field[T]        { f.Hint = hint; return f }
func (f Field[T]) column(attribute string) Field[T] { f.Column = attribute; return f }

// hidden keeps the field's values out of the history, because more people may read
// the history.
func (f Field[T]) hidden() Field[T] { f.hides = true; return f }

// hideAll keeps the values of the fields out of the history.
func hideAll[T any](fields Fields[T]) Fields[T] {
	for i := range fields {
		fields[i].hides = true
	}
	return fields
}

func (f Field[T]) alsoCheck(rule func(*T) error) Field[T] {
	check := f.check
	f.check = func(t *T) error {
		if err := check(t); err != nil {
			return err
		}
		return rule(t)
	}
	return f
}

// Names returns the names of the form parameters.
func (fs Fields[T]) Names() []string {
	names := make([]string, len(fs))
	for i := range fs {
		names[i] = fs[i].Name
	}
	return names
}

// Parse sets every field of t from a form. It returns Invalid, with the name
// of the field, for the first value that is missing or cannot be read.
func (fs Fields[T]) Parse(t *T, value func(name string) string) error {
	for i := range fs {
		f, text := &fs[i], strings.TrimSpace(value(fs[i].Name))
		if text == "" && f.Required {
			return f.missing()
		}
		if err := f.parse(t, text); err != nil {
			return err
		}
	}
	return nil
}

// Format returns a field's value as a form or a file shows it.
func (f *Field[T]) Format(t *T) string { return f.format(t) }

func (f *Field[T]) missing() error {
	return InvalidField(f.Name, "Enter %s.", withArticle(f.Label))
}

// check checks and trims every field of t. It returns Invalid, with the name of the
// field, for the first value that is missing or invalid.
func (fs Fields[T]) check(t *T) error {
	for i := range fs {
		if err := fs[i].check(t); err != nil {
			return err
		}
		if fs[i].Required && fs[i].format(t) == "" {
			return fs[i].missing()
		}
	}
	return nil
}

// checkDecimals returns Invalid if an amount of edited has more decimals than the
// currency. It accepts an amount that is unchanged from before, which is nil for a
// new value.
func (fs Fields[T]) checkDecimals(before, edited *T, currency string) error {
	for i := range fs {
		f := &fs[i]
		if f.amount == nil {
			continue
		}
		var stored Amount
		if before != nil {
			stored = *f.amount(before)
		}
		if err := checkDecimals(f.Name, *f.amount(edited), stored, currency); err != nil {
			return err
		}
	}
	return nil
}

// copy copies the editable fields of from to to.
func (fs Fields[T]) copy(to, from *T) {
	for i := range fs {
		fs[i].copy(to, from)
	}
}

// withArticle returns a label with its article for a sentence, such as "a name" or
// "an SKU".
func withArticle(label string) string {
	if strings.ContainsRune("AEIO", rune(label[0])) || strings.HasPrefix(label, "SKU") {
		return "an " + lowerFirst(label)
	}
	return "a " + lowerFirst(label)
}

// lowerFirst returns a label in lower case for a sentence. Abbreviations stay in
// upper case.
func lowerFirst(label string) string {
	if len(label) > 1 && unicode.IsUpper(rune(label[1])) {
		return label
	}
	return strings.ToLower(label[:1]) + label[1:]
}
