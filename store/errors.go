package store

import (
	"errors"
	"fmt"
	"unicode"
)

// Kind says what sort of failure an error is; the rooms above decide by it
// what to do: a status code, an exit code, a field to mark.
type Kind int

// The kinds. Everything that is none of them is a fault of ours or of the
// engine's, whose text is for the log and never for a page.
const (
	Internal  Kind = iota
	NotFound       // no such thing, or none that this user may know of
	Forbidden      // the role does not include it
	Invalid        // the input is wrong; Field says where
	Conflict       // somebody else changed it first, or it exists already
	Busy           // the table refuses for now; asking again later may help
	Damaged        // what lies in the table cannot be read
)

// Error is a failure with a kind and a sentence for a person.
type Error struct {
	Kind    Kind
	Message string // a full sentence, without what a stranger should not learn
	Field   string // the name of the input that is wrong, where there is one
	Err     error  // the cause, for the log
}

// Error implements error: the sentence, and the cause where there is one.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.Err }

// KindOf finds the kind of an error, Internal where none was given.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

func fail(kind Kind, format string, args ...any) *Error {
	if kind == Damaged || kind == Busy {
		return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)} // names what lies in the table, whole
	}
	return &Error{Kind: kind, Message: sentence(format, args)}
}

// InvalidField is wrong input at the named field.
func InvalidField(field, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Field: field, Message: sentence(format, args)}
}

// maxSaid is how much of a value a sentence repeats, in characters: enough to
// recognize what one has typed.
const maxSaid = 60

// sentence puts values into a message for a person: what cannot be seen in
// them as a space, and of long ones the beginning.
func sentence(format string, args []any) string {
	if format == "%s" {
		return fmt.Sprintf(format, args...) // it was made elsewhere
	}
	said := make([]any, len(args))
	for i, arg := range args {
		said[i] = arg
		if text, is := arg.(string); is {
			said[i] = legible(text)
		}
	}
	return fmt.Sprintf(format, said...)
}

func legible(text string) string {
	runes := []rune(text)
	cut := runes[:min(len(runes), maxSaid)]
	for i, r := range cut {
		if unicode.IsControl(r) {
			cut[i] = ' '
		}
	}
	if len(cut) < len(runes) {
		return string(cut) + "…"
	}
	return string(cut)
}
