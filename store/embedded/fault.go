package embedded

import (
	"fmt"
	"runtime/debug"
)

// recoverFault calls the function work, which reads pages of the file, and converts
// panics and memory faults to a DamageError. bbolt trusts its pages: a damaged page
// can make it panic or read outside the file. With recoverFault, only this call fails
// and not the whole program.
func recoverFault(where string, work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			err = &DamageError{Where: where, Cause: fmt.Sprint(reason)}
		}
	}()
	return work()
}
