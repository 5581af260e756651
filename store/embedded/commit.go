package embedded

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// Writes are committed in groups. One goroutine takes all queued requests and stages
// each of them: it checks the conditions of the request and computes its mutations.
// Each request sees the mutations of earlier requests in the group. The goroutine
// then commits the group in one bbolt transaction with one sync, and answers all
// requests. Failed requests also wait for the commit, because another write in the
// group may have caused their failure.
//
// Staging only reads. The mutations of a request are applied when all its conditions
// hold. A failed request therefore has no effect, and the other requests continue. A
// request that needs a transaction of its own is an exception: see writeAlone.
const (
	// Limits of a group, so that a request does not wait long for other requests.
	maxGroupRequests = 256
	maxGroupBytes    = 32 << 20

	// The commit goroutine delays a group until it has as many requests as the last group,
	// including those that arrived during its commit. The delay is at most 1/lingerFraction
	// of the duration of that commit. Without this delay, small groups would alternate with
	// large ones.
	lingerFraction = 8

	// largeFillPercent is the part of a page that is full after a bulk request splits it.
	// Later transactions insert more keys, so fuller pages would soon be split again.
	// Emptier pages would make the file larger.
	largeFillPercent = 0.7

	// longWait is the shortest remaining time for which gather sleeps. If less remains,
	// gather polls.
	longWait = 2 * time.Millisecond
)

// request is a write in the queue of the commit goroutine.
type request struct {
	stage func(*writeTx) ([]mutation, error)
	alone bool // the request needs a transaction of its own
	bulk  bool // the request writes many new items
	quiet bool // the request does not count in Changes
	bytes int  // approximate number of bytes that the request writes

	state atomic.Int32
	done  chan error
}

// States of a request. The caller can withdraw a request until the commit goroutine accepts
// it. An accepted request always gets an answer.
const (
	requestQueued int32 = iota
	requestAccepted
	requestAbandoned
)

// mutation is a put of a key in a keyspace, or a delete if value is nil. The keys of stream
// records are set later, by numberRecords.
type mutation struct {
	space      *keyspace
	key, value []byte
	count      int // change of the number of items in the keyspace
	bytes      int
}

// write calls the function stage and commits the mutations that it returns. After
// ErrCommitUncertain, it is unknown whether the mutations are on disk. After any other
// error, none of them is. The context can cancel the request until it is accepted.
func (db *DB) write(ctx context.Context, bytes int, stage func(*writeTx) ([]mutation, error)) error {
	return db.submit(ctx, &request{stage: stage, bytes: bytes, done: make(chan error, 1)})
}

// writeAlone is like write, but the transaction contains no other requests. An error
// rolls back the transaction, so stage may write to the file directly.
func (db *DB) writeAlone(ctx context.Context, stage func(*writeTx) ([]mutation, error)) error {
	return db.submit(ctx, &request{stage: stage, alone: true, done: make(chan error, 1)})
}

func (db *DB) submit(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return &canceledError{err}
	}
	r.quiet = !isCounted(ctx)
	if db.isClosing() {
		return ErrClosed
	}
	select {
	case db.requests <- r:
	case <-ctx.Done():
		return &canceledError{ctx.Err()}
	case <-db.closing:
		return ErrClosed
	}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
	case <-db.stopped:
	}
	if r.state.CompareAndSwap(requestQueued, requestAbandoned) {
		if err := ctx.Err(); err != nil {
			return &canceledError{err}
		}
		return ErrClosed
	}
	return <-r.done
}

func (db *DB) commitLoop() {
	defer close(db.stopped)
	var deferred *request // a request for the next group
	var elapsed time.Duration
	writers := 0 // number of requests that the last runGroup answered, plus those that arrived meanwhile
	group := make([]*request, 0, maxGroupRequests)
	for {
		first := deferred
		deferred = nil
		if first == nil {
			select {
			case first = <-db.requests:
			case <-db.closing:
				return
			}
		}
		group = append(group[:0], first)
		if !first.alone {
			group, deferred = db.gather(group, writers, elapsed/lingerFraction)
		}
		start := time.Now()
		writers = db.runGroup(group)
		elapsed = time.Since(start)
		db.reopenIfDue()
	}
}

// gather adds queued requests to a group. It waits until the group has the expected
// number of requests, but at most for the duration in the argument wait. It also stops at
// maxGroupRequests and maxGroupBytes. If a request needs its own transaction, gather ends the
// group and returns this request in the result deferred.
func (db *DB) gather(group []*request, expected int, wait time.Duration) (_ []*request, deferred *request) {
	bytes := group[0].bytes
	for start := time.Now(); ; {
		select {
		case r := <-db.requests:
			if r.alone {
				return group, r
			}
			group = append(group, r)
			bytes += r.bytes
			if len(group) == maxGroupRequests || bytes >= maxGroupBytes {
				return group, nil
			}
		default:
			rest := wait - time.Since(start)
			if len(group) >= expected || rest <= 0 {
				return group, nil
			}
			if rest < longWait {
				runtime.Gosched()
				continue
			}
			// Sleeping is less precise, but leaves the processor to the writers.
			time.Sleep(longWait / 2)
		}
	}
}

// runGroup commits a group and answers its requests. It returns how many requests it
// answered, plus those that were queued during the commit.
func (db *DB) runGroup(group []*request) (writers int) {
	accepted := make([]*request, 0, len(group))
	for _, r := range group {
		if r.state.CompareAndSwap(requestQueued, requestAccepted) {
			accepted = append(accepted, r)
		}
	}
	if len(accepted) == 0 {
		return 0
	}
	results := make([]error, len(accepted))
	err := recoverFault(db.path, func() error { return db.commitGroup(accepted, results) })
	writers = len(accepted) + len(db.requests)
	for i, r := range accepted {
		if err != nil {
			r.done <- err
		} else {
			r.done <- results[i]
		}
	}
	return writers
}

// commitGroup stages and commits accepted requests, and sets their results. If it
// returns an error, that error is the result of all requests. After any error except
// ErrCommitUncertain, nothing is written.
func (db *DB) commitGroup(accepted []*request, results []error) error {
	if db.writeErr != nil {
		return db.writeErr
	}
	tx, err := db.bolt.Begin(true)
	if err != nil {
		return writeFailed(err)
	}
	// Roll back even after a panic, to release bbolt's lock.
	defer func() {
		if tx.DB() != nil {
			_ = tx.Rollback()
		}
	}()
	if err := guardBuckets(tx); err != nil {
		return err
	}
	w := &writeTx{db: db, bolt: tx, catalog: db.catalog.Load(), now: db.clock()}
	for i, r := range accepted {
		var mutations []mutation
		results[i] = recoverFault(db.path, func() error {
			var err error
			mutations, err = r.stage(w)
			return err
		})
		if results[i] != nil && r.alone {
			return results[i]
		}
		if results[i] != nil {
			continue
		}
		numbers := maps.Clone(w.numbers)
		results[i] = recoverFault(db.path, func() error {
			if err := w.numberRecords(mutations); err != nil {
				return err
			}
			if r.bulk {
				sortMutations(mutations)
				w.fill = largeFillPercent
			}
			return w.guardAll(mutations)
		})
		if results[i] != nil && r.alone {
			return results[i]
		}
		if results[i] != nil {
			w.numbers = numbers
			continue
		}
		if err := w.apply(mutations); err != nil {
			return err
		}
		w.counted = w.counted || !r.quiet
	}
	if !w.changed {
		return nil
	}
	if err := w.saveTotals(); err != nil {
		return err
	}
	return db.commitAndPublish(w)
}

// commitAndPublish commits the transaction. It then publishes the table definitions
// that the transaction changed.
func (db *DB) commitAndPublish(w *writeTx) error {
	if w.catalog != db.catalog.Load() {
		db.publishing.Lock()
		defer db.publishing.Unlock()
	}
	id, began := w.bolt.ID(), time.Now()
	err := recoverFault(db.path, w.bolt.Commit)
	if w.counted {
		db.changes.Add(1) // also after an error, because the outcome can be uncertain
	}
	if err != nil {
		return db.commitFailed(id, err)
	}
	db.commits.Add(1)
	db.bolt.count(w.bolt, id)
	db.committing.Add(int64(time.Since(began)))
	db.catalog.Store(w.catalog)
	return nil
}

// commitFailed returns the error for a failed commit. If the commit failed before it
// wrote the header, for example because the disk is full, later writes may succeed.
// Otherwise, or if the file is damaged, commitFailed makes all later writes fail.
func (db *DB) commitFailed(id int, cause error) error {
	seen := id
	err := db.bolt.View(func(tx *bbolt.Tx) error {
		seen = tx.ID()
		return nil
	})
	switch {
	case errors.Is(cause, ErrDamaged):
		db.writeErr = cause
	case err != nil || seen >= id:
		db.writeErr = fmt.Errorf("embedded: %s: %w (%w)", db.path, ErrCommitUncertain, cause)
	default:
		return writeFailed(cause)
	}
	return db.writeErr
}

func writeFailed(err error) error {
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("embedded: write failed: %w: %w", ErrDiskFull, err)
	}
	return fmt.Errorf("embedded: write failed: %w", err)
}
