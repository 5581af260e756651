package embedded

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// One goroutine writes. It takes all requests that wait, stages each against
// what the ones before it left, and commits them as one transaction of the
// file: one sync for all. Only then are they answered, also those that were
// refused, since what refused them may have been written a moment before.
//
// Each request is for itself nevertheless: it is staged by reading only, and
// its mutations are made when all its conditions hold. So a refused request
// leaves nothing behind, and the others go on.
const (
	// batchMost bounds what one transaction of the file holds, in requests
	// and in bytes, and so how long one waits for the others.
	batchMost  = 256
	batchBytes = 32 << 20

	// patience is the part of the last commit's time that the next one waits
	// for those who were just answered, if fewer wait than were then. Without
	// it batches of a few and of nearly everyone alternate.
	patience = 8
)

// request is a write on its way to the committing goroutine.
type request struct {
	stage func(*writeTx) ([]mutation, error)
	alone bool // commits by itself: it changes definitions or moves a lot
	bytes int  // about what it writes

	state atomic.Int32
	done  chan error
}

// The states of a request: it is given up by its caller or taken by the
// committing goroutine, whichever is first. Once taken it is answered.
const (
	requestWaits int32 = iota
	requestTaken
	requestGivenUp
)

// mutation is one put, or with a nil value one delete, in a keyspace.
type mutation struct {
	space      *keyspace
	key, value []byte
	count      int // what it adds to the keyspace's totals
	bytes      int
}

// write has stage run and its mutations committed. It returns when they are on
// disk, or none of them is, but in the one case of ErrUnsure. Giving up by ctx
// is possible until the request is taken.
func (db *DB) write(ctx context.Context, bytes int, stage func(*writeTx) ([]mutation, error)) error {
	return db.submit(ctx, &request{stage: stage, bytes: bytes, done: make(chan error, 1)})
}

// writeAlone is write in a transaction that no other request shares; stage may
// change what mutations cannot express, as an error undoes it all.
func (db *DB) writeAlone(ctx context.Context, stage func(*writeTx) ([]mutation, error)) error {
	return db.submit(ctx, &request{stage: stage, alone: true, done: make(chan error, 1)})
}

func (db *DB) submit(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-db.closing:
		return ErrClosed
	default:
	}
	select {
	case db.requests <- r:
	case <-ctx.Done():
		return ctx.Err()
	case <-db.closing:
		return ErrClosed
	}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
	case <-db.stopped:
	}
	if r.state.CompareAndSwap(requestWaits, requestGivenUp) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ErrClosed
	}
	return <-r.done
}

// commitUntilClosed is the committing goroutine.
func (db *DB) commitUntilClosed() {
	defer close(db.stopped)
	var held *request // taken from the queue, but not for the last batch
	var took time.Duration
	writers := 0 // who were answered last, or waited meanwhile
	batch := make([]*request, 0, batchMost)
	for {
		first := held
		held = nil
		if first == nil {
			select {
			case first = <-db.requests:
			case <-db.closing:
				return
			}
		}
		batch = append(batch[:0], first)
		if !first.alone {
			batch, held = db.gather(batch, writers, took/patience)
		}
		began := time.Now()
		writers = db.commit(batch)
		took = time.Since(began)
	}
}

// gather adds to a batch what waits, and for a while what is expected; held is
// a request that must be alone.
func (db *DB) gather(batch []*request, expected int, wait time.Duration) (_ []*request, held *request) {
	bytes := batch[0].bytes
	for began := time.Now(); ; {
		select {
		case r := <-db.requests:
			if r.alone {
				return batch, r
			}
			batch = append(batch, r)
			bytes += r.bytes
			if len(batch) == batchMost || bytes >= batchBytes {
				return batch, nil
			}
		default:
			if len(batch) >= expected || time.Since(began) > wait {
				return batch, nil
			}
			runtime.Gosched()
		}
	}
}

// commit commits and answers a batch. It returns how many requests there were,
// with those that came in the meantime.
func (db *DB) commit(batch []*request) (writers int) {
	taken := make([]*request, 0, len(batch))
	for _, r := range batch {
		if r.state.CompareAndSwap(requestWaits, requestTaken) {
			taken = append(taken, r)
		}
	}
	if len(taken) == 0 {
		return 0
	}
	answers := make([]error, len(taken))
	err := guarded(db.path, func() error { return db.commitTaken(taken, answers) })
	writers = len(taken) + len(db.requests)
	for i, r := range taken {
		if err != nil {
			r.done <- err
		} else {
			r.done <- answers[i]
		}
	}
	return writers
}

// commitTaken fills in what each request is to be answered. Its own error
// goes to all of them: nothing of the batch was written.
func (db *DB) commitTaken(taken []*request, answers []error) error {
	if db.unwritable != nil {
		return db.unwritable
	}
	tx, err := db.bolt.Begin(true)
	if err != nil {
		return writeFailed(err)
	}
	// Neither a panic nor an early return may leave the lock with tx.
	defer func() {
		if tx.DB() != nil {
			_ = tx.Rollback()
		}
	}()
	w := &writeTx{db: db, bolt: tx, catalog: db.catalog.Load(), now: db.clock()}
	for i, r := range taken {
		var mutations []mutation
		answers[i] = guarded(db.path, func() error {
			var err error
			mutations, err = r.stage(w)
			return err
		})
		if answers[i] != nil && r.alone {
			return answers[i]
		}
		if answers[i] != nil {
			continue
		}
		if err := w.apply(mutations); err != nil {
			return err
		}
	}
	if !w.changed {
		return nil
	}
	if err := w.saveTotals(); err != nil {
		return err
	}
	return db.finish(w)
}

// finish commits, and publishes the definitions if they have changed.
func (db *DB) finish(w *writeTx) error {
	if w.catalog != db.catalog.Load() {
		db.publishing.Lock()
		defer db.publishing.Unlock()
	}
	id := w.bolt.ID()
	if err := guarded(db.path, w.bolt.Commit); err != nil {
		return db.commitFailed(id, err)
	}
	db.catalog.Store(w.catalog)
	return nil
}

// ErrUnsure is wrapped by the answers to writes after a sync failed when the
// file's header was already written: whether that last transaction is on disk
// is known only when the file is opened again. Reads go on.
var ErrUnsure = errors.New("the disk failed to confirm a write; writing stops until the store is opened again")

// commitFailed looks whether a failed commit got as far as the header. If not,
// nothing of it can be seen and writing goes on, as when the disk was full. It
// does not go on in a file whose structure is damaged.
func (db *DB) commitFailed(id int, cause error) error {
	seen := id
	err := db.bolt.View(func(tx *bbolt.Tx) error {
		seen = tx.ID()
		return nil
	})
	switch {
	case errors.Is(cause, ErrDamaged):
		db.unwritable = cause
	case err != nil || seen >= id:
		db.unwritable = fmt.Errorf("embedded: %s: %w (%w)", db.path, ErrUnsure, cause)
	default:
		return writeFailed(cause)
	}
	return db.unwritable
}

func writeFailed(err error) error {
	if errors.Is(err, bolterrors.ErrDatabaseNotOpen) {
		return ErrClosed
	}
	return fmt.Errorf("embedded: the write was not made: %w", err)
}
