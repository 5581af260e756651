package table

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// Kind classifies an error. Callers map it to an HTTP status, an exit code or a
// message next to a field.
type Kind int

// The kinds of errors. An error without a kind is Internal. Its text is only logged
// and never shown on a page.
const (
	Internal    Kind = iota
	NotFound         // the record does not exist, or the user may not see it
	Forbidden        // the user may not do this, or could not be authenticated
	Invalid          // the input is wrong; Error.Field can name the input
	Conflict         // someone else changed the record first, it already exists, or its state forbids the change
	Busy             // the table is throttled, or an index is still being created; a later attempt may succeed
	Damaged          // an item in the table cannot be decoded
	Unconfirmed      // a write was sent, but whether it was applied is unknown
	Unfinished       // a change was saved, but its remaining steps were not
	Unusable         // the embedded engine cannot answer, for example because its disk is full
)

// Error is an error with a kind and a message for users.
type Error struct {
	Kind    Kind
	Message string // a full sentence that may be shown to any user
	Field   string // the name of the invalid input, if any
	Code    string // identifies an error that the page explains further; usually ""
	Err     error  // the cause, for the log

	More []*Error // the errors of other inputs of the same form
}

// About returns the message about an input, which can be in e or in e.More. It returns
// "" if there is none.
func (e *Error) About(field string) string {
	if e == nil {
		return ""
	}
	if e.Field == field {
		return e.Message
	}
	for _, other := range e.More {
		if other.Field == field {
			return other.Message
		}
	}
	return ""
}

// Error returns the message, followed by the cause if there is one.
func (e *Error) Error() string {
	if e.Err != nil {
		return e.Message + ": " + e.Err.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the first Error in err's chain, or Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// Errorf returns an Error. It shortens string arguments and replaces control characters in
// them, because the arguments often come from input. It does not change the arguments of
// Damaged and Busy errors, which are keys of the table, or the argument of the format "%s",
// which can be a whole message.
func Errorf(kind Kind, format string, args ...any) *Error {
	if kind == Damaged || kind == Busy {
		return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
	}
	return &Error{Kind: kind, Message: formatMessage(format, args)}
}

// InvalidField returns an Invalid error about the named input.
func InvalidField(field, format string, args ...any) *Error {
	return &Error{Kind: Invalid, Field: field, Message: formatMessage(format, args)}
}

// maxQuoted is the maximum length of an argument in a message, in characters.
const maxQuoted = 60

func formatMessage(format string, args []any) string {
	if format == "%s" {
		return fmt.Sprintf(format, args...) // the message may already be formatted and contain %
	}
	short := make([]any, len(args))
	for i, arg := range args {
		short[i] = arg
		if text, ok := arg.(string); ok {
			short[i] = printable(text)
		}
	}
	return fmt.Sprintf(format, short...)
}

// Quoted puts a string from input in quotation marks, for a message. It replaces control
// characters and marks of the writing direction with spaces.
func Quoted(text string) string {
	return "“" + strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			return ' '
		}
		return r
	}, text) + "”"
}

func printable(text string) string {
	runes := []rune(text)
	kept := runes[:min(len(runes), maxQuoted)]
	for i, r := range kept {
		if unicode.IsControl(r) {
			kept[i] = ' '
		}
	}
	if len(kept) < len(runes) {
		return string(kept) + "…"
	}
	return string(kept)
}

// The messages of errors that any read or write can return.
const (
	ConflictMessage    = "Someone else changed this first. Your change was not saved. Check the current values and try again."
	busyMessage        = "The system is busy. Try again in a moment."
	unchangedMessage   = "The system is busy. Nothing was changed. Try again in a moment."
	partlyMessage      = "The system is busy. Only part of this change was saved. Check what was saved before you try again."
	buildingMessage    = "The index %s is still being created. Try again later."
	unconfirmedMessage = "It is not known whether this change was saved. Check this before you try again."
)

// wrap classifies an error that the DB returned.
func (t *Table) wrap(err error) error {
	var missing *types.ResourceNotFoundException
	var api smithy.APIError
	var engine engineError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &engine):
		return &Error{Kind: Unusable, Message: engine.Problem(), Err: err}
	case errors.As(err, &missing):
		return &Error{Kind: Internal, Message: fmt.Sprintf("The table %s does not exist. Create it with 'stockroom table create'.", t.name), Err: err}
	case errors.As(err, &api):
		if index, found := buildingIndex(api); found {
			return &Error{Kind: Busy, Message: fmt.Sprintf(buildingMessage, index), Err: err}
		}
		switch api.ErrorCode() {
		case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded", "TransactionInProgressException":
			return &Error{Kind: Busy, Message: busyMessage, Err: err}
		}
	}
	return err
}

// buildingIndex returns the name of an index that cannot be read because DynamoDB is still
// creating it. DynamoDB has no code for this error.
func buildingIndex(err smithy.APIError) (name string, found bool) {
	for _, message := range []string{"Cannot read from backfilling global secondary index: ", "The table does not have the specified index: "} {
		if name, found = strings.CutPrefix(err.ErrorMessage(), message); found {
			return name, true
		}
	}
	return "", false
}
