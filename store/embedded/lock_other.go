//go:build !unix || aix || android || solaris

package embedded

import "os"

// unlock does nothing: on these systems, closing the file releases the lock.
func unlock(*os.File) error { return nil }
