package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
)

const (
	bulkPage    = 25 // number of rows between two saves of the progress
	bulkWorkers = 8  // number of rows changed in parallel
)

// StartBulkChange continues a bulk change in the background. It lists the rows of the
// preview or, after a user has confirmed them, changes their records.
func (r *Runner) StartBulkChange(id string) {
	r.background.Go(func() {
		if err := r.RunBulkChange(r.ctx, id); err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, store.ErrLeased) {
			r.Log.Error("bulk change failed", "id", id, "error", err)
		}
	})
}

// RunBulkChange is like StartBulkChange, but returns when the work has ended. It returns
// ErrLeased if another runner is working on the change. A change that ends early has the
// state BulkStopped and can be continued.
func (r *Runner) RunBulkChange(ctx context.Context, id string) error {
	ctx = store.WithCostJob(ctx, store.CostBulk)
	b := &bulkRun{Runner: r}
	err := retry(ctx, func() (err error) {
		b.BulkRun, err = r.Store.LeaseBulkChange(ctx, id, r.id+"/"+r.Store.NewToken(), b.lease())
		return err
	})
	if err != nil {
		return err
	}
	work := b.change
	if b.State == store.BulkListing {
		work = b.list
	}
	err = b.release(ctx, work(ctx))
	if b.Kind.SendsEmails() && b.Changed > 0 {
		r.StartDelivery()
	}
	return err
}

type bulkRun struct {
	*Runner
	*store.BulkRun
}

// lease returns the time at which a lease ends if it is extended now.
func (b *bulkRun) lease() time.Time { return b.Runner.Store.Now().Add(b.HeartbeatTimeout) }

// errStopped means that a user has stopped the change.
var errStopped = errors.New("stopped by the user")

func (b *bulkRun) list(ctx context.Context) error {
	if err := retry(ctx, func() error { return b.Authorize(ctx) }); err != nil {
		return err
	}
	for more := true; more; {
		if b.Stop {
			return errStopped
		}
		err := retry(ctx, func() (err error) {
			more, err = b.List(ctx, b.lease())
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// change changes the records page by page, so that memory use does not depend on
// their number. It skips rows that an earlier run has changed.
func (b *bulkRun) change(ctx context.Context) error {
	b.Recount()
	var from store.Item
	for {
		var rows []store.BulkRow
		var next store.Item
		err := retry(ctx, func() (err error) {
			rows, next, err = b.ReadRows(ctx, bulkPage, from)
			return err
		})
		if err != nil {
			return err
		}
		worked, err := b.page(ctx, rows)
		if err != nil {
			return err
		}
		if next == nil {
			return nil
		}
		if worked {
			if err := retry(ctx, func() error { return b.Save(ctx, store.BulkRunning, b.lease()) }); err != nil {
				return err
			}
			if b.Stop {
				return errStopped
			}
		}
		from = next
	}
}

// page changes the records of the rows that are not done, in parallel. It first checks that
// the user still has the permission. worked is false if there were no such rows.
func (b *bulkRun) page(ctx context.Context, rows []store.BulkRow) (worked bool, err error) {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(bulkWorkers)
	var mu sync.Mutex
	for i := range rows {
		row := &rows[i]
		if row.Outcome != store.BulkToDo {
			mu.Lock()
			b.Count(row.Outcome)
			mu.Unlock()
			continue
		}
		if !worked {
			if err := retry(ctx, func() error { return b.Authorize(ctx) }); err != nil {
				return false, err
			}
			worked = true
		}
		group.Go(func() error {
			var outcome store.BulkOutcome
			err := retry(groupCtx, func() (err error) {
				outcome, err = b.Apply(groupCtx, row)
				return err
			})
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			b.Count(outcome)
			return nil
		})
	}
	return worked, group.Wait()
}

// release saves the final state and ends the lease, even if the server is stopping.
func (b *bulkRun) release(ctx context.Context, runErr error) error {
	if errors.Is(runErr, store.ErrLeased) || runErr == nil && b.State != store.BulkRunning { // listing the last rows has already ended the lease
		return runErr
	}
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	state := store.BulkDone
	switch {
	case errors.Is(runErr, errStopped):
		state, runErr = store.BulkStopped, nil
	case runErr != nil && ctx.Err() != nil:
		state, b.Problem = store.BulkStopped, "The server stopped."
	case runErr != nil:
		state, b.Problem = store.BulkStopped, failureReason(runErr)
	}
	err := retry(saving, func() error { return b.Save(saving, state, b.Runner.Store.Now()) })
	return errors.Join(runErr, err)
}
