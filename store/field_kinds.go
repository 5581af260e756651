package store

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"stockroom/store/key"
)

// Maximum lengths of text fields, in characters.
const (
	maxName     = 200 // for text of one line; see checkLine
	maxLongText = 4000
)

func newField[T, V any](kind InputKind, name, label string, of func(*T) *V) Field[T] {
	return Field[T]{
		FieldSpec: FieldSpec{Name: name, Label: label, Kind: kind},
		copy:      func(to, from *T) { *of(to) = *of(from) },
	}
}

func textField[T any](name, label string, of func(*T) *string) Field[T] {
	f := newField(InputText, name, label, of)
	f.format = func(t *T) string { return *of(t) }
	f.parse = func(t *T, text string) error { *of(t) = text; return nil }
	f.check = func(t *T) error { return checkLine(name, of(t)) }
	return f
}

func idField[T any](name, label string, of func(*T) *string) Field[T] {
	return textField(name, label, of).alsoCheck(func(t *T) error {
		if id := *of(t); id != "" {
			if err := key.CheckID(id); err != nil {
				return InvalidField(name, "“%s” can't be used: %v.", id, err)
			}
		}
		return nil
	})
}

// pickField returns a field for the ID of a record that the user can search by name.
func pickField[T any](name, label string, kind ChoiceKind, of func(*T) *string) Field[T] {
	f := idField(name, label, of)
	f.Kind, f.Choice = InputPick, kind
	return f
}

// categoryField returns a field for the name of a category, which the user can search.
func categoryField[T any](name, label string, of func(*T) *string) Field[T] {
	f := textField(name, label, of)
	f.Kind, f.Choice = InputPick, ChooseCategory
	return f
}

// emailField returns a field for an email address. checkEmails checks its domain.
func emailField[T any](name, label string, of func(*T) *string) Field[T] {
	f := textField(name, label, of).alsoCheck(func(t *T) error {
		if email := *of(t); email != "" && !isEmail(email) {
			return InvalidField(name, messageEmail)
		}
		return nil
	})
	f.Kind, f.email = InputEmail, of
	return f
}

func longTextField[T any](name, label string, of func(*T) *string) Field[T] {
	f := textField(name, label, of)
	f.Kind = InputLongText
	f.check = func(t *T) error {
		value := of(t)
		*value = strings.TrimSpace(*value)
		if utf8.RuneCountInString(*value) > maxLongText || !utf8.ValidString(*value) {
			return InvalidField(name, "Enter at most %d characters.", maxLongText)
		}
		return nil
	}
	return f
}

// linesField returns a field for a list of strings, one per line. most is the maximum
// number of lines.
func linesField[T any](name, label string, most int, of func(*T) *[]string) Field[T] {
	f := newField(InputLines, name, label, of)
	f.Hint = "One per line."
	f.format = func(t *T) string { return strings.Join(*of(t), "\n") }
	f.parse = func(t *T, text string) error { *of(t) = filledLines(strings.Split(text, "\n")); return nil }
	f.check = func(t *T) error {
		lines := *of(t)
		if len(lines) > most {
			return InvalidField(name, "Enter at most %d lines.", most)
		}
		lines = filledLines(lines)
		for i := range lines {
			if err := checkLine(name, &lines[i]); err != nil {
				return err
			}
		}
		*of(t) = lines
		return nil
	}
	return f
}

// moneyField returns a field for an amount of zero or more.
func moneyField[T any](name, label string, of func(*T) *Amount) Field[T] {
	f := newField(InputMoney, name, label, of)
	f.amount = of
	f.format = func(t *T) string { return of(t).String() }
	f.parse = func(t *T, text string) (err error) { *of(t), err = ParseMoney(name, text); return err }
	f.check = func(t *T) error {
		if of(t).Sign() < 0 {
			return InvalidField(name, "Enter an amount of zero or more.")
		}
		return nil
	}
	return f
}

// wholeField returns a field for a whole number. least and most are the smallest and the
// largest allowed number. The form shows 0 as an empty field.
func wholeField[T any](name, label string, least, most int, of func(*T) *int) Field[T] {
	f := newField(InputWhole, name, label, of)
	f.format = func(t *T) string {
		if *of(t) == 0 {
			return ""
		}
		return strconv.Itoa(*of(t))
	}
	f.parse = func(t *T, text string) (err error) {
		if *of(t) = 0; text != "" {
			*of(t), err = ParseWhole(name, text)
		}
		return err
	}
	f.check = func(t *T) error {
		if n := *of(t); n < least || n > most {
			return InvalidField(name, "Enter a whole number from %d to %s.", least, strings.Replace(strconv.Itoa(most), strconv.Itoa(maxQuantity), maxQuantityText, 1))
		}
		return nil
	}
	return f
}

// countField returns a required field for a whole number. least and most are the smallest
// and the largest allowed number. The form shows 0 as 0.
func countField[T any](name, label string, least, most int, of func(*T) *int) Field[T] {
	f := wholeField(name, label, least, most, of).required()
	f.format = func(t *T) string { return strconv.Itoa(*of(t)) }
	return f
}

// dayField returns a field for a calendar day, at midnight UTC.
func dayField[T any](name, label string, of func(*T) *time.Time) Field[T] {
	f := newField(InputDay, name, label, of)
	f.Hint = "Year, month and day, as YYYY-MM-DD."
	f.format = func(t *T) string { return calendarDay(*of(t)) }
	f.parse = func(t *T, text string) (err error) { *of(t), err = ParseDay(name, text); return err }
	f.check = func(*T) error { return nil }
	return f
}

// instantField returns a field for a time in UTC, for events. No form shows this field. The
// time may be zero.
func instantField[T any](name, label string, of func(*T) *time.Time) Field[T] {
	f := newField(InputText, name, label, of)
	f.format = func(t *T) string { return key.Time(*of(t)) }
	f.parse = func(t *T, text string) (err error) {
		*of(t) = time.Time{}
		if text != "" {
			*of(t), err = ParseTime(text)
		}
		return err
	}
	f.check = func(*T) error { return nil }
	return f
}

func choiceField[T any, V ~string](name, label string, options []FieldOption, of func(*T) *V) Field[T] {
	f := newField(InputChoice, name, label, of)
	f.Options = options
	f.format = func(t *T) string { return string(*of(t)) }
	f.parse = func(t *T, text string) error { *of(t) = V(text); return nil }
	f.check = func(t *T) error {
		if !slices.ContainsFunc(options, func(o FieldOption) bool { return o.Value == string(*of(t)) }) {
			return InvalidField(name, "Choose one of the options.")
		}
		return nil
	}
	return f
}

func inGroup[T any](heading string, fields ...Field[T]) []Field[T] {
	for i := range fields {
		fields[i].Group = heading
	}
	return fields
}

// AddressFields returns the fields of an address.
func AddressFields[T any](of func(*T) *Address) Fields[T] {
	part := func(name, label, attribute string, part func(*Address) *string) Field[T] {
		return textField(name, label, func(t *T) *string { return part(of(t)) }).column("Address." + attribute)
	}
	return inGroup("Address",
		part("street", "Street", "Street", func(a *Address) *string { return &a.Street }),
		part("number", "House number", "Number", func(a *Address) *string { return &a.Number }),
		part("zip", "Postal code", "ZipCode", func(a *Address) *string { return &a.ZipCode }),
		part("city", "City", "City", func(a *Address) *string { return &a.City }),
		part("county", "County", "County", func(a *Address) *string { return &a.County }),
		part("country", "Country", "Country", func(a *Address) *string { return &a.Country }),
	)
}

func flagField[T any](name, label string, of func(*T) *bool) Field[T] {
	f := newField(InputChoice, name, label, of)
	f.Options = []FieldOption{{"", "No"}, {"yes", "Yes"}}
	f.format = func(t *T) string {
		if *of(t) {
			return "yes"
		}
		return ""
	}
	f.parse = func(t *T, text string) error { *of(t) = text == "yes"; return nil }
	f.check = func(*T) error { return nil }
	return f
}
