// Package jobs runs the daily jobs. Reminders are emails to customers before a payment.
// Payments charge the customers. Notices are emails to managers about their warehouses and
// stores, to renters about due kayaks, and to users with the lists of their saved views.
// The package also sends the emails in the outbox, checks the books of the business each
// night, and makes bulk changes. It calls the payment service and the mail server, and
// continues interrupted runs.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"stockroom/store"
	"stockroom/store/table"
)

// Config configures a Runner.
type Config struct {
	Store     *store.Store
	Processor Processor
	Mail      Mailer // nil if there is no mail server, in which case emails stay in the outbox
	Log       *slog.Logger

	// Render returns the message for an email. It is called when the email is sent, and
	// must be safe for concurrent use.
	Render func(ctx context.Context, e *store.Email) (Message, error)

	// ViewIsEmpty reports whether the list of a saved view has no rows for a user. It
	// returns Forbidden if the user may not open the list. It must be safe for concurrent
	// use. If it is nil, no lists are emailed.
	ViewIsEmpty func(ctx context.Context, user *store.User, path string) (bool, error)

	// Observe is called with the outcome of each attempt to charge a payment, or to queue a
	// reminder or notice. It must be safe for concurrent use. It may be nil.
	Observe func(job store.JobName, outcome store.JobOutcome)

	// ReadUnits is the maximum number of read capacity units per second of a check of the
	// books. 0 means no limit.
	ReadUnits int
	// CheckProgress is the path of the file that stores the progress of a check of the
	// books, so that an interrupted check can continue. If it is "", each check starts from
	// the beginning.
	CheckProgress string
	// CheckWait is BusinessCheck.Wait of a check of the books. It may be nil.
	CheckWait func(context.Context, time.Duration) error

	// Workers is the number of subscriptions of a shard to process at once. The default is
	// DefaultWorkers.
	Workers int
	// HeartbeatTimeout is how long a runner keeps a shard after its last heartbeat. The
	// default is one minute.
	HeartbeatTimeout time.Duration
	// RequestTimeout is the timeout of requests to the payment service or the mail
	// server. The default is 30 seconds.
	RequestTimeout time.Duration
	// PassPause is the pause before a run tries the failed subscriptions or notices of a
	// shard again. It doubles after each pass. It is also the pause before a notice that
	// changed is read again. The default is 200 ms.
	PassPause time.Duration
}

const (
	pageSize      = 100              // page size of queries for renters, and the minimum for due subscriptions
	pagePerWorker = 4                // due subscriptions of a shard per query for each worker; at the end of a page, workers wait for each other, so pages must not be small
	maxPasses     = 3                // maximum number of passes of a run over the due subscriptions of a shard
	maxAttempts   = 8                // maximum number of tries of a throttled read or a conflicting write
	stepTimeout   = 2 * time.Minute  // timeout for one subscription or notice, including all requests and writes
	recordTimeout = 30 * time.Second // timeout for writes that continue after a run was stopped

	defaultHeartbeatTimeout = time.Minute
	defaultRequestTimeout   = 30 * time.Second
	defaultPassPause        = 200 * time.Millisecond
)

// DefaultWorkers is the default number of workers of a shard. MaxWorkers is the maximum:
// with more workers, the transactions that add to the counts of the shard conflict too
// often.
const (
	DefaultWorkers = 16
	MaxWorkers     = 100
)

// errContended means that a subscription, or a record in a notice, changed again and again
// while it was processed.
var errContended = errors.New("other changes kept conflicting")

// Runner runs jobs in this process.
type Runner struct {
	Config
	id string // owner of shards and leases

	refusal string // why the last Tick ran no payments; Tick logs each reason only once

	finished map[jobDay]bool // days that need no further run; used by Tick only
	folded   time.Time       // when TickTotals last merged the slots of all totals

	sealedTo time.Time // last day of the history that is sealed; used by TickSeals only

	writesCosts bool // ScheduleInBackground was called, so Close must write the latest costs

	delivering sync.Mutex // held while DeliverEmails runs

	checking     atomic.Bool  // this server is checking the books
	checkedItems atomic.Int64 // number of items that the running check has read

	background sync.WaitGroup
	ctx        context.Context // parent of the contexts of background work
	cancel     context.CancelFunc
}

// New makes a runner. Call Close to stop its background work.
func New(config Config) *Runner {
	if config.Workers == 0 {
		config.Workers = DefaultWorkers
	}
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

// Close stops background work and waits for the subscriptions in progress. The next run
// continues with the remaining subscriptions. Close also writes the costs of the last
// minute, so call it after the server has sent its last response.
func (r *Runner) Close() error {
	r.cancel()
	r.background.Wait()
	if !r.writesCosts {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), recordTimeout)
	defer cancel()
	return r.Store.WriteCosts(ctx)
}

// RunRequest is a request to run one job for one day.
type RunRequest struct {
	Job  store.JobName
	Date time.Time // the day, at midnight UTC
	By   string    // user name; "" for the program
	Rate int       // maximum subscriptions per second; 0 means no limit

	started func() // called when the table contains the run; may be nil
}

// Start runs a job in the background. It returns when the table contains the run, so that a
// page can show it.
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

// PaymentsBehind returns the age, in days, of the oldest day whose payments the
// scheduler has not finished. It returns 0 if all past days are finished, or if the
// scheduler is off.
func (r *Runner) PaymentsBehind(ctx context.Context) (days int, err error) {
	since, err := r.program().PaymentsBehindSince(ctx)
	if err != nil || since.IsZero() {
		return 0, err
	}
	today, err := r.Store.Today(ctx)
	return int(today.Sub(since) / (24 * time.Hour)), err
}

// check returns Invalid if the day is in the future, or if it is in the past and the job is
// notices. Otherwise it returns the result of CheckJob.
func (r *Runner) check(ctx context.Context, request RunRequest) error {
	today, err := r.Store.Today(ctx)
	switch {
	case err != nil:
		return err
	case request.Date.After(today):
		return store.InvalidField("date", "This day is in the future: only a dry run is possible.")
	case request.Job == store.NoticesJob && request.Date.Before(today):
		return store.InvalidField("date", "This day is over: notices are only sent on the day itself.")
	}
	return r.CheckJob(ctx, request.Job)
}

// CheckJob returns Conflict if this server must not run the job. It must not run payments
// if CheckPayments returns an error, or notices if the settings turn them off.
func (r *Runner) CheckJob(ctx context.Context, job store.JobName) error {
	switch job {
	case store.PaymentsJob:
		return r.CheckPayments(ctx)
	case store.NoticesJob:
		settings, err := r.Store.Settings(ctx)
		if err != nil || settings.Notices {
			return err
		}
		return &store.Error{Kind: store.Conflict, Message: "No notices are sent: daily notices are off in the settings."}
	}
	return nil
}

// CheckPayments returns Conflict if this server must not charge payments, because the
// settings name no payment service, or another one than this server uses.
func (r *Runner) CheckPayments(ctx context.Context) error {
	settings, err := r.Store.Settings(ctx)
	if err != nil || settings.Payments == r.Processor.Service() {
		return err
	}
	return &store.Error{Kind: store.Conflict, Code: store.CodePaymentsNotSetUp, Message: mismatchMessage(settings.Payments)}
}

// mismatchMessage returns the message for a server that uses a payment service other
// than the one in the settings.
func mismatchMessage(stated store.Service) string {
	switch stated {
	case store.ServiceStripe:
		return "No payments are charged. The settings say Stripe, but Stockroom was started without STOCKROOM_STRIPE_KEY. Start it with the key, or change Payments in the settings."
	case store.ServiceOff:
		return "No payments are charged: payments are off. Under Payments in the settings, choose 'Stripe' or 'Record only'."
	case store.ServiceRecord:
		return "No payments are charged. The settings say 'Record only', but Stockroom was started with a STOCKROOM_STRIPE_KEY. Start it without the key, or change Payments in the settings."
	}
	return "No payments are charged, because no payment service is set. Under Payments in the settings, choose 'Stripe' or 'Record only', or start Stockroom with -payments stripe or -payments record."
}

// Service returns the service that this runner uses for a job.
func (r *Runner) Service(job store.JobName) store.Service {
	if job == store.PaymentsJob {
		return r.Processor.Service()
	}
	return r.emailService()
}

var backoff = table.Backoff{Tries: maxAttempts, First: 20 * time.Millisecond, Longest: 3 * time.Second}

// retry calls f until it succeeds, returns an error that is not transient, or has been
// called maxAttempts times. It waits longer after each call.
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
