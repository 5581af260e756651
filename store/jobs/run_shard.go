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
)

// shardRun runs one shard of a day's run.
type shardRun struct {
	*Runner
	limiter *rateLimiter
	started func() // called when the shard is claimed and its counts are stored
	context store.RunContext

	mu   sync.Mutex
	run  store.JobRun
	stop context.CancelFunc // ends the work when another runner has the shard
}

// execute claims the shard, processes it and releases it.
func (w *shardRun) execute(ctx context.Context) (store.JobCounts, error) {
	if err := w.claim(ctx); err != nil {
		return store.JobCounts{}, err
	}
	if err := w.countDue(ctx); err != nil {
		return w.release(ctx, 0, err)
	}
	w.started()
	working, stop := context.WithCancel(ctx)
	w.stop = stop
	var heartbeats sync.WaitGroup
	heartbeats.Go(func() { w.sendHeartbeats(working) })
	left, err := w.processAll(working)
	stop()
	heartbeats.Wait()
	return w.release(ctx, left, err)
}

// claim makes this runner the owner of the shard, or returns store.ErrLeased.
func (w *shardRun) claim(ctx context.Context) error {
	d := w.context
	run := store.JobRun{
		Job:   d.Job,
		Date:  d.Date,
		Shard: d.Shard,
		By:    cmp.Or(d.By, store.Program),
		Owner: w.id,
		Until: w.Store.Now().Add(w.HeartbeatTimeout),
	}
	claimed, err := w.Store.LeaseShard(ctx, run)
	for attempt := 1; store.IsTransient(err) && attempt < maxAttempts; attempt++ {
		claimed, err = w.Store.LeaseShard(ctx, run)
	}
	if err != nil {
		return err
	}
	w.run = *claimed
	return nil
}

// countDue counts what earlier runs did and what is due, and saves the counts
// at once, so that the page of the run shows them before the first heartbeat.
func (w *shardRun) countDue(ctx context.Context) error {
	err := retry(ctx, func() error {
		if err := w.countResults(ctx); err != nil {
			return err
		}
		due, err := w.Store.CountDueInShard(ctx, w.context.Job, w.context.Date, w.context.Shard)
		w.run.Due = w.run.Done + w.run.Declined + due
		return err
	})
	if err != nil {
		return err
	}
	return retry(ctx, func() error { return w.save(ctx, store.JobRunning, w.HeartbeatTimeout) })
}

// countResults counts the stored results of all runs of the day.
func (w *shardRun) countResults(ctx context.Context) error {
	counts, err := w.Store.CountResultsInShard(ctx, w.context.Job, w.context.Date, w.context.Shard)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.run.JobCounts = counts
	}
	return err
}

// sendHeartbeats saves the progress regularly, which keeps the shard. If another
// runner has claimed it, the work stops.
func (w *shardRun) sendHeartbeats(ctx context.Context) {
	ticker := time.NewTicker(w.HeartbeatTimeout / 5)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			err := w.save(ctx, store.JobRunning, w.HeartbeatTimeout)
			if store.KindOf(err) == store.Conflict {
				w.stop()
			}
		}
	}
}

func (w *shardRun) save(ctx context.Context, state store.JobState, hold time.Duration) error {
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
	w.run.Version = saved.Version
	return nil
}

// release saves the final state and gives up the shard. It retries until the
// heartbeat would time out anyway.
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
	err := retry(ctx, func() error { return w.countResults(ctx) })
	if err == nil {
		err = w.save(ctx, state, 0)
	}
	if store.KindOf(err) == store.Conflict {
		return store.JobCounts{}, store.ErrLeased // another runner claimed the shard
	}
	return w.run.JobCounts, errors.Join(runErr, err)
}

// processAll passes over the due subscriptions until none is left, at most
// maxPasses times. It returns the number left.
func (w *shardRun) processAll(ctx context.Context) (left int, err error) {
	for n := range maxPasses {
		if left, err = w.pass(ctx); err != nil || left == 0 {
			return left, err
		}
		if err := sleep(ctx, passPause<<n); err != nil {
			return left, err
		}
	}
	return left, nil
}

// pass processes the due subscriptions page by page, so that memory does not
// grow with their number.
func (w *shardRun) pass(ctx context.Context) (left int, err error) {
	var from store.Item
	for {
		var due []store.Subscription
		var next store.Item
		err := retry(ctx, func() (err error) {
			due, next, err = w.Store.DueInShard(ctx, w.context.Job, w.context.Date, w.context.Shard, pageSize, from)
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

func (w *shardRun) processPage(ctx context.Context, due []store.Subscription) (left int, err error) {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	var mu sync.Mutex
	for i := range due {
		if err := w.limiter.wait(groupCtx); err != nil {
			break
		}
		group.Go(func() error {
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
	if err == nil {
		err = ctx.Err()
	}
	return left, err
}

// process does what is due for one subscription. A failure is recorded. It
// returns an error only if the run is stopping.
func (w *shardRun) process(ctx context.Context, s *store.Subscription) (done bool, err error) {
	do := w.pay
	if w.context.Job == store.RemindersJob {
		do = w.remind
	}
	stepCtx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	outcome, err := do(stepCtx, s, w.context)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if err == nil {
		w.addOutcome(outcome, s)
		return true, nil
	}
	w.Log.Warn("job failed for a subscription", "job", string(w.context.Job), "subscription", s.ID, "error", store.MaskCardNumbers(err.Error()))
	if outcome == "" {
		outcome = store.OutcomeFailed
	}
	w.addOutcome(store.OutcomeFailed, s)
	if err := w.Store.RecordFailure(ctx, s, outcome, failureReason(err), w.context); err != nil {
		w.Log.Warn("cannot record a failure", "subscription", s.ID, "error", err)
	}
	return false, ctx.Err()
}

// failureReason returns an error as text for the page of the run.
func failureReason(err error) string {
	var known *store.Error
	switch {
	case errors.As(err, &known):
		return known.Message
	case errors.Is(err, context.DeadlineExceeded):
		return "timed out"
	}
	return fmt.Sprint("failed: ", err)
}

// addOutcome updates the counts that heartbeats save. At the end of the run
// they are replaced by a count of the stored results.
func (w *shardRun) addOutcome(outcome store.JobOutcome, s *store.Subscription) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch outcome {
	case store.OutcomePaid:
		w.run.Done++
		w.run.Amount = w.run.Amount.Plus(s.ChargeAmount())
	case store.OutcomeReminded:
		w.run.Done++
	case store.OutcomeDeclined, store.OutcomePaused, store.OutcomeDropped:
		w.run.Declined++
	case store.OutcomeFailed:
		w.run.Failed++
	}
}
