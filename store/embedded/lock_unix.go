//go:build unix && !aix && !android && !solaris

package embedded

import (
	"os"

	"golang.org/x/sys/unix"
)

// unlock releases bbolt's lock on the file.
func unlock(file *os.File) error { return unix.Flock(int(file.Fd()), unix.LOCK_UN) }
