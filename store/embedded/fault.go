package embedded

import (
	"fmt"
	"runtime/debug"
)

// recoverFault runs work, which reads pages of the file. It converts panics and
// memory faults to a DamageError. bbolt trusts its pages, so a damaged page can make
// it panic or read outside the file. With recoverFault, only that call fails rather
// than the whole program.
func recoverFault(where string, work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			err = &DamageError{Where: where, Cause: fmt.Sprint(reason)}
		}
	}()
	return work()
}
