package embedded

import (
	"fmt"
	"runtime/debug"
)

// guarded runs work that follows the page numbers of the file. bbolt trusts
// its pages: a damaged one makes it panic, or look beyond the end of the file,
// which is a memory fault. Either becomes a DamageError, so that damage to one
// page costs the calls that meet it, not the program.
func guarded(where string, work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			err = &DamageError{Where: where, Cause: fmt.Sprint(reason)}
		}
	}()
	return work()
}
