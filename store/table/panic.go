package table

import (
	"fmt"
	"runtime/debug"
)

// Recovering wraps the function of a goroutine. It turns a panic into an error with
// the stack, so that a panic ends only this task and not the program.
func Recovering(work func() error) func() error {
	return func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}()
		return work()
	}
}
