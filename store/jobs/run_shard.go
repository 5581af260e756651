package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/table"
)

type shardRun struct {
	*Runner
	limiter *rateLimiter
	started func() // called when this runner has claimed the shard; see RunRequest
	context store.RunContext
	groups  store.PaymentGroups

	saving sync.Mutex // held while save stores the field run
	mu     sync.Mutex
	run    store.JobRun
	before store.JobCounts    // counts of the earlier runs of this day
	stop   context.CancelFunc // stops the work if another runner claims the shard
}

// execute claims the shard, processes it and releases it. Meanwhile it sends heartbeats, so
// a step may take longer than the heartbeat timeout.
func (w *shardRun) execute(ctx context.Context) (store.JobCounts, error) {
	if err := w.claim(ctx); err != nil {
		return store.JobCounts{}, err
	}
	w.started()
	w.addTotals(ctx) // an earlier run may have been killed before it added its payments
	working, stop := context.WithCancel(ctx)
	w.stop = stop
	var heartbeats sync.WaitGroup
	heartbeats.Go(func() { w.sendHeartbeats(working) })
	w.countDue(working)
	left, err := w.processAll(working)
	w.addTotals(ctx)
	stop()
	heartbeats.Wait()
	return w.release(ctx, left, err)
}

// claim makes this runner the owner of the shard, or returns store.ErrLeased.
func (w *shardRun) claim(ctx context.Context) error {
	d := w.context
	run := store.JobRun{
		Job:     d.Job,
		Date:    d.Date,
		Shard:   d.Shard,
		Service: w.Service(d.Job),
		By:      cmp.Or(d.By, store.Program),
		Owner:   w.id + "/" + w.Store.NewToken(), // unique for each claim, because one runner can claim a shard twice at the same time
		Until:   w.Store.Now().Add(w.HeartbeatTimeout),
	}
	var claimed *store.JobRun
	err := retry(ctx, func() (err error) {
		claimed, err = w.Store.LeaseShard(ctx, run)
		return err
	})
	if err != nil {
		return err
	}
	w.run, w.before = *claimed, claimed.JobCounts
	return nil
}

// countDue counts the due subscriptions, to show the progress of the run. If counting
// fails, the run continues without the number. Notices are not counted.
func (w *shardRun) countDue(ctx context.Context) {
	if w.context.Job == store.NoticesJob {
		return
	}
	var due int
	err := retry(ctx, func() (err error) {
		due, err = w.Store.CountDueInShard(ctx, w.context.Job, w.context.Date, w.context.Shard)
		return err
	})
	if err != nil {
		w.Log.Warn("cannot count due subscriptions", "job", string(w.context.Job), "error", err)
		return
	}
	w.mu.Lock()
	w.run.Due = w.run.Done + w.run.Declined + due
	w.mu.Unlock()
	w.heartbeat(ctx)
}

func (w *shardRun) sendHeartbeats(ctx context.Context) {
	ticker := time.NewTicker(w.heartbeatInterval())
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			w.heartbeat(ctx)
		}
	}
}

// heartbeatInterval returns the interval between two heartbeats, which is also the
// timeout of each heartbeat.
func (w *shardRun) heartbeatInterval() time.Duration { return w.HeartbeatTimeout / 5 }

// heartbeat saves the progress and extends the lease of the shard. If another runner has
// claimed the shard, heartbeat stops the work. When the work ends, a heartbeat in progress
// is not cancelled, because release must know the version that the heartbeat stores.
func (w *shardRun) heartbeat(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.heartbeatInterval())
	defer cancel()
	err := w.save(ctx, store.JobRunning, w.HeartbeatTimeout)
	switch {
	case store.KindOf(err) == store.Conflict:
		w.stop()
	case err != nil:
		w.Log.Warn("cannot send a heartbeat", "job", string(w.context.Job), "error", err)
	}
}

func (w *shardRun) save(ctx context.Context, state store.JobState, hold time.Duration) error {
	w.saving.Lock()
	defer w.saving.Unlock()
	w.mu.Lock()
	run := w.run
	w.mu.Unlock()
	run.State, run.Until = state, w.Store.Now().Add(hold)
	saved, err := w.Store.SaveRun(ctx, run)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.run.Version, w.run.JobCounts = saved.Version, saved.JobCounts
	return nil
}

// release saves the final state and ends the lease. It tries this at most maxAttempts
// times, and for at most HeartbeatTimeout. It returns the counts of the run, or ErrLeased if
// another runner has claimed the shard.
func (w *shardRun) release(ctx context.Context, left int, runErr error) (store.JobCounts, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.HeartbeatTimeout)
	defer cancel()
	state := store.JobDone
	switch {
	case runErr != nil:
		state = store.JobStopped
	case left > 0:
		state = store.JobIncomplete
	}
	err := retry(ctx, func() error { return w.save(ctx, state, 0) })
	if store.KindOf(err) == store.Conflict {
		return store.JobCounts{}, store.ErrLeased // another runner has claimed the shard
	}
	return w.run.JobCounts, errors.Join(runErr, err)
}

// addTotals adds the payments of the run to the totals, even while the run stops. If this
// fails, the next run or store.FoldTotals adds them.
func (w *shardRun) addTotals(ctx context.Context) {
	if w.context.Job != store.PaymentsJob {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := retry(ctx, func() error { return w.Store.AddJobTotals(ctx, w.context.Shard) }); err != nil {
		w.Log.Warn("cannot add the payments of a run to the totals", "error", err)
	}
}

// processAll processes the due subscriptions in up to maxPasses passes. left is the
// number of subscriptions that are not done.
func (w *shardRun) processAll(ctx context.Context) (left int, err error) {
	for n := range maxPasses {
		if n > 0 {
			if err := sleep(ctx, w.PassPause<<(n-1)); err != nil {
				return left, err
			}
		}
		if left, err = w.pass(ctx); err != nil || left == 0 {
			return left, err
		}
	}
	return left, nil
}

// pass processes the due subscriptions page by page, so that memory use does not depend
// on their number. For the job NoticesJob, it queues notices instead; see passNotices.
// left is the number of failures.
func (w *shardRun) pass(ctx context.Context) (left int, err error) {
	if w.context.Job == store.NoticesJob {
		return w.passNotices(ctx)
	}
	var from store.Item
	for {
		var due []store.DueSubscription
		var next store.Item
		err := retry(ctx, func() (err error) {
			due, next, err = w.Store.DueInShard(ctx, w.context.Job, w.context.Date, w.context.Shard, max(pageSize, pagePerWorker*w.Workers), from)
			return err
		})
		if err != nil {
			return left, err
		}
		failed, err := w.processPage(ctx, due)
		if left += failed; err != nil || next == nil {
			return left, err
		}
		from = next
	}
}

// checkService returns Conflict if the payment service in the settings has changed since
// the run started. The shard must then not be processed further.
func (w *shardRun) checkService(ctx context.Context) error {
	if w.context.Job != store.PaymentsJob {
		return nil
	}
	err := retry(ctx, func() error { return w.CheckPayments(ctx) })
	if store.KindOf(err) == store.Conflict {
		return &store.Error{Kind: store.Conflict, Message: "The run stopped because somebody changed Payments in the settings. " + failureReason(err)}
	}
	return err
}

// processPage processes subscriptions in parallel. Before each one, it checks the payment
// service in the settings. If the service has changed, processPage starts no further
// subscriptions. It finishes those in progress, because a server with the new service
// cannot look up their charges.
func (w *shardRun) processPage(ctx context.Context, due []store.DueSubscription) (left int, err error) {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(w.Workers)
	begin, stop := context.WithCancel(groupCtx)
	defer stop()
	var mu sync.Mutex
	var refused error
	for i := range due {
		if err := w.limiter.wait(begin); err != nil {
			break
		}
		group.Go(func() error {
			if err := w.checkService(begin); err != nil {
				mu.Lock()
				defer mu.Unlock()
				if refused == nil {
					refused = err
				}
				stop()
				return nil
			}
			done, err := w.process(groupCtx, &due[i])
			mu.Lock()
			defer mu.Unlock()
			if !done {
				left++
			}
			return err
		})
	}
	err = group.Wait()
	return left, cmp.Or(err, ctx.Err(), refused)
}

// process charges the payment of one subscription, or queues its reminder. It records a
// failure, and returns an error only if the run is stopping.
func (w *shardRun) process(ctx context.Context, due *store.DueSubscription) (done bool, err error) {
	s := &due.Subscription
	if due.Err != nil {
		w.fail(ctx, s, store.OutcomeFailed, due.Err)
		return false, ctx.Err()
	}
	do := w.payInGroup
	if w.context.Job == store.RemindersJob {
		do = w.remind
	}
	stepCtx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	outcome, err := do(stepCtx, s, w.context)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err != nil && outcome != store.OutcomeUnknown {
		outcome = store.OutcomeFailed
	}
	if w.Observe != nil {
		w.Observe(w.context.Job, outcome)
	}
	if err == nil {
		return true, nil
	}
	w.fail(ctx, s, outcome, err)
	return false, ctx.Err()
}

// payInGroup is like pay, but can record the payment together with others in one
// transaction; see store.PaymentGroups.
func (w *shardRun) payInGroup(ctx context.Context, s *store.Subscription, d store.RunContext) (store.JobOutcome, error) {
	d.Payment = w.groups.Begin()
	defer d.Payment.End()
	return w.pay(ctx, s, d)
}

func (w *shardRun) fail(ctx context.Context, s *store.Subscription, outcome store.JobOutcome, reason error) {
	w.Log.Warn("job failed for a subscription", "job", string(w.context.Job), "subscription", s.ID, "error", store.MaskCardNumbers(reason.Error()))
	if err := w.Store.RecordFailure(ctx, s, outcome, failureReason(reason), w.context); err != nil {
		w.Log.Warn("cannot record a failure", "subscription", s.ID, "error", err)
	}
}

// failureReason returns the text of an error for the page of the run.
func failureReason(err error) string {
	var known *store.Error
	var panicked *table.PanicError
	switch {
	case errors.As(err, &known):
		return known.Message
	case errors.Is(err, context.DeadlineExceeded):
		return "timed out"
	case errors.As(err, &panicked):
		return fmt.Sprintf("failed because of a bug in Stockroom: %v", panicked.Value)
	}
	return fmt.Sprint("failed: ", err)
}
