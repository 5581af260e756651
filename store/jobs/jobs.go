// Package jobs runs the daily jobs of subscriptions: reminders, which email
// customers before a payment, and payments, which charges them. It also checks the
// books of the business each night. It talks to
// the payment processor and the mail server and continues runs that were
// interrupted. Due items, attempts and outcomes are in the store.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"stockroom/store"
	"stockroom/store/table"
)

// Config configures a Runner.
type Config struct {
	Store     *store.Store
	Processor Processor
	Mail      Mailer
	Log       *slog.Logger

	// Observe is called after each step of a run, which charges or reminds one
	// subscription. It must be safe for concurrent use. nil observes nothing.
	Observe func(job store.JobName, outcome store.JobOutcome)

	// ReadUnits limits the read capacity units per second of the nightly check. 0
	// means no limit.
	ReadUnits int
	// CheckProgress is the file with the position of an interrupted nightly check,
	// from which the next one continues. "" keeps none.
	CheckProgress string

	// HeartbeatTimeout is how long a runner keeps a shard after its last
	// heartbeat. The default is a minute.
	HeartbeatTimeout time.Duration
	// RequestTimeout limits a request to the processor or the mail server. The
	// default is 30 seconds.
	RequestTimeout time.Duration
	// PassPause is the pause before the failed subscriptions of a shard are tried a
	// second time. Each further pause is twice as long. The default is 200 ms.
	PassPause time.Duration
}

const (
	pageSize      = 100              // subscriptions of a shard that are read at once
	workers       = 16               // subscriptions of a shard processed in parallel
	maxPasses     = 3                // over the due subscriptions of a shard
	maxAttempts   = 8                // of a read that is throttled, or a write that conflicts
	stepTimeout   = 2 * time.Minute  // for one subscription, with its requests and table calls
	recordTimeout = 30 * time.Second // to record an outcome, even if the run is stopping

	defaultHeartbeatTimeout = time.Minute
	defaultRequestTimeout   = 30 * time.Second
	defaultPassPause        = 200 * time.Millisecond
)

// errContended means that other writers kept changing a subscription.
var errContended = errors.New("the subscription kept changing")

// Runner runs the jobs in this process.
type Runner struct {
	Config
	id string // identifies this runner as the owner of shards and leases

	refusal string // why the scheduler last ran no payments; for Tick only

	finished map[jobDay]bool // days that need no more runs; for Tick only

	background sync.WaitGroup
	ctx        context.Context // of background work
	cancel     context.CancelFunc
}

// New makes a runner. Call Close to stop its background work.
func New(config Config) *Runner {
	if config.HeartbeatTimeout == 0 {
		config.HeartbeatTimeout = defaultHeartbeatTimeout
	}
	if config.RequestTimeout == 0 {
		config.RequestTimeout = defaultRequestTimeout
	}
	if config.PassPause == 0 {
		config.PassPause = defaultPassPause
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Runner{Config: config, id: config.Store.NewToken(), finished: map[jobDay]bool{}, ctx: ctx, cancel: cancel}
}

// Close stops background work and waits until subscriptions in progress are
// done. The next run continues where it stopped.
func (r *Runner) Close() error {
	r.cancel()
	r.background.Wait()
	return nil
}

// RunRequest asks for one job of one day.
type RunRequest struct {
	Job  store.JobName
	Date time.Time // the day, at midnight UTC
	By   string    // user name; "" is the program
	Rate int       // maximum subscriptions per second; 0 means no limit

	started func() // called when the table contains the run; can be nil
}

// Start runs a job in the background. It returns when the table contains the run,
// or when the run has ended.
func (r *Runner) Start(ctx context.Context, request RunRequest) {
	visible, started := context.WithCancel(ctx)
	request.started = started
	r.background.Go(func() {
		defer started()
		if _, err := r.Run(r.ctx, request); err != nil && !errors.Is(err, context.Canceled) {
			r.Log.Error("job failed", "job", string(request.Job), "date", request.Date.Format(time.DateOnly), "error", err)
		}
	})
	<-visible.Done()
}

// PaymentsBehind returns how many days ago the first day was whose payments the
// scheduler has not finished. It is 0 if all past days are finished.
func (r *Runner) PaymentsBehind(ctx context.Context) (days int, err error) {
	since, err := r.program().PaymentsBehindSince(ctx)
	if err != nil || since.IsZero() {
		return 0, err
	}
	today, err := r.Store.Today(ctx)
	return int(today.Sub(since) / (24 * time.Hour)), err
}

// check rejects days in the future, and payments that this server must not
// charge.
func (r *Runner) check(ctx context.Context, request RunRequest) error {
	today, err := r.Store.Today(ctx)
	switch {
	case err != nil:
		return err
	case request.Date.After(today):
		return store.InvalidField("date", "This day is in the future: only a dry run is possible.")
	case request.Job == store.PaymentsJob:
		return r.CheckPayments(ctx)
	}
	return nil
}

// CheckPayments returns Conflict if this server must not charge payments, because
// the settings name no payment service or another one.
func (r *Runner) CheckPayments(ctx context.Context) error {
	settings, err := r.Store.Settings(ctx)
	if err != nil || settings.Payments == r.Processor.Service() {
		return err
	}
	return &store.Error{Kind: store.Conflict, Code: store.CodePaymentsNotSetUp, Message: mismatchMessage(settings.Payments)}
}

// mismatchMessage returns the message of a server that does not use the stated
// payment service.
func mismatchMessage(stated store.Service) string {
	switch stated {
	case store.ServiceStripe:
		return "No payments are charged. The settings say Stripe, but this server has no STOCKROOM_STRIPE_KEY. Restart it with the key, or change Payments in the settings."
	case store.ServiceOff:
		return "No payments are charged: payments are off. Under Payments in the settings, choose 'Stripe' or 'Record only'."
	case store.ServiceRecord:
		return "No payments are charged. The settings say 'Record only', but this server has a STOCKROOM_STRIPE_KEY. Restart it without the key, or change Payments in the settings."
	}
	return "No payments are charged, because no payment service is set. Under Payments in the settings, choose 'Stripe' or 'Record only', or start Stockroom with -payments stripe or -payments record."
}

// Service returns the service that this runner uses for a job.
func (r *Runner) Service(job store.JobName) store.Service {
	if job == store.PaymentsJob {
		return r.Processor.Service()
	}
	return r.Mail.Service()
}

var backoff = table.Backoff{Tries: maxAttempts, First: 20 * time.Millisecond, Longest: 3 * time.Second}

// retry calls f again, with backoff, while it fails with a transient error.
func retry(ctx context.Context, f func() error) error {
	return backoff.Retry(ctx, store.IsTransient, f)
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
