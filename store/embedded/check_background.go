package embedded

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Speed of a check in the background. After every turnBytes bytes, the check sleeps
// restFactor times as long as reading the bytes took, but at most longestNap.
const (
	turnBytes  = 256 << 10
	restFactor = 3
	longestNap = 500 * time.Millisecond
)

// maxProblems is the number of problems that a CheckResult lists.
const maxProblems = 20

// CheckResult is the result of a check of the whole store.
type CheckResult struct {
	Began, Ended time.Time
	Problems     int
	First        []string // the first problems, at most 20
	Err          error    // why the check itself failed
}

// CheckStatus describes the checks since the store was opened.
type CheckStatus struct {
	Last *CheckResult // nil before the end of the first check
	Next time.Time    // when the next check in the background begins; zero if none is planned

	// The check in the background that is running now.
	Running bool
	Began   time.Time
	Percent int // approximate progress, from 0 to 99
}

// checks contains the current CheckStatus, and what is needed to compute it.
type checks struct {
	lock   sync.Mutex
	status CheckStatus
	done   int64 // bytes that the running check has read
}

// CheckStatus returns the status of the checks of the store.
func (db *DB) CheckStatus() CheckStatus {
	db.checks.lock.Lock()
	defer db.checks.lock.Unlock()
	status := db.checks.status
	// A check reads most pages twice: for their structure and for their values.
	if size := 2 * db.Stats().FileBytes; status.Running && size > 0 {
		status.Percent = int(min(db.checks.done*100/size, 99))
	}
	return status
}

// CheckInBackground checks the store repeatedly until the store is closed. The argument
// after is the time before the first check, and the argument every is the pause between two
// checks. A check uses at most about a quarter of one processor. Problems are logged. Call
// CheckInBackground at most once. After Close, it does nothing.
func (db *DB) CheckInBackground(after, every time.Duration) {
	if db.isClosing() {
		return
	}
	db.plan(after)
	_ = db.startWorker(func() { // the only error is ErrClosed
		for wait := after; ; wait = every {
			select {
			case <-db.closing:
				return
			case <-time.After(wait):
			}
			db.checkSlowly()
			db.plan(every)
		}
	})
}

func (db *DB) plan(wait time.Duration) {
	db.checks.lock.Lock()
	defer db.checks.lock.Unlock()
	db.checks.status.Next = db.clock().Add(wait)
}

func (db *DB) checkSlowly() {
	db.checks.lock.Lock()
	db.checks.status.Running, db.checks.status.Began, db.checks.done = true, db.clock(), 0
	db.checks.lock.Unlock()
	defer func() {
		db.checks.lock.Lock()
		defer db.checks.lock.Unlock()
		db.checks.status.Running = false
	}()
	turn, began := 0, time.Now()
	err := db.checkAndRecord(context.Background(), func(problem string) {
		db.log.Error("the check of the embedded store found a problem: run 'stockroom check', then restore a backup", "problem", problem)
	}, func(bytes int) {
		if turn += bytes; turn < turnBytes {
			return
		}
		db.checks.lock.Lock()
		db.checks.done += int64(turn)
		db.checks.lock.Unlock()
		time.Sleep(min(restFactor*time.Since(began), longestNap))
		turn, began = 0, time.Now()
	})
	if err != nil && !errors.Is(err, ErrClosed) {
		db.log.Error("the check of the embedded store failed", "error", err)
	}
}

// checkAndRecord checks the store, and saves the result for CheckStatus. An interrupted
// check has no result.
func (db *DB) checkAndRecord(ctx context.Context, report func(problem string), pace func(bytes int)) error {
	result := CheckResult{Began: db.clock()}
	err := db.check(ctx, &checker{pace: pace, report: func(problem string) {
		if result.Problems++; result.Problems <= maxProblems {
			result.First = append(result.First, problem)
		}
		report(problem)
	}})
	if errors.Is(err, ErrClosed) || errors.Is(err, context.Canceled) {
		return err
	}
	result.Ended, result.Err = db.clock(), err
	db.checks.lock.Lock()
	defer db.checks.lock.Unlock()
	db.checks.status.Last = &result
	return err
}
