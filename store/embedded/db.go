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

// pageSize is the page size of the file on every system, in bytes.
const pageSize = 4096

// formatVersion increases with changes that older versions must not touch.
const formatVersion = 1

// format is the bucket that identifies the file as a store. The version in it is
// not sealed, because every later version must be able to read it.
var (
	format    = newKeyspace("stockroom", "the format")
	keyFormat = []byte("format")
)

// Options are the settings of Open. The zero value has the defaults.
type Options struct {
	// SweepEvery is the interval between removals of expired items. The default
	// is a minute.
	SweepEvery time.Duration
}

// DB is an open store. Its methods take and return the types of
// *dynamodb.Client. They are safe for concurrent use.
//
// Methods that are named after an operation of DynamoDB return its errors: a
// smithy.APIError with DynamoDB's code and message. All methods may also return
// ErrClosed, the context's error before a write is accepted, a *DamageError,
// and errors of the file system.
type DB struct {
	bolt  *bbolt.DB
	path  string
	clock func() time.Time

	// catalog holds the last committed table definitions. A commit that changes
	// them holds publishing, so that no reader combines its items with the
	// previous definitions.
	catalog    atomic.Pointer[catalog]
	publishing sync.RWMutex

	requests chan *request
	fill     chan struct{} // wakes the backfill goroutine
	closing  chan struct{} // closed by Close
	stopped  chan struct{} // closed when the commit goroutine has ended
	close    sync.Once
	workers  sync.WaitGroup

	writeErr error // why all writes fail; owned by the commit goroutine

	commits    atomic.Int64
	committing atomic.Int64 // total time of commits, in ns
}

// Open opens the store in the folder dir. It creates folder and store if they
// do not exist, with permissions for the current user only. It waits a second
// for another process to release the file. Problems with the folder or the file
// are returned as a *FileError.
//
// Items and transaction tokens expire by clock. It must agree with the clock by
// which callers set expiry times, or items expire too early or too late.
func Open(dir string, clock func() time.Time, options Options) (*DB, error) {
	if options.SweepEvery == 0 {
		options.SweepEvery = time.Minute
	}
	path := filepath.Join(dir, FileName)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, notWritable(dir, err)
	}
	if err := checkHeaders(path); err != nil {
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
		requests: make(chan *request, maxGroupRequests),
		fill:     make(chan struct{}, 1),
		closing:  make(chan struct{}),
		stopped:  make(chan struct{}),
	}
	if err := db.initialize(dir); err != nil {
		return nil, errors.Join(err, bolt.Close())
	}
	db.workers.Go(db.commitLoop)
	db.workers.Go(db.backfillLoop)
	db.wakeBackfill()
	db.workers.Go(func() { db.sweepLoop(options.SweepEvery) })
	return db, nil
}

// mmapSize is the address space mapped for the file, in bytes.
const mmapSize int64 = 64 << 30

// openBolt opens the file with these settings:
//
//   - Each commit writes the freelist. Otherwise opening would read the whole
//     file: half a second for a million items. In memory it is a hash map,
//     because bbolt searches an array from its start.
//   - The mapping is far larger than the file, which only uses address space.
//     bbolt waits for all readers before it enlarges the mapping, so a backup
//     would block the writers. Not on Windows, where the file would grow to
//     the size of the mapping.
//   - Pages are 4 KB on every system: writing one item writes every page on the
//     path to it.
//   - Statistics are off, because every read would take a lock for them.
//   - Every commit is synced.
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
		space := mmapSize // not a constant, which overflows a 32-bit int
		options.InitialMmapSize = int(space)
	}
	err = recoverFault(path, func() error {
		bolt, err = bbolt.Open(path, 0o600, options)
		return err
	})
	var damage *DamageError
	var pathError *fs.PathError
	switch {
	case err == nil:
		return bolt, nil
	case errors.As(err, &damage):
		// bbolt panicked before it could release its lock.
		return nil, errors.Join(&FileError{path, ErrDamaged, damage.Cause + "; restore a backup"}, file.Close())
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, &FileError{path, ErrInUse, "stop that process, or choose another folder"}
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, &FileError{path, ErrForeign, "choose another folder, or restore a backup if it should be one; nothing was changed"}
	case errors.As(err, &pathError), errors.Is(err, syscall.EROFS):
		return nil, notWritable(path, err)
	}
	return nil, fmt.Errorf("embedded: %s: %w", path, err)
}

// initialize formats an empty file and loads the table definitions.
func (db *DB) initialize(dir string) error {
	return recoverFault(db.path, func() error {
		empty := false
		err := db.bolt.View(func(tx *bbolt.Tx) error {
			first, _ := tx.Cursor().First()
			empty = first == nil
			return nil
		})
		if err != nil {
			return fmt.Errorf("embedded: %w", err)
		}
		if empty {
			if err := db.format(dir); err != nil {
				return notWritable(db.path, err)
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

// format turns an empty bbolt file into an empty store. It syncs the folder
// too, or the file name could be lost when the power fails.
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
	return syncDir(dir)
}

// syncDir makes changes to the file names in a folder durable. Windows needs no
// sync for that.
func syncDir(dir string) error {
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
	foreign := &FileError{db.path, ErrForeign, "it has another program's data; choose another folder; nothing was changed"}
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
		return &FileError{db.path, ErrDamaged, "its format version is unreadable; restore a backup"}
	}
	if version > formatVersion {
		return &FileError{db.path, ErrNewer, fmt.Sprintf("its format is %d and this version supports %d; use the newer version; nothing was changed", version, formatVersion)}
	}
	return nil
}

// formatValue encodes a version, followed by its complement to detect damage.
func formatValue(version uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, version), ^version)
}

// Close waits for accepted writes and closes the file. Later calls of any
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
