package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"stockroom/handlers"
	"stockroom/store"
	"stockroom/store/embedded/wire"
	"stockroom/store/jobs"
)

// Environment variables with secrets. There are no flags for these secrets, because other
// users of the machine can see the arguments of a process.
const (
	stripeKey    = "STOCKROOM_STRIPE_KEY"
	smtpUser     = "STOCKROOM_SMTP_USER"
	smtpPassword = "STOCKROOM_SMTP_PASSWORD"
)

// checkPayments returns a usageError if -payments or -stripe-url is invalid. The service
// stripe requires a key in STOCKROOM_STRIPE_KEY. With the service record, this variable
// must not be set.
func (c *call) checkPayments() error {
	hasKey := c.env(stripeKey) != ""
	switch {
	case c.payments != "" && !slices.Contains(store.PaymentServices, store.Service(c.payments)):
		return usagef("invalid -payments %q: choose stripe or record", c.payments)
	case c.payments == string(store.ServiceStripe) && !hasKey:
		return usagef("-payments stripe needs your Stripe secret key in %s", stripeKey)
	case c.payments == string(store.ServiceRecord) && hasKey:
		return usagef("-payments record charges nobody, but %s is set: remove the key, or choose -payments stripe", stripeKey)
	}
	return c.checkStripeURL()
}

// checkStripeURL returns a usageError if -stripe-url is not a loopback URL without a path.
// Requests contain the secret key for Stripe, and this key must not be sent to another
// machine.
func (c *call) checkStripeURL() error {
	if c.stripeURL == "" {
		return nil
	}
	u, err := url.Parse(c.stripeURL)
	if err != nil || u.Scheme != "http" || u.Path != "" || !wire.IsLoopback(u.Host) {
		return usagef("invalid -stripe-url %q: enter a loopback URL without a path, such as http://127.0.0.1:12111", c.stripeURL)
	}
	return nil
}

// statePayments stores the payment service of -payments in the settings. If the settings
// already contain a payment service, it does nothing.
func (c *call) statePayments(ctx context.Context, s *store.Store) error {
	if c.payments == "" {
		return nil
	}
	return s.StatePayments(ctx, store.Service(c.payments))
}

// checkProgress is the name of the file in the data folder that contains the progress of an
// interrupted nightly check.
const checkProgress = "check-progress"

// newJobRunner returns the runner of the jobs. It charges payments with Stripe if
// Stripe's key is set, and sends emails if -smtp is set.
func (c *call) newJobRunner(s *store.Store) (*jobs.Runner, error) {
	if c.workers < 1 || c.workers > jobs.MaxWorkers {
		return nil, usagef("invalid -workers %d: enter a number from 1 to %d", c.workers, jobs.MaxWorkers)
	}
	origin := ""
	switch public, err := c.parseOrigin(); {
	case err != nil:
		return nil, err
	case public != nil:
		origin = public.String()
	}
	lists := handlers.NewViewReader(s)
	config := jobs.Config{
		Store:     s,
		Log:       c.log,
		Processor: jobs.Record{},
		Workers:   c.workers,
		Render:    handlers.RenderEmail(s, lists, origin),

		ViewIsEmpty: lists.IsEmpty,

		CheckProgress: filepath.Join(c.data, checkProgress),
	}
	if key := c.env(stripeKey); key != "" {
		config.Processor = jobs.NewStripe(key, c.stripeURL)
	}
	if c.dynamodb {
		config.ReadUnits = c.rcu
	}
	if c.smtp != "" {
		mail, err := jobs.NewSMTP(c.smtp, c.mailFrom, c.env(smtpUser), c.env(smtpPassword), c.clock)
		if err != nil {
			return nil, usageError(err.Error())
		}
		config.Mail = mail
	}
	return jobs.New(config), nil
}

func runReminders(ctx context.Context, c *call) error { return c.runJob(ctx, store.RemindersJob) }

func runPayments(ctx context.Context, c *call) error { return c.runJob(ctx, store.PaymentsJob) }

func runNotices(ctx context.Context, c *call) error { return c.runJob(ctx, store.NoticesJob) }

func runEmails(ctx context.Context, c *call) error {
	if c.smtp == "" {
		return usagef("job emails needs a mail server in -smtp")
	}
	return c.withStore(ctx, false, func(s *store.Store) (err error) {
		r, err := c.newJobRunner(s)
		if err != nil {
			return err
		}
		defer closeJoin(r, &err)
		return c.deliverEmails(ctx, r)
	})
}

// deliverEmails sends the emails in the outbox and prints the counts. Without -smtp, it
// prints that the emails stay in the outbox, if there are any.
func (c *call) deliverEmails(ctx context.Context, r *jobs.Runner) error {
	if !r.SendsEmails() {
		waiting, err := r.Store.EmailsDue(ctx, 1)
		if len(waiting) > 0 {
			fmt.Fprintln(c.stdout, "emails: kept in the outbox, because -smtp is not set")
		}
		return err
	}
	d, err := r.DeliverEmails(ctx)
	fmt.Fprintf(c.stdout, "emails: %d sent, %d queued again, %d failed, %d unconfirmed\n", d.Sent, d.Retried, d.Failed, d.Unconfirmed)
	if err != nil {
		return fmt.Errorf("emails not delivered: %w", err)
	}
	return nil
}

// runJob runs a daily job for the day of -date, by default today, and then sends the emails
// in the outbox. If the job did not run to its end, it sends none. With -dry-run, it only
// prints what it would do.
func (c *call) runJob(ctx context.Context, job store.JobName) error {
	if c.rate < 0 {
		return usagef("invalid -rate %d: enter a number per second, or 0 for no limit", c.rate)
	}
	if err := c.checkPayments(); err != nil {
		return err
	}
	day, err := time.Parse(time.DateOnly, c.date)
	if c.date != "" && err != nil {
		return usagef("invalid -date %q: enter a day such as 2026-11-21", c.date)
	}
	return c.withStore(ctx, false, func(s *store.Store) (err error) {
		if c.date == "" {
			if day, err = s.Today(ctx); err != nil {
				return err
			}
		}
		if c.dryRun && job == store.NoticesJob {
			return c.previewNotices(ctx, s, day)
		}
		if c.dryRun {
			return c.previewJob(ctx, s, job, day)
		}
		if err := c.statePayments(ctx, s); err != nil {
			return err
		}
		r, err := c.newJobRunner(s)
		if err != nil {
			return err
		}
		defer closeJoin(r, &err)
		report, err := r.Run(ctx, jobs.RunRequest{Job: job, Date: day, Rate: c.rate})
		if errors.Is(err, context.Canceled) {
			return errors.New("interrupted: results so far are kept; run the job again to continue")
		}
		if err != nil {
			return err
		}
		return errors.Join(c.printReport(job, day, report), c.deliverEmails(ctx, r))
	})
}

// printReport prints the counts of all runs for the day, and those of this run. It returns an
// error if some steps failed or have an unknown outcome, or if another server is running a
// part of the job.
func (c *call) printReport(job store.JobName, day time.Time, report jobs.Report) error {
	run := report.Minus(report.Before)
	fmt.Fprintf(c.stdout, "%s of %s: %d done, %d declined, %d failed, %d unknown", job, day.Format(time.DateOnly), report.Done, report.Declined, report.Failed, report.Unknown)
	if job == store.PaymentsJob {
		fmt.Fprintf(c.stdout, "; total %s (this run: %d done, total %s)\n", report.Amount, run.Done, run.Amount)
	} else {
		fmt.Fprintf(c.stdout, " (this run: %d done)\n", run.Done)
	}
	switch {
	case report.Held > 0:
		return fmt.Errorf("another server is running a part of this job (%s): the job's page shows its progress", store.NumberOf(report.Held, "shard", "shards"))
	case report.Failed+report.Unknown > 0:
		return fmt.Errorf("%d failed, %d unknown: the job's page shows the reasons; run the job again to retry", report.Failed, report.Unknown)
	}
	return nil
}

// stepNames contains the description of each step in the output of a dry run.
var stepNames = map[store.Step]string{
	store.StepTake:   "charge the payment",
	store.StepSkip:   "skip the late payment",
	store.StepRepeat: "repeat the unconfirmed charge",
	store.StepLookUp: "look up the payment attempt",
	store.StepRemind: "send the reminder",
	store.StepEnd:    "cancel the subscription",
}

// previewNotices prints the notices that a run would queue.
func (c *call) previewNotices(ctx context.Context, s *store.Store, day time.Time) error {
	program := s.As(&store.User{Name: store.Program, Role: store.Admin})
	n := 0
	var failed error
	printColumns(c.stdout, func(row func(...string)) {
		for _, read := range []func(context.Context, time.Time, store.Page) (store.List[store.PlannedNotice], error){program.NoticesToManagers, program.NoticesToRenters, program.NoticesOfViews} {
			for p, err := range store.Each(func(p store.Page) (store.List[store.PlannedNotice], error) { return read(ctx, day, p) }) {
				if err != nil {
					failed = err
					return
				}
				row("  "+string(p.Kind), p.Recipient, p.To, plannedContents(&p))
				n++
			}
		}
	})
	if failed == nil {
		fmt.Fprintf(c.stdout, "Dry run of notices for %s: at most %s; nothing was changed\n", day.Format(time.DateOnly), store.NumberOf(n, "email", "emails"))
	}
	return failed
}

// plannedContents describes what a notice contains.
func plannedContents(n *store.PlannedNotice) string {
	if n.Kind == store.EmailSavedView {
		return n.View + ", unless the list is empty"
	}
	return store.NumberOf(n.Notice.Rows(), "entry", "entries")
}

// previewJob prints the steps that a run would take.
func (c *call) previewJob(ctx context.Context, s *store.Store, job store.JobName, day time.Time) error {
	program := s.As(&store.User{Name: store.Program, Role: store.Admin})
	plan := store.Each(func(p store.Page) (store.List[store.PlannedStep], error) { return program.DryRun(ctx, job, day, p) })
	var total store.Amount
	var failed error
	n, skipped, lookedUp := 0, 0, 0
	printColumns(c.stdout, func(row func(...string)) {
		for p, err := range plan {
			if err != nil {
				failed = err
				return
			}
			row("  account "+p.AccountID, "subscription "+p.ID, p.SKU, p.ChargeAmount().String(), stepNames[p.Step])
			n++
			switch {
			case p.Charges():
				total = total.Plus(p.ChargeAmount())
			case p.Step == store.StepSkip:
				skipped++
			case p.Step == store.StepLookUp:
				lookedUp++
			}
		}
	})
	if failed != nil {
		return failed
	}
	fmt.Fprintf(c.stdout, "Dry run of %s for %s: %d due", job, day.Format(time.DateOnly), n)
	if skipped > 0 {
		fmt.Fprintf(c.stdout, ", %d skipped", skipped)
	}
	if lookedUp > 0 {
		fmt.Fprintf(c.stdout, ", %d to look up", lookedUp)
	}
	if job == store.PaymentsJob {
		fmt.Fprintf(c.stdout, ", total to charge %s", total)
	}
	fmt.Fprintln(c.stdout, "; nothing was changed")
	return nil
}
