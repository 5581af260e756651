// Package jobs does the daily work of recurring payments: it announces
// payments by mail and takes them, each once, whatever breaks meanwhile. What
// is due, and what became of it, lies in the store; this package asks the
// payment processor and the mail server, and goes on where a run stopped. It
// knows no pages and no keys.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"stockroom/store"
)

// Config is what the jobs need.
type Config struct {
	Store     *store.Store
	Processor Processor
	Mail      Mailer
	Log       *slog.Logger

	// Hold is how long a shard stays a runner's own after its last sign of
	// life; 0 is a minute.
	Hold time.Duration
	// Patience is how long the processor and the mail server have to answer; 0 is
	// half a minute.
	Patience time.Duration
}

// How a run is cut up and how long it tries.
const (
	pageSize      = 100 // subscriptions that are read at once: what a run keeps in memory of each shard
	workers       = 16  // subscriptions of a shard that are worked on at once
	passes        = 3   // through what was left of a shard
	tries         = 8   // of a read that a busy table refuses, and of a change that others are first with
	defaultHold   = time.Minute
	defaultWait   = 30 * time.Second
	noteTime      = 30 * time.Second // that the table has to take what is known, also where the run is to stop
	betweenPasses = 200 * time.Millisecond
)

// Runner runs the jobs in this process.
type Runner struct {
	Config
	id string // by which its shards and leases are known

	all    sync.WaitGroup
	ctx    context.Context // of what runs in the background
	cancel context.CancelFunc
}

// New makes a runner. Close ends what it runs in the background.
func New(config Config) *Runner {
	if config.Hold == 0 {
		config.Hold = defaultHold
	}
	if config.Patience == 0 {
		config.Patience = defaultWait
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Runner{Config: config, id: config.Store.NewToken(), ctx: ctx, cancel: cancel}
}

// Close stops what runs in the background after what is under way, and waits
// for it. What is left of a run goes on with the next one.
func (r *Runner) Close() error {
	r.cancel()
	r.all.Wait()
	return nil
}

// Order is one job that is to be run for one day.
type Order struct {
	Job  store.JobName
	Date time.Time // the calendar day, at midnight UTC
	By   string    // who wants it; "" is the program
	Rate int       // subscriptions a second at most; 0 is as fast as it goes

	begun func() // called when the shards are held; nil: nobody waits for it
}

// Start runs a job in the background. It returns when the run is to be seen in
// the table, or is over.
func (r *Runner) Start(ctx context.Context, o Order) {
	seen, over := context.WithCancel(ctx)
	o.begun = over
	r.all.Go(func() {
		defer over()
		if _, err := r.Run(r.ctx, o); err != nil && !errors.Is(err, context.Canceled) {
			r.Log.Error("a job failed", "job", string(o.Job), "date", o.Date.Format(time.DateOnly), "error", err)
		}
	})
	<-seen.Done()
}

// check refuses an order that no run should follow.
func (r *Runner) check(ctx context.Context, o Order) error {
	today, err := r.Store.Today(ctx)
	switch {
	case err != nil:
		return err
	case o.Date.After(today):
		return store.InvalidField("date", "This day is yet to come: it can be rehearsed, not run.")
	}
	return nil
}

// patiently asks again what a busy table refuses for now.
func patiently(ctx context.Context, ask func() error) error {
	pause := 20 * time.Millisecond
	for try := 1; ; try++ {
		err := ask()
		if !store.Passes(err) || try == tries {
			return err
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
		pause *= 2
	}
}

func wait(ctx context.Context, pause time.Duration) error {
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
