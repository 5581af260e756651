package embedded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
)

// FileName is the name of the store's file in its folder.
const FileName = "stockroom.db"

// pageSize is the page size of the file in bytes. It is the same on every operating
// system.
const pageSize = 4096

// Versions of the file format. The program rejects files of later versions. Version 2 adds
// streams, and keys with several attributes.
const (
	formatVersion = 2 // newest version that the program supports
	baseFormat    = 1 // version of new files
)

// format is the bucket that identifies the file as a store. It contains the version,
// without the seal of other values (see keyspace.seal), so that every version of the
// program can read it.
var (
	format    = newKeyspace("stockroom", "the format")
	keyFormat = []byte("format")
)

// Options contains the settings for Open. The zero value contains the defaults.
type Options struct {
	// SweepEvery is the interval between removals of expired items and of old stream
	// records. The default is one minute.
	SweepEvery time.Duration

	// Log receives warnings, and errors that no method returns. The default discards them.
	Log *slog.Logger

	// NoSync means that calls return before their writes are on disk. The writes survive
	// the end of the process, but not a power failure, which can also damage the file. Only
	// tests may set NoSync.
	NoSync bool
}

// DB is an open store. Its methods use the types of *dynamodb.Client and are safe for
// concurrent use.
//
// Methods with the name of a DynamoDB operation return DynamoDB's errors: a
// smithy.APIError with DynamoDB's code and message. All methods can also return
// ErrClosed, the context's error, a *DamageError or an error of the file system. A
// write that was accepted does not return the context's error.
type DB struct {
	bolt   *boltFile // replaced by compaction.rename and reopen
	mapped int64     // size of the memory mapping in bytes; 0 if it is as large as the file; see openBolt
	sync   bool      // sync each commit
	path   string
	clock  func() time.Time
	log    *slog.Logger

	warnings []string // found by Open

	// catalog contains the last committed table definitions. A commit that changes
	// definitions holds the lock publishing, so that no reader combines new items with
	// old definitions. The lock also protects bolt, except in the commit goroutine.
	catalog    atomic.Pointer[catalog]
	publishing sync.RWMutex

	requests chan *request
	fill     chan struct{} // wakes the backfill goroutine when it has work
	closing  chan struct{} // closed by Close
	stopped  chan struct{} // closed when the commit goroutine has ended
	close    sync.Once
	starting sync.Mutex // held by Close while it closes closing, and by startWorker
	workers  sync.WaitGroup

	writeErr error // error of all further writes, or nil; only the commit goroutine uses it

	lastLoad atomic.Pointer[[]int] // number of entries of each keyspace in the last load
	maxLoad  atomic.Int64          // number of items for which a load changes loadPages pages; 0 before the first load

	compactions compactions
	checks      checks

	changes    atomic.Int64 // see Changes
	commits    atomic.Int64
	committing atomic.Int64 // total duration of commits, in nanoseconds
}

// Open opens the store in the folder dir. If the folder or the store does not exist,
// Open creates it, accessible only by the current user. If another process uses the
// file, Open waits one second for it. Open returns a *FileError for problems with
// the folder or the file.
//
// Items and transaction tokens expire by the given clock. Callers must use the same
// clock to set expiry times.
func Open(dir string, clock func() time.Time, options Options) (*DB, error) {
	if options.SweepEvery == 0 {
		options.SweepEvery = time.Minute
	}
	if options.Log == nil {
		options.Log = slog.New(slog.DiscardHandler)
	}
	path := filepath.Join(dir, FileName)
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	err := checkHeaders(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = createFile(dir, !options.NoSync)
	}
	if err != nil {
		return nil, err
	}
	bolt, mapped, err := openBolt(path, !options.NoSync)
	if err != nil {
		return nil, err
	}
	db := &DB{
		bolt:     bolt,
		mapped:   mapped,
		sync:     !options.NoSync,
		path:     path,
		clock:    clock,
		log:      options.Log,
		requests: make(chan *request, maxGroupRequests),
		fill:     make(chan struct{}, 1),
		closing:  make(chan struct{}),
		stopped:  make(chan struct{}),
	}
	if err := db.initialize(dir); err != nil {
		return nil, errors.Join(err, bolt.Close())
	}
	db.inspectFolder(dir)
	db.workers.Go(db.commitLoop)
	db.workers.Go(db.backfillLoop)
	db.wakeBackfill()
	db.workers.Go(func() { db.sweepLoop(options.SweepEvery) })
	return db, nil
}

// initialize checks the header pages and the list of free pages, formats an empty file,
// and loads the table definitions.
func (db *DB) initialize(dir string) error {
	if err := db.checkStart(); err != nil {
		return err
	}
	return recoverFault(db.path, func() error {
		empty := false
		err := db.bolt.View(func(tx *bbolt.Tx) error {
			first, _ := tx.Cursor().First()
			if empty = first == nil; empty {
				return nil
			}
			return guardBuckets(tx)
		})
		if err != nil {
			return fmt.Errorf("embedded: %w", err)
		}
		if empty {
			if err := errors.Join(writeFormat(db.bolt.DB), syncDir(dir)); err != nil {
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

// writeFormat turns an empty bbolt file into an empty store.
func writeFormat(bolt *bbolt.DB) error {
	return bolt.Update(func(tx *bbolt.Tx) error {
		for _, space := range []*keyspace{format, tables, tokens, tokenTimes, totals} {
			if err := space.create(tx); err != nil {
				return err
			}
		}
		return tx.Bucket(format.name).Put(keyFormat, formatValue(baseFormat))
	})
}

// syncDir syncs a folder, so that changes of its file names survive a power failure.
// Windows does not need this.
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
	foreign := &FileError{db.path, ErrForeign, "it contains another program's data; choose another folder; nothing was changed"}
	bucket := tx.Bucket(format.name)
	if bucket == nil {
		return foreign
	}
	if err := guardAll(tx, format); err != nil {
		return err
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
		return &FileError{db.path, ErrNewer, fmt.Sprintf("its format is %d and this version supports %d; use a newer version of Stockroom; nothing was changed", version, formatVersion)}
	}
	return nil
}

// needsVersion2 reports whether the table uses a feature of version 2. A program that knows
// only version 1 would change such a table incorrectly.
func (d *definition) needsVersion2() bool {
	return len(d.Streams) > 0 || slices.ContainsFunc(d.Indexes, func(ix indexDefinition) bool { return ix.Key.isMulti() })
}

// raiseFormat raises the version of the file format to at least the given version.
func (w *writeTx) raiseFormat(version uint32) error {
	bucket, err := format.bucket(w.bolt)
	if err != nil {
		return err
	}
	if err := guardAll(w.bolt, format); err != nil {
		return err
	}
	if value := bucket.Get(keyFormat); len(value) == 8 && binary.BigEndian.Uint32(value) >= version {
		return nil
	}
	w.changed = true
	return bucket.Put(keyFormat, formatValue(version))
}

// formatValue encodes a version, followed by its complement. The complement reveals damage.
func formatValue(version uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, version), ^version)
}

// syncCommits sets whether each commit of a bbolt file is synced to disk. Only tests, and
// copies that are synced once at their end, turn this off.
func syncCommits(bolt *bbolt.DB, sync bool) { bolt.NoSync = !sync }

// Log returns the log of Options.
func (db *DB) Log() *slog.Logger { return db.log }

// Close waits for accepted writes and closes the file. After Close, all reads and writes
// return ErrClosed, and so does Close.
func (db *DB) Close() error {
	err := ErrClosed
	db.close.Do(func() {
		db.starting.Lock()
		close(db.closing)
		db.starting.Unlock()
		db.workers.Wait()
		err = db.bolt.Close()
	})
	return err
}

// isClosing reports whether Close was called.
func (db *DB) isClosing() bool {
	select {
	case <-db.closing:
		return true
	default:
		return false
	}
}

// startWorker starts a goroutine for which Close waits, or returns ErrClosed. Goroutines
// that are workers themselves can start others with db.workers.
func (db *DB) startWorker(work func()) error {
	db.starting.Lock()
	defer db.starting.Unlock()
	if db.isClosing() {
		return ErrClosed
	}
	db.workers.Go(work)
	return nil
}
