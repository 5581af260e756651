package table

import (
	"fmt"
	"runtime/debug"
)

// PanicError is the error of a task that panicked.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Recovering wraps the function of a goroutine. It turns a panic into a PanicError, so that
// a panic ends only this task and not the program.
func Recovering(work func() error) func() error {
	return func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = &PanicError{p, debug.Stack()}
			}
		}()
		return work()
	}
}
