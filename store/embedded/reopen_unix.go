//go:build unix && !aix && !android && !solaris

package embedded

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// duplicate returns a second handle of an open file. Both handles share one lock: it lasts
// until it is released or both are closed. duplicate returns an error if the process may not
// map the file a second time.
var duplicate = func(file *os.File, mapped int64) (*os.File, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("embedded: %w", err)
	}
	// Try the mapping now: if bbolt itself failed to map the file, it would release the lock.
	// bbolt maps whole gigabytes.
	const step = 1 << 30
	size := (max(mapped, info.Size()) + step - 1) / step * step
	trial, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	if err == nil {
		err = unix.Munmap(trial)
	}
	if err != nil {
		return nil, fmt.Errorf("embedded: map a second time: %w", err)
	}
	number, err := unix.FcntlInt(file.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("embedded: duplicate the handle: %w", err)
	}
	return os.NewFile(uintptr(number), file.Name()), nil
}
