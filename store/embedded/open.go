package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// FileName is the name of the store's file in its folder.
const FileName = "stockroom.db"

// pageSize is that of every file, whatever the system's is.
const pageSize = 4096

// formatVersion is raised by a change that an older version must not touch.
const formatVersion = 1

// format is the bucket by which a file is known as ours. The version in it is
// not sealed, as every later version must be able to read it.
var (
	format    = newKeyspace("stockroom", "the format")
	keyFormat = []byte("format")
)

// Options are the settings of Open. The zero value is for serving.
type Options struct {
	// SweepEvery is how often expired items are looked for; 0 is a minute.
	SweepEvery time.Duration
}

// DB is an open store. Its methods are safe for concurrent use.
type DB struct {
	bolt  *bbolt.DB
	path  string
	clock func() time.Time

	// catalog is what the last committed transaction left of the table
	// definitions. publishing is held by a commit that changes it, so that
	// no reader sees that commit's items with definitions from before.
	catalog    atomic.Pointer[catalog]
	publishing sync.RWMutex

	requests chan *request
	fill     chan struct{} // wakes the filling goroutine
	closing  chan struct{} // closed by Close
	stopped  chan struct{} // closed when no request is taken any more
	close    sync.Once
	workers  sync.WaitGroup

	unwritable error // of the committing goroutine: why nothing can be written
}

// Open opens the store in the folder dir, both of which it makes if they are
// not there, readable for this user only. What is wrong with the folder or its
// file is a *FileError. It waits a second for another process to let go of it.
//
// Items expire and tokens are forgotten by the clock. It is the one that wrote
// them: where two differ, items are removed too early or too late.
func Open(dir string, clock func() time.Time, options Options) (*DB, error) {
	if options.SweepEvery == 0 {
		options.SweepEvery = time.Minute
	}
	path := filepath.Join(dir, FileName)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unwritable(dir, err)
	}
	if err := inspect(path); err != nil {
		return nil, err
	}
	bolt, err := openBolt(path)
	if err != nil {
		return nil, err
	}
	db := &DB{
		bolt:     bolt,
		path:     path,
		clock:    clock,
		requests: make(chan *request, batchMost),
		fill:     make(chan struct{}, 1),
		closing:  make(chan struct{}),
		stopped:  make(chan struct{}),
	}
	if err := db.start(dir); err != nil {
		return nil, errors.Join(err, bolt.Close())
	}
	db.workers.Go(db.commitUntilClosed)
	db.workers.Go(db.fillUntilClosed)
	db.fillSoon()
	db.workers.Go(func() { db.sweepUntilClosed(options.SweepEvery) })
	return db, nil
}

// mapped is the address space that the file is given at once, in bytes.
const mapped int64 = 64 << 30

// openBolt opens the file by settings that are choices:
//
//   - The list of free pages is written with each commit, and kept as a hash
//     map: without it, opening walks the whole file (half a second for a
//     million items); as an array, it is searched from its start.
//   - The mapping is far larger than the file, which costs address space
//     only. To enlarge it bbolt waits for all readers, so a backup would stop
//     the writers. (On Windows the file itself would get that size.)
//   - Pages are 4 KB, whatever the system's are: a write of one item writes
//     each page on the way to it.
//   - Statistics are off, since every read would take a lock for them.
//   - Every commit is synced; nothing here ever turns that off.
func openBolt(path string) (bolt *bbolt.DB, err error) {
	var file *os.File
	options := &bbolt.Options{
		Timeout:         time.Second,
		FreelistType:    bbolt.FreelistMapType,
		PreLoadFreelist: true,
		PageSize:        pageSize,
		NoStatistics:    true,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			var err error
			file, err = os.OpenFile(name, flag, mode)
			return file, err
		},
	}
	if runtime.GOOS != "windows" && strconv.IntSize == 64 {
		space := mapped // more than an int of 32 bits holds
		options.InitialMmapSize = int(space)
	}
	err = guarded(path, func() error {
		bolt, err = bbolt.Open(path, 0o600, options)
		return err
	})
	var damage *DamageError
	var pathError *fs.PathError
	switch {
	case err == nil:
		return bolt, nil
	case errors.As(err, &damage):
		// bbolt did not come to an end, so its lock is let go of here.
		return nil, errors.Join(&FileError{path, ErrDamaged, damage.Cause + "; restore a backup"}, file.Close())
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, &FileError{path, ErrHeld, "stop that one, or choose another folder"}
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, &FileError{path, ErrForeign, "choose another folder, or restore a backup if this file should be one; nothing was changed"}
	case errors.As(err, &pathError), errors.Is(err, syscall.EROFS):
		return nil, unwritable(path, err)
	}
	return nil, fmt.Errorf("embedded: %s: %w", path, err)
}

// start brings a new file into shape, or reads the definitions of an old one.
func (db *DB) start(dir string) error {
	return guarded(db.path, func() error {
		fresh := false
		err := db.bolt.View(func(tx *bbolt.Tx) error {
			first, _ := tx.Cursor().First()
			fresh = first == nil
			return nil
		})
		if err != nil {
			return fmt.Errorf("embedded: %w", err)
		}
		if fresh {
			if err := db.format(dir); err != nil {
				return unwritable(db.path, err)
			}
		}
		return db.bolt.View(func(tx *bbolt.Tx) error {
			if err := db.checkFormat(tx); err != nil {
				return err
			}
			catalog, err := loadCatalog(tx)
			if err != nil {
				return err
			}
			db.catalog.Store(catalog)
			return nil
		})
	})
}

// format writes what makes an empty bbolt file one of ours. The folder is
// synced too, or the file could lose its name when the power fails.
func (db *DB) format(dir string) error {
	err := db.bolt.Update(func(tx *bbolt.Tx) error {
		for _, space := range []*keyspace{format, tables, tokens, tokenTimes, totals} {
			if err := space.create(tx); err != nil {
				return err
			}
		}
		return tx.Bucket(format.name).Put(keyFormat, formatValue(formatVersion))
	})
	if err != nil {
		return err
	}
	return syncFolder(dir)
}

// syncFolder makes the names in a folder last. Windows does so by itself.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func (db *DB) checkFormat(tx *bbolt.Tx) error {
	foreign := &FileError{db.path, ErrForeign, "it holds another program's data; choose another folder, nothing was changed"}
	bucket := tx.Bucket(format.name)
	if bucket == nil {
		return foreign
	}
	value := bucket.Get(keyFormat)
	if len(value) != 8 {
		return foreign
	}
	version := binary.BigEndian.Uint32(value)
	if !bytes.Equal(value, formatValue(version)) {
		return &FileError{db.path, ErrDamaged, "the version of its format is unreadable; restore a backup"}
	}
	if version > formatVersion {
		return &FileError{db.path, ErrNewer, fmt.Sprintf("its format is %d and this version knows %d; use the newer one, nothing was changed", version, formatVersion)}
	}
	return nil
}

// formatValue is a version and its complement, by which damage to it is seen.
func formatValue(version uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, version), ^version)
}

// Close waits for the writes under way and closes the file. Later calls of any
// method return ErrClosed.
func (db *DB) Close() error {
	err := ErrClosed
	db.close.Do(func() {
		close(db.closing)
		db.workers.Wait()
		err = db.bolt.Close()
	})
	return err
}
