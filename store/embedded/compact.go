package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"go.etcd.io/bbolt"
)

// ErrCompacting means that Compact is already running.
var ErrCompacting error = &problemError{text: "the store is already being compacted", problem: "The store is already being compacted."}

// CompactResult describes a finished Compact.
type CompactResult struct {
	Before, After int64         // size of the file, in bytes
	Paused        time.Duration // how long writes had to wait
}

// Compact removes the unused space from the file. It copies the store to a new file in
// the same folder, and then replaces the old file with the new one. A crash leaves the
// whole old file or the whole new one. The folder needs space for both.
//
// Reads continue. Writes wait only at the end, while Compact copies the changes that were
// made in the meantime. If the file takes a quarter of the mapping or more, writes wait the
// whole time: see canHoldSnapshot. Compact does not work on Windows. After any error
// except ErrCommitUncertain, nothing has changed.
func (db *DB) Compact(ctx context.Context) (result CompactResult, err error) {
	end, err := db.beginCompaction()
	if err != nil {
		return result, err
	}
	defer func() { end(result, err) }()
	return db.compact(ctx)
}

// compact is Compact between the start and the end that beginCompaction records.
func (db *DB) compact(ctx context.Context) (result CompactResult, err error) {
	if runtime.GOOS == "windows" {
		return result, errors.New("embedded: Windows cannot replace an open file: stop the server, back up and restore")
	}
	result.Before = db.Stats().FileBytes
	staging, err := os.MkdirTemp(filepath.Dir(db.path), compactPrefix)
	if err != nil {
		return result, notWritable(filepath.Dir(db.path), err)
	}
	defer func() { err = db.removeStaging(staging, err) }()
	c := &compaction{db: db, path: filepath.Join(staging, FileName)}
	if c.to, c.mapped, err = openCopy(c.path); err != nil {
		return result, err
	}
	defer func() {
		if !c.replaced {
			err = errors.Join(err, c.to.Close())
		}
	}()
	if err := c.run(ctx); err != nil {
		return result, fmt.Errorf("embedded: compact: %w", err)
	}
	result.Paused, result.After = c.paused, db.Stats().FileBytes
	return result, nil
}

// removeAll is os.RemoveAll, except in tests.
var removeAll = os.RemoveAll

// removeStaging removes the temporary folder of a compaction. It returns err, the error of
// the compaction, joined with its own error. If err is nil, it only logs its own error.
func (db *DB) removeStaging(staging string, err error) error {
	removeErr := removeAll(staging)
	if err == nil && removeErr != nil {
		db.log.Warn("cannot remove the temporary folder after compacting", "folder", staging, "error", removeErr)
		return nil
	}
	return errors.Join(err, removeErr)
}

// closeInterval is the time between two checks whether the replaced file has open snapshots.
const closeInterval = 20 * time.Millisecond

type compaction struct {
	db       *DB
	path     string // path of the copy
	to       *boltFile
	mapped   int64
	replaced bool // the copy has become the file of the store
	paused   time.Duration
}

// run copies the store and replaces its file. It keeps the copied snapshot open, because
// storeCopy.catchUp requires that bbolt reuses none of the pages of this snapshot.
func (c *compaction) run(ctx context.Context) error {
	if !c.db.canHoldSnapshot() {
		return c.pauseWrites(ctx, func() error {
			return c.withSnapshot(func(snapshot *bbolt.Tx) error { return c.copy(ctx, snapshot) })
		})
	}
	return c.db.view(ctx, func(snapshot *readTx) error {
		if err := c.copy(ctx, snapshot.bolt); err != nil {
			return err
		}
		pages, err := pagesOf(snapshot.bolt)
		if err != nil {
			return err
		}
		return c.pauseWrites(ctx, func() error {
			return c.withSnapshot(func(now *bbolt.Tx) error {
				copied := &storeCopy{ctx: ctx, closing: c.db.closing, to: c.to.DB}
				return errors.Join(copied.catchUp(snapshot.bolt, now, pages), c.to.Sync())
			})
		})
	})
}

// canHoldSnapshot reports whether the mapping has room for the writes during a compaction.
// To enlarge the mapping, bbolt waits until no snapshot is open. Compact closes its
// snapshot only after copying the last write. A write that had to enlarge the mapping would
// therefore wait forever.
func (db *DB) canHoldSnapshot() bool {
	return db.Stats().FileBytes < db.mapped/4
}

// pauseWrites calls the function work while no other write runs, and then replaces the file
// of the store with the copy.
func (c *compaction) pauseWrites(ctx context.Context, work func() error) error {
	return c.db.writeAlone(ctx, func(*writeTx) ([]mutation, error) {
		began := time.Now()
		defer func() { c.paused = time.Since(began) }()
		if err := work(); err != nil {
			return nil, err
		}
		return nil, c.replace()
	})
}

// withSnapshot opens a snapshot and passes it to the function work. Only the commit
// goroutine may call it.
func (c *compaction) withSnapshot(work func(*bbolt.Tx) error) error {
	tx, err := c.db.bolt.Begin(false)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return work(tx)
}

// copy copies a snapshot, and checks the structure of the copy.
func (c *compaction) copy(ctx context.Context, snapshot *bbolt.Tx) error {
	if err := errors.Join(c.db.copyTo(ctx, c.to.DB, snapshot), c.to.Sync()); err != nil {
		return err
	}
	file, err := os.Open(c.path)
	if err != nil {
		return err
	}
	defer file.Close()
	newest, err := newestHeader(file)
	if err != nil {
		return err
	}
	var problems error
	_, err = checkStructure(file, newest, func(problem error) { problems = errors.Join(problems, problem) }, ctx.Err)
	return errors.Join(err, problems)
}

// replace replaces the file of the store with the synced copy. Only the commit goroutine
// may call it. bbolt's lock on the copy prevents other processes from opening the copy.
func (c *compaction) replace() error {
	db, old := c.db, c.db.bolt
	syncCommits(c.to.DB, db.sync)
	c.to.AllocSize = old.AllocSize
	if err := c.rename(); err != nil {
		return notWritable(db.path, err)
	}
	// Snapshots of the old file may still be open. While bbolt waits for one of them, no
	// other can end, so do not close the file before all have ended. Close waits for this
	// goroutine.
	db.workers.Go(func() {
		for old.snapshots.Load() > 0 {
			time.Sleep(closeInterval)
		}
		if err := old.Close(); err != nil {
			db.log.Error("cannot close the old data file after compacting", "error", err)
		}
	})
	if err := syncDir(filepath.Dir(db.path)); err != nil {
		// After a power failure, the folder may contain the old file, without later writes.
		db.writeErr = fmt.Errorf("embedded: %s: %w (%w)", db.path, ErrCommitUncertain, err)
		return db.writeErr
	}
	return nil
}

// rename gives the copy the path of the store. Other goroutines see the new file and the
// new db.bolt at the same moment.
func (c *compaction) rename() error {
	db := c.db
	db.publishing.Lock()
	defer db.publishing.Unlock()
	if err := os.Rename(c.path, db.path); err != nil {
		return err
	}
	c.replaced = true
	db.bolt, db.mapped = c.to, c.mapped
	return nil
}

// openCopy opens a new file for a copy of the store. The copy is synced only once, when it
// is complete.
func openCopy(path string) (to *boltFile, mapped int64, err error) {
	to, mapped, err = openBolt(path, false)
	if err == nil {
		to.AllocSize = 0 // do not reserve space for later pages
	}
	return to, mapped, err
}
