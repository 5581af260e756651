package jobs

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
)

// Report is what a run did.
type Report struct {
	store.JobCounts
	Held int // shards that another runner is at
}

// Run runs one job for one day: what earlier runs did of it is not done again.
// It returns when everything was tried; what failed is counted, and stays to
// be done by the next run. An error means that the run itself could not go on.
func (r *Runner) Run(ctx context.Context, o Order) (Report, error) {
	if err := r.check(ctx, o); err != nil {
		return Report{}, err
	}
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return Report{}, err
	}
	speed := newPace(o.Rate)
	var held sync.WaitGroup
	held.Add(settings.ShardsRead)
	var mu sync.Mutex
	var report Report
	all, running := errgroup.WithContext(ctx)
	for n := range settings.ShardsRead {
		all.Go(func() error {
			w := &shardWork{Runner: r, pace: speed, held: sync.OnceFunc(held.Done), doing: store.Doing{Job: o.Job, Date: o.Date, Shard: n, By: o.By}}
			defer w.held()
			counts, err := w.run(running)
			mu.Lock()
			defer mu.Unlock()
			report.JobCounts = report.Plus(counts)
			if errors.Is(err, store.ErrHeld) {
				report.Held++
				return nil
			}
			return err
		})
	}
	if o.begun != nil {
		held.Wait()
		o.begun()
	}
	err = all.Wait()
	return report, err
}

// shardWork is the work on one shard of a day's run.
type shardWork struct {
	*Runner
	pace  *pace
	held  func() // says that the shard is held, or will not be
	doing store.Doing

	mu   sync.Mutex
	is   store.JobRun
	lost context.CancelFunc
}

func (w *shardWork) run(ctx context.Context) (store.JobCounts, error) {
	if err := w.hold(ctx); err != nil {
		return store.JobCounts{}, err
	}
	if err := w.survey(ctx); err != nil {
		return w.let(ctx, 0, err)
	}
	w.held()
	working, cancel := context.WithCancel(ctx)
	w.lost = cancel
	var beat sync.WaitGroup
	beat.Go(func() { w.keep(working) })
	left, err := w.passes(working)
	cancel()
	beat.Wait()
	return w.let(ctx, left, err)
}

// hold takes the shard.
func (w *shardWork) hold(ctx context.Context) error {
	d := w.doing
	run := store.JobRun{Job: d.Job, Date: d.Date, Shard: d.Shard, By: d.By, Owner: w.id, Until: w.Store.Now().Add(w.Hold)}
	if run.By == "" {
		run.By = store.Program
	}
	held, err := w.Store.HoldShard(ctx, run)
	for try := 1; store.Passes(err) && try < tries; try++ {
		held, err = w.Store.HoldShard(ctx, run)
	}
	if err != nil {
		return err
	}
	w.is = *held
	return nil
}

// survey counts what was done of the shard and what is left, and notes it: how
// much is due is seen from the beginning, not from the first beat on.
func (w *shardWork) survey(ctx context.Context) error {
	err := patiently(ctx, func() error {
		if err := w.count(ctx); err != nil {
			return err
		}
		due, err := w.Store.CountDueInShard(ctx, w.doing.Job, w.doing.Date, w.doing.Shard)
		w.is.Due = w.is.Done + w.is.Declined + due
		return err
	})
	if err != nil {
		return err
	}
	return patiently(ctx, func() error { return w.save(ctx, store.JobRunning, w.Hold) })
}

// count counts what the day's runs did in the shard so far.
func (w *shardWork) count(ctx context.Context) error {
	counts, err := w.Store.CountResultsInShard(ctx, w.doing.Job, w.doing.Date, w.doing.Shard)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		w.is.JobCounts = counts
	}
	return err
}

// keep says now and then that the shard is worked on, and how far it is. Where
// another runner has taken it, the work ends.
func (w *shardWork) keep(ctx context.Context) {
	every := time.NewTicker(w.Hold / 5)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			err := w.save(ctx, store.JobRunning, w.Hold)
			if store.KindOf(err) == store.Conflict {
				w.lost()
			}
		}
	}
}

func (w *shardWork) save(ctx context.Context, state store.JobState, hold time.Duration) error {
	w.mu.Lock()
	run := w.is
	w.mu.Unlock()
	run.State, run.Until = state, w.Store.Now().Add(hold)
	saved, err := w.Store.SaveRun(ctx, run)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.is.Version = saved.Version
	return nil
}

// let lets go of the shard and notes how it stands. It tries for as long as
// nobody else could have the shard: one that is not let go of waits that long.
func (w *shardWork) let(ctx context.Context, left int, failed error) (store.JobCounts, error) {
	noting, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Hold)
	defer cancel()
	state := store.JobDone
	switch {
	case failed != nil:
		state = store.JobStopped
	case left > 0:
		state = store.JobLeft
	}
	err := patiently(noting, func() error { return w.count(noting) })
	if err == nil {
		err = w.save(noting, state, 0)
	}
	if store.KindOf(err) == store.Conflict {
		return store.JobCounts{}, store.ErrHeld // its time was over, and another has it
	}
	return w.is.JobCounts, errors.Join(failed, err)
}

// passes goes through what is due until nothing is left, or until it does not
// get less.
func (w *shardWork) passes(ctx context.Context) (left int, err error) {
	for n := range passes {
		if left, err = w.pass(ctx); err != nil || left == 0 {
			return left, err
		}
		if err := wait(ctx, betweenPasses<<n); err != nil {
			return left, err
		}
	}
	return left, nil
}

// pass goes once through what is due, page by page, so that it needs no more
// memory where more is due.
func (w *shardWork) pass(ctx context.Context) (left int, err error) {
	var from store.Item
	for {
		var due []store.Subscription
		var after store.Item
		err := patiently(ctx, func() (err error) {
			due, after, err = w.Store.DueInShard(ctx, w.doing.Job, w.doing.Date, w.doing.Shard, pageSize, from)
			return err
		})
		if err != nil {
			return left, err
		}
		failed, err := w.page(ctx, due)
		if left += failed; err != nil || after == nil {
			return left, err
		}
		from = after
	}
}

func (w *shardWork) page(ctx context.Context, due []store.Subscription) (left int, err error) {
	all, working := errgroup.WithContext(ctx)
	all.SetLimit(workers)
	var mu sync.Mutex
	for i := range due {
		if err := w.pace.wait(working); err != nil {
			break
		}
		all.Go(func() error {
			done, err := w.one(working, &due[i])
			mu.Lock()
			defer mu.Unlock()
			if !done {
				left++
			}
			return err
		})
	}
	err = all.Wait()
	if err == nil {
		err = ctx.Err()
	}
	return left, err
}

// one does what is due of one subscription. A failure is noted; it ends the run
// only where the run was to end.
func (w *shardWork) one(ctx context.Context, s *store.Subscription) (done bool, err error) {
	do := w.pay
	if w.doing.Job == store.RemindersJob {
		do = w.remind
	}
	outcome, failed := do(ctx, s, w.doing)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if failed == nil {
		w.noted(outcome, s)
		return true, nil
	}
	w.Log.Warn("a job failed with a subscription", "job", string(w.doing.Job), "subscription", s.ID, "error", store.LastFour(failed.Error()))
	if outcome == "" {
		outcome = store.OutcomeFailed
	}
	w.noted(store.OutcomeFailed, s)
	err = w.Store.RecordFailure(ctx, s, outcome, whyOf(failed), w.doing)
	if err != nil {
		w.Log.Warn("a failure could not be noted", "subscription", s.ID, "error", err)
	}
	return false, ctx.Err()
}

// whyOf is an error for the page of a run: the sentence of one that was made
// for people, and what the rest are in general.
func whyOf(err error) string {
	var known *store.Error
	switch {
	case errors.As(err, &known):
		return known.Message
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	}
	return fmt.Sprint("not done: ", err)
}

// noted counts an outcome for those who look on; at its end the run counts
// anew, from what is noted.
func (w *shardWork) noted(outcome store.JobOutcome, s *store.Subscription) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch outcome {
	case store.OutcomePaid:
		w.is.Done++
		w.is.Amount = w.is.Amount.Plus(s.Asking())
	case store.OutcomeReminded:
		w.is.Done++
	case store.OutcomeDeclined, store.OutcomePaused, store.OutcomeDropped:
		w.is.Declined++
	case store.OutcomeFailed:
		w.is.Failed++
	}
}

// pace lets so many through a second.
type pace struct {
	every time.Duration
	mu    sync.Mutex
	next  time.Time
}

func newPace(rate int) *pace {
	if rate <= 0 {
		return &pace{}
	}
	return &pace{every: time.Second / time.Duration(rate)}
}

func (p *pace) wait(ctx context.Context) error {
	if p.every == 0 {
		return ctx.Err()
	}
	p.mu.Lock()
	at := time.Now()
	if p.next.After(at) {
		at = p.next
	}
	p.next = at.Add(p.every)
	p.mu.Unlock()
	return wait(ctx, time.Until(at))
}
