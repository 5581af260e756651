package jobs

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/table"
)

// notifying is a notice that is about to be queued.
type notifying struct {
	kind      store.EmailKind
	recipient string // the value of Notice.Recipient
	read      func(context.Context) (*store.Notice, error)
}

// passNotices queues the notices to renters whose rentals are in the shard. In the first
// shard, it also queues the notices to managers and to owners of saved views. left is the
// number of notices that could not be queued.
func (w *shardRun) passNotices(ctx context.Context) (left int, err error) {
	var from, next store.Item
	for {
		var renters []store.DueRenter
		err := retry(ctx, func() (err error) {
			renters, next, err = w.Store.RentersInShard(ctx, w.context.Date, w.context.Shard, pageSize, from)
			return err
		})
		if err != nil {
			return left, err
		}
		var page []notifying
		for _, renter := range renters {
			if renter.Err != nil {
				w.Log.Warn("cannot read a rental", "job", string(w.context.Job), "error", renter.Err)
				left++
				continue
			}
			page = append(page, notifying{store.EmailRentalNotice, renter.ID, func(ctx context.Context) (*store.Notice, error) {
				return w.Store.RentalNotice(ctx, renter.ID, w.context.Date)
			}})
		}
		failed, err := w.notifyAll(ctx, page)
		if left += failed; err != nil {
			return left, err
		}
		if next == nil {
			break
		}
		from = next
	}
	if w.context.Shard > 0 {
		return left, nil
	}
	for _, pass := range []func(context.Context) (int, error){w.notifyManagers, w.notifyOwners} {
		failed, err := pass(ctx)
		if left += failed; err != nil {
			return left, err
		}
	}
	return left, nil
}

func (w *shardRun) notifyOwners(ctx context.Context) (left int, err error) {
	if w.ViewIsEmpty == nil {
		return 0, nil
	}
	var views []store.SavedView
	err = retry(ctx, func() (err error) {
		views, err = w.Store.ViewsToEmail(ctx, w.context.Date)
		return err
	})
	if err != nil {
		return 0, err
	}
	all := make([]notifying, len(views))
	for i := range views {
		v := &views[i]
		all[i] = notifying{store.EmailSavedView, v.NoticeRecipient(), func(ctx context.Context) (*store.Notice, error) {
			return w.Store.ViewNotice(ctx, v.Owner, v.ID, w.context.Date, func(user *store.User, path string) (bool, error) { return w.ViewIsEmpty(ctx, user, path) })
		}}
	}
	return w.notifyAll(ctx, all)
}

func (w *shardRun) notifyManagers(ctx context.Context) (left int, err error) {
	var managers []store.User
	err = retry(ctx, func() (err error) {
		managers, err = w.Store.ManagersToNotify(ctx)
		return err
	})
	if err != nil {
		return 0, err
	}
	all := make([]notifying, len(managers))
	for i := range managers {
		name := managers[i].Name
		all[i] = notifying{store.EmailManagerNotice, name, func(ctx context.Context) (*store.Notice, error) {
			return w.Store.ManagerNotice(ctx, name, w.context.Date)
		}}
	}
	return w.notifyAll(ctx, all)
}

// notifyAll queues notices in parallel. If a notice fails, notifyAll stores the reason. It
// returns an error only if the run is stopping.
func (w *shardRun) notifyAll(ctx context.Context, all []notifying) (left int, err error) {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(w.Workers)
	var mu sync.Mutex
	for _, n := range all {
		if err := w.limiter.wait(groupCtx); err != nil {
			break
		}
		group.Go(func() error {
			err := table.Recovering(func() error { return w.notify(groupCtx, n) })()
			if err == nil || groupCtx.Err() != nil {
				return groupCtx.Err()
			}
			w.Log.Warn("notice not queued", "kind", string(n.kind), "recipient", n.recipient, "error", store.MaskCardNumbers(err.Error()))
			if err := w.Store.RecordNoticeFailure(groupCtx, n.kind, n.recipient, failureReason(err), w.context); err != nil {
				w.Log.Warn("cannot record a failure", "recipient", n.recipient, "error", err)
			}
			mu.Lock()
			defer mu.Unlock()
			left++
			return groupCtx.Err()
		})
	}
	err = group.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return left, err
}

// notify queues one notice. It does nothing if the notice is already in the outbox, or if
// it would be empty. If a record in the notice changes meanwhile, notify reads all records
// of the notice again.
func (w *shardRun) notify(ctx context.Context, n notifying) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	queued, err := w.Store.NoticeQueued(ctx, n.kind, n.recipient, w.context.Date)
	if err != nil || queued {
		return err
	}
	for try := range maxAttempts {
		if try > 0 {
			if err := sleep(ctx, w.PassPause); err != nil { // indexes are updated with a delay, so wait before reading again
				return err
			}
		}
		notice, err := n.read(ctx)
		if err != nil || notice.IsEmpty() {
			return err
		}
		err = w.Store.QueueNotice(ctx, notice, w.context)
		if store.KindOf(err) == store.Conflict {
			continue
		}
		w.observe(err)
		return err
	}
	w.observe(errContended)
	return errContended
}

// observe counts the outcome of a notice.
func (w *shardRun) observe(err error) {
	if w.Observe == nil {
		return
	}
	outcome := store.OutcomeQueued
	if err != nil {
		outcome = store.OutcomeFailed
	}
	w.Observe(w.context.Job, outcome)
}
