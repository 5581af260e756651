package embedded

import (
	"fmt"
	"runtime/debug"
)

// recoverFault runs work, which accesses pages of the file, and returns panics
// and memory faults as a DamageError. bbolt trusts its pages: a damaged one
// makes it panic or read outside the file. So only the calls that meet the
// damage fail, not the program.
func recoverFault(where string, work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			err = &DamageError{Where: where, Cause: fmt.Sprint(reason)}
		}
	}()
	return work()
}
