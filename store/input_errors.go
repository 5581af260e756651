package store

import (
	"errors"
	"slices"
)

// InputErrors collects the errors of the inputs of a form, so that the form can show all
// of them at once. It keeps one error for each input.
type InputErrors []*Error

// Add adds an Invalid error and the errors in its field More, and returns nil. It returns
// an error of another kind without adding it.
func (e *InputErrors) Add(err error) error {
	var rejected *Error
	if !errors.As(err, &rejected) || rejected.Kind != Invalid {
		return err
	}
	one := *rejected
	one.More = nil
	for _, wrong := range append([]*Error{&one}, rejected.More...) {
		if !e.Has(wrong.Field) {
			*e = append(*e, wrong)
		}
	}
	return nil
}

// With returns all errors and err as one error, or nil if there are none. If err is of a
// kind other than Invalid, With returns only err.
func (e InputErrors) With(err error) error {
	all := slices.Clone(e)
	if err := all.Add(err); err != nil {
		return err
	}
	return all.Err()
}

// Before returns the errors as one error if err is a Conflict. The user then sees the
// errors of the form before a message about another user's change. If there are no errors,
// or if err is not a Conflict, Before returns err.
func (e InputErrors) Before(err error) error {
	if KindOf(err) == Conflict && len(e) > 0 {
		return e.Err()
	}
	return err
}

// Reject adds an error about the named input.
func (e *InputErrors) Reject(field, format string, args ...any) {
	_ = e.Add(InvalidField(field, format, args...)) // Add returns nil for Invalid
}

// Has reports whether the named input has an error.
func (e InputErrors) Has(field string) bool {
	return slices.ContainsFunc(e, func(wrong *Error) bool { return wrong.Field == field })
}

// Err returns all errors as one error, or nil if there are none.
func (e InputErrors) Err() error {
	if len(e) == 0 {
		return nil
	}
	all := *e[0]
	all.More = e[1:]
	return &all
}
