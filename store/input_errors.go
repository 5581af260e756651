package store

import (
	"errors"
	"slices"
)

// InputErrors collects the errors of the inputs of a form, so that the form can show all
// of them at once. It keeps one error for each input.
type InputErrors []*Error

// Add adds an Invalid error, and the other errors in its More. It returns errors of
// other kinds.
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

// With returns all errors and err as one, or nil if there are none. An error of another
// kind than Invalid comes first.
func (e InputErrors) With(err error) error {
	all := slices.Clone(e)
	if err := all.Add(err); err != nil {
		return err
	}
	return all.Err()
}

// Before returns all errors as one instead of a Conflict, so that a form shows its errors
// before another user's change. It returns err if there are no errors, or if err has another
// kind.
func (e InputErrors) Before(err error) error {
	if KindOf(err) == Conflict && len(e) > 0 {
		return e.Err()
	}
	return err
}

// Reject adds an error about the named input.
func (e *InputErrors) Reject(field, format string, args ...any) {
	_ = e.Add(InvalidField(field, format, args...)) // Add returns only errors of other kinds
}

// Has reports whether the named input has an error.
func (e InputErrors) Has(field string) bool {
	return slices.ContainsFunc(e, func(wrong *Error) bool { return wrong.Field == field })
}

// Err returns all errors as one, or nil if there are none.
func (e InputErrors) Err() error {
	if len(e) == 0 {
		return nil
	}
	all := *e[0]
	all.More = e[1:]
	return &all
}
