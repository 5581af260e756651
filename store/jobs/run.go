package jobs

import (
	"context"
	"errors"
	"sync"
	"time"

	"stockroom/store"
)

// Report contains the counts of a run.
type Report struct {
	store.JobCounts                 // of all runs for the day
	Before          store.JobCounts // of the earlier runs
	Held            int             // shards that other runners are processing
}

// Run runs a job for a day. It processes the due subscriptions that earlier runs have not
// finished. It counts subscriptions that fail, and the next run tries them again. Run
// returns Invalid for a future day or for notices of a past day, and Conflict if this
// server must not run the job. It returns another error if it could not process some
// shards. A shard that another runner is processing is not an error; see Report.Held.
func (r *Runner) Run(ctx context.Context, request RunRequest) (Report, error) {
	ctx = store.WithCostJob(ctx, store.CostJob(request.Job))
	if err := r.check(ctx, request); err != nil {
		return Report{}, err
	}
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return Report{}, err
	}
	limiter := newRateLimiter(request.Rate)
	var starting sync.WaitGroup
	starting.Add(settings.ShardsRead)
	var mu sync.Mutex
	var report Report
	var charged bool
	var failed []error
	var shards sync.WaitGroup
	for n := range settings.ShardsRead {
		shards.Go(func() {
			w := &shardRun{
				Runner:  r,
				limiter: limiter,
				started: sync.OnceFunc(starting.Done),
				context: store.RunContext{Job: request.Job, Date: request.Date, Shard: n, By: request.By},
			}
			defer w.started()
			counts, err := w.execute(ctx)
			mu.Lock()
			defer mu.Unlock()
			report.JobCounts = report.Plus(counts)
			if errors.Is(err, store.ErrLeased) {
				report.Held++
				return
			}
			report.Before = report.Before.Plus(w.before)
			charged = charged || counts.Amount.Compare(w.before.Amount) != 0
			failed = append(failed, err)
		})
	}
	if request.started != nil {
		starting.Wait()
		request.started()
	}
	shards.Wait()
	if charged {
		r.recordCharged(ctx, request)
	}
	return report, errors.Join(failed...)
}

// recordCharged records the counts of the day in the history, even while the run stops.
func (r *Runner) recordCharged(ctx context.Context, request RunRequest) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	if err := r.Store.RecordCharged(ctx, request.Date, request.By); err != nil {
		r.Log.Warn("cannot record the charged payments in the history", "error", err)
	}
}

// rateLimiter delays calls of wait, so that at most one returns per interval.
type rateLimiter struct {
	interval time.Duration // interval between two calls; 0 means no limit
	mu       sync.Mutex
	next     time.Time
}

func newRateLimiter(perSecond int) *rateLimiter {
	if perSecond <= 0 {
		return &rateLimiter{}
	}
	return &rateLimiter{interval: time.Second / time.Duration(perSecond)}
}

func (l *rateLimiter) wait(ctx context.Context) error {
	if l.interval == 0 {
		return ctx.Err()
	}
	l.mu.Lock()
	at := time.Now()
	if l.next.After(at) {
		at = l.next
	}
	l.next = at.Add(l.interval)
	l.mu.Unlock()
	return sleep(ctx, time.Until(at))
}
