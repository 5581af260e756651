package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// mmapSize is the address space mapped for the file, in bytes.
const mmapSize int64 = 64 << 30

// boltFile is a file that bbolt has open. Only the commit goroutine uses the fields after
// snapshots.
type boltFile struct {
	*bbolt.DB
	file      *os.File     // bbolt's handle, which holds the lock on the file
	snapshots atomic.Int64 // number of open snapshots of DB.view; rises only while DB.publishing is locked for reading

	last      uint64 // ID of the last transaction; 0 before the first one
	allocated int64  // number of calls that allocated pages for nodes; see reopenAfter
	postponed int64  // what reopenIfDue adds to reopenAfter
}

// openBolt opens the file with these settings:
//
//   - Each commit writes the freelist. Without it, opening would read the whole
//     file, which takes half a second for a million items. In memory, the freelist
//     is a hash map, because bbolt would search an array from its start.
//   - The mapping is far larger than the file, so that bbolt need not enlarge it.
//     Enlarging waits for all readers, so a backup would block writers. Unused
//     mapping costs only address space. If the process may not use that much, the
//     mapping is smaller. On Windows, where the file would grow to the size of the
//     mapping, the mapping is not larger.
//   - Pages are 4 KB on every system, because a write of one item writes every
//     page on the path to it.
//   - Statistics are off, because they would cost a lock for every read.
//   - If sync is true, every commit is synced.
//
// If another process replaces the file with Compact while bbolt waits for its lock,
// openBolt opens the new file. The result mapped is the size of the mapping in bytes, or
// 0 if it is as large as the file.
func openBolt(path string, sync bool) (bolt *boltFile, mapped int64, err error) {
	if runtime.GOOS != "windows" && strconv.IntSize == 64 {
		mapped = mmapSize
	}
	for limited := false; ; {
		bolt, replaced, err := tryOpen(path, sync, mapped, os.OpenFile)
		switch {
		case errors.Is(err, syscall.ENOMEM) && mapped > 0:
			limited, mapped = true, smallerMapping(mapped)
		case err != nil:
			return nil, 0, err
		case replaced:
			if err := bolt.Close(); err != nil {
				return nil, 0, fmt.Errorf("embedded: %w", err)
			}
		case limited && mapped > 0:
			// Do not use the largest mapping that is possible, because it leaves too little
			// address space for the rest of the program. Open the file again with a smaller
			// one.
			if err := bolt.Close(); err != nil {
				return nil, 0, fmt.Errorf("embedded: %w", err)
			}
			limited, mapped = false, smallerMapping(mapped)
		default:
			return bolt, mapped, nil
		}
	}
}

// smallerMapping returns the size of the next mapping to try, or 0 for a mapping as
// large as the file.
func smallerMapping(size int64) int64 {
	const smallest = 64 << 20
	if size /= 4; size < smallest {
		return 0
	}
	return size
}

// tryOpen opens the file with a mapping of the given size. It gets the handle of the file
// from openFile, and closes it after an error. The result replaced is true if bbolt has
// opened a file that no longer has this path.
func tryOpen(path string, sync bool, mapped int64, openFile func(string, int, os.FileMode) (*os.File, error)) (bolt *boltFile, replaced bool, err error) {
	var file *os.File
	var opened *bbolt.DB
	options := &bbolt.Options{
		Timeout:         time.Second,
		FreelistType:    bbolt.FreelistMapType,
		PreLoadFreelist: true,
		PageSize:        pageSize,
		NoStatistics:    true,
		InitialMmapSize: int(mapped),
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			var err error
			file, err = openFile(name, flag, mode)
			return file, err
		},
	}
	err = recoverFault(path, func() error {
		if opened, err = bbolt.Open(path, 0o600, options); err == nil {
			syncCommits(opened, sync)
		}
		return err
	})
	var damage *DamageError
	var pathError *fs.PathError
	switch {
	case err == nil:
		return &boltFile{DB: opened, file: file}, !hasPath(file, path), nil
	case errors.As(err, &damage):
		// Release the lock, because bbolt has panicked and has not unmapped the file. On Linux,
		// the mapping would keep the lock after the file is closed.
		return nil, false, errors.Join(&FileError{path, ErrDamaged, damage.Cause + "; restore a backup"}, unlock(file), file.Close())
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, false, &FileError{path, ErrInUse, "stop that process, or choose another folder"}
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, false, &FileError{path, ErrForeign, "choose another folder, or restore a backup if the file should be a store; nothing was changed"}
	case errors.As(err, &pathError), errors.Is(err, syscall.EROFS):
		return nil, false, notWritable(path, err)
	}
	return nil, false, fmt.Errorf("embedded: %s: %w", path, err)
}

// hasPath reports whether an open file has the path. It returns true if this is unknown.
func hasPath(file *os.File, path string) bool {
	opened, err := file.Stat()
	if err != nil {
		return true
	}
	named, err := os.Stat(path)
	return err != nil || os.SameFile(opened, named)
}
