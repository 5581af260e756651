package store

import (
	"strings"
	"unicode"
)

// Fields are the editable fields of an entity T, in the order of its form. The form, its
// checks, the events and the CSV columns are built from them. Rules about several fields
// are in the file of the entity.
type Fields[T any] []Field[T]

// Field is one editable field of a T.
type Field[T any] struct {
	FieldSpec
	hides  bool                          // Before and After of events say only that the field changed; see the method hidden
	format func(*T) string               // formats the value for a form
	parse  func(t *T, text string) error // sets the value from text, which has no surrounding spaces
	check  func(*T) error                // returns Invalid if the value is not allowed; also trims it
	copy   func(to, from *T)
	amount func(*T) *Amount   // returns the amount in the currency of the business; for InputMoney only
	phones func(*T) *[]string // returns the phone numbers; nil for other fields
	email  func(*T) *string   // returns the email address; nil for other fields
}

// FieldSpec describes a field for pages and forms.
type FieldSpec struct {
	Name     string // name of the form parameter
	Label    string
	Hint     string
	Group    string // heading above the field in the form; "" for none
	Column   string // column in CSV files; "" for none
	Kind     InputKind
	Options  []FieldOption // values of an InputChoice
	Choice   ChoiceKind    // kind of record of an InputPick
	Required bool
}

// Specs returns the descriptions of the fields.
func (fs Fields[T]) Specs() []FieldSpec {
	specs := make([]FieldSpec, len(fs))
	for i := range fs {
		specs[i] = fs[i].FieldSpec
	}
	return specs
}

// FieldOption is one of the values of an InputChoice.
type FieldOption struct{ Value, Label string }

// InputKind is the kind of form control for a field.
type InputKind int

// The kinds of form controls.
const (
	InputText     InputKind = iota // one line
	InputLongText                  // several lines
	InputLines                     // a list with one element per line
	InputEmail
	InputWhole // a whole number
	InputMoney
	InputDay    // a calendar day such as 2026-11-21
	InputChoice // one of the values in Options
	InputPick   // a record of the kind in Choice; the value is its ID
)

func (f Field[T]) required() Field[T]               { f.Required = true; return f }
func (f Field[T]) hint(hint string) Field[T]        { f.Hint = hint; return f }
func (f Field[T]) column(attribute string) Field[T] { f.Column = attribute; return f }

// hidden keeps the values of the field out of Event.Before and Event.After. Some users may
// read the events but not the field.
func (f Field[T]) hidden() Field[T] { f.hides = true; return f }

// hideAll is like hidden, for all given fields.
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

// Parse sets every field of t from the values of a form. It returns Invalid if a required
// value is missing or a value cannot be parsed. In this case, it also checks the other
// values, so that one error contains all problems.
func (fs Fields[T]) Parse(t *T, value func(name string) string) error {
	var wrong InputErrors
	for i := range fs {
		f, text := &fs[i], strings.TrimSpace(value(fs[i].Name))
		err := f.parse(t, text)
		if text == "" && f.Required {
			err = f.missing()
		}
		if err := wrong.Add(err); err != nil {
			return err
		}
	}
	if len(wrong) > 0 {
		if err := wrong.Add(fs.check(t)); err != nil {
			return err
		}
	}
	return wrong.Err()
}

// Format returns a field's value as text, as in CSV files.
func (f *Field[T]) Format(t *T) string { return f.format(t) }

// Input returns a field's value as text for a form. It pads amounts to the decimals of the
// currency.
func (f *Field[T]) Input(t *T, currency string) string {
	text := f.format(t)
	if f.amount == nil || text == "" {
		return text
	}
	return InputAmount(*f.amount(t), currency)
}

// money adds a currency to a value of an InputMoney. The prices of the table do not depend on
// the currency of the business: they are in US dollars.
func (f *Field[T]) money(text, currency string) string {
	amount, err := ParseAmount(text)
	if err != nil {
		return text
	}
	if f.amount == nil {
		currency = "USD"
	}
	return amountText(amount, currency)
}

func (f *Field[T]) missing() error {
	return InvalidField(f.Name, "Enter %s.", withArticle(f.Label))
}

// check checks and trims the value of every field. It returns Invalid if a required value
// is missing or a value is not allowed.
func (fs Fields[T]) check(t *T) error {
	var wrong InputErrors
	for i := range fs {
		err := fs[i].check(t)
		if err == nil && fs[i].Required && fs[i].format(t) == "" {
			err = fs[i].missing()
		}
		if err := wrong.Add(err); err != nil {
			return err
		}
	}
	return wrong.Err()
}

// checkDecimals returns Invalid if an amount in edited has more decimals than the currency.
// before is the stored record, or nil if edited is a new record. An amount that is not
// changed is accepted.
func (fs Fields[T]) checkDecimals(before, edited *T, currency string) error {
	var wrong InputErrors
	for i := range fs {
		f := &fs[i]
		if f.amount == nil {
			continue
		}
		var stored Amount
		if before != nil {
			stored = *f.amount(before)
		}
		if err := wrong.Add(CheckDecimals(f.Name, *f.amount(edited), stored, currency)); err != nil {
			return err
		}
	}
	return wrong.Err()
}

func (fs Fields[T]) copy(to, from *T) {
	for i := range fs {
		fs[i].copy(to, from)
	}
}

// withArticle returns a label with its indefinite article, such as "a name" or "an
// SKU".
func withArticle(label string) string {
	if strings.ContainsRune("AEIO", rune(label[0])) || strings.HasPrefix(label, "SKU") {
		return "an " + lowerFirst(label)
	}
	return "a " + lowerFirst(label)
}

// lowerFirst returns a label with its first letter in lower case, for the middle of a
// sentence. It does not change abbreviations such as SKU.
func lowerFirst(label string) string {
	if len(label) > 1 && unicode.IsUpper(rune(label[1])) {
		return label
	}
	return strings.ToLower(label[:1]) + label[1:]
}
