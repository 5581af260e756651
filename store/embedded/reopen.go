package embedded

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
)

// reopenAfter limits the memory of bbolt. For each allocation from the list of free pages,
// bbolt keeps an entry of about 25 bytes in a map until the pages are free again. The
// entries of pages that stay in use remain until the file is closed. The engine therefore
// reopens the file after reopenAfter allocations: the map then has at most this many
// entries, which take less than 20 MB. The map never has more entries than the file has
// pages, so the engine reopens only files of at least 2 GB.
var reopenAfter int64 = 1 << 19

const (
	// If the file cannot be reopened now, the engine tries again after
	// reopenAfter/reopenRetry further allocations.
	reopenRetry = 8

	// reopenWait is how long reopen waits at most for open snapshots to end. New snapshots
	// have to wait for reopen.
	reopenWait = 10 * time.Millisecond
)

// count counts the allocations of a committed transaction. Spill is the number of nodes for
// which bbolt has allocated pages. The list of free pages also needs pages, but each commit
// frees those of the previous one.
func (b *boltFile) count(tx *bbolt.Tx, id int) {
	stats := tx.Stats()
	b.allocated += stats.GetSpill()
	b.last = uint64(id)
}

// reopenIfDue reopens the file if bbolt's map may have reopenAfter entries. Only the commit
// goroutine may call it, between two transactions.
func (db *DB) reopenIfDue() {
	bolt := db.bolt
	if bolt.allocated < reopenAfter+bolt.postponed || db.writeErr != nil {
		return
	}
	bolt.postponed = bolt.allocated - reopenAfter + reopenAfter/reopenRetry
	if db.Stats().FileBytes < reopenAfter*pageSize {
		return
	}
	began := time.Now()
	reopened, err := db.reopen()
	switch {
	case err != nil:
		db.log.Error("cannot reopen the data file to free memory", "error", err)
	case reopened:
		db.log.Debug("reopened the data file to free memory", "allocations", bolt.allocated, "writes waited", time.Since(began))
	}
}

// reopen opens the file a second time, and then closes the first bbolt.DB. The second one
// does not know which pages are used by snapshots of the first one, so reopen does nothing
// if a snapshot is open for longer than reopenWait, such as that of a backup.
func (db *DB) reopen() (reopened bool, err error) {
	db.publishing.Lock()
	defer db.publishing.Unlock()
	for began := time.Now(); db.bolt.snapshots.Load() > 0; time.Sleep(reopenWait / 100) {
		if time.Since(began) > reopenWait {
			return false, nil
		}
	}
	old := db.bolt
	if err := old.checkReopen(); err != nil {
		return false, err
	}
	handle, err := duplicate(old.file, db.mapped)
	if errors.Is(err, errors.ErrUnsupported) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	to, _, err := tryOpen(db.path, db.sync, db.mapped, func(string, int, os.FileMode) (*os.File, error) { return handle, nil })
	if err != nil {
		// bbolt has released the lock, which both handles share.
		db.writeErr = fmt.Errorf("embedded: %s: %w (%w)", db.path, ErrNotReopened, err)
		return false, db.writeErr
	}
	db.bolt = to
	// Unmapping a large file takes a while, so do not wait for it. Close waits for this
	// goroutine.
	db.workers.Go(func() {
		if err := old.closeLocked(); err != nil {
			db.log.Error("cannot close the data file after reopening it", "error", err)
		}
	})
	return true, nil
}

// checkReopen checks what bbolt reads without verification when it opens the file. If this
// data is damaged on disk, the file must not be reopened, because the open bbolt.DB still
// has the undamaged data in memory.
func (b *boltFile) checkReopen() error {
	newest, err := newestHeader(b.file)
	if err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	if newest.transaction != b.last {
		return damagedPage(b.last%2, "it is not the header of the last transaction")
	}
	return checkFreelist(b.file, newest)
}

// closeLocked closes bbolt, but keeps the lock on the file, which another handle shares. It
// closes the handle first, so bbolt cannot release the lock and gets EBADF.
func (b *boltFile) closeLocked() error {
	err := b.file.Close()
	if closeErr := b.Close(); !errors.Is(closeErr, syscall.EBADF) {
		err = errors.Join(err, closeErr)
	}
	return err
}
