package embedded

import (
	"context"
	"errors"
	"sync"
	"time"
)

// CompactStatus describes compaction since the store was opened.
type CompactStatus struct {
	Running bool
	Ended   time.Time // end of the last compaction; zero before the first one
	Result  CompactResult
	Err     error // why the last compaction failed
}

type compactions struct {
	running sync.Mutex // held by Compact

	lock   sync.Mutex
	status CompactStatus
}

// CompactStatus returns whether the store is being compacted, and the result of the last
// compaction.
func (db *DB) CompactStatus() CompactStatus {
	db.compactions.lock.Lock()
	defer db.compactions.lock.Unlock()
	return db.compactions.status
}

// CompactInBackground starts Compact in a goroutine. Close stops it, and CompactStatus
// returns the result. CompactInBackground returns ErrCompacting if Compact is already
// running, or ErrClosed.
func (db *DB) CompactInBackground() error {
	end, err := db.beginCompaction()
	if err != nil {
		return err
	}
	err = db.startWorker(func() {
		result, err := db.compact(context.Background())
		end(result, err)
		if errors.Is(err, ErrClosed) {
			db.log.Info("the compaction of the embedded store was stopped, because the store was closed")
			return
		}
		if err != nil {
			db.log.Error("cannot compact the embedded store", "error", err)
			return
		}
		db.log.Info("compacted the embedded store", "before", result.Before, "after", result.After, "writes waited", result.Paused)
	})
	if err != nil {
		end(CompactResult{}, err)
	}
	return err
}

// beginCompaction records the start of a compaction, and returns the function that records
// its end. It returns ErrCompacting if another one is running, or ErrClosed.
func (db *DB) beginCompaction() (end func(CompactResult, error), err error) {
	if db.isClosing() {
		return nil, ErrClosed
	}
	c := &db.compactions
	if !c.running.TryLock() {
		return nil, ErrCompacting
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.status.Running = true
	return func(result CompactResult, err error) {
		c.lock.Lock()
		defer c.lock.Unlock()
		c.status = CompactStatus{Ended: db.clock(), Result: result, Err: err}
		c.running.Unlock()
	}, nil
}
