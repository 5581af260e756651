package table

import (
	"fmt"
	"runtime/debug"
)

// Recovering returns work for a goroutine. A panic becomes an error with its stack,
// so that it ends the task and not the program.
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
