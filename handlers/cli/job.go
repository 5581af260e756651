package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
)

// Secrets are taken from the environment only: flags are seen by everybody on
// the machine.
const (
	stripeKey    = "STOCKROOM_STRIPE_KEY"
	smtpUser     = "STOCKROOM_SMTP_USER"
	smtpPassword = "STOCKROOM_SMTP_PASSWORD"
)

// outbox is the folder of letters in the data folder.
const outbox = "outbox"

// jobRunner makes what runs the jobs: with Stripe where there is a key of it,
// with a mail server where one is named.
func (c *call) jobRunner(s *store.Store) (*jobs.Runner, error) {
	config := jobs.Config{
		Store: s, Log: c.log, Processor: jobs.Record{},
		Mail: jobs.Outbox{Folder: filepath.Join(c.data, outbox), From: c.mailFrom, Now: c.clock},
	}
	if key := c.env(stripeKey); key != "" {
		config.Processor = jobs.NewStripe(key, "")
	}
	if c.smtp != "" {
		mail, err := jobs.NewSMTP(c.smtp, c.mailFrom, c.env(smtpUser), c.env(smtpPassword), c.clock)
		if err != nil {
			return nil, usageError("-smtp: " + err.Error())
		}
		config.Mail = mail
	}
	return jobs.New(config), nil
}

func runReminders(ctx context.Context, c *call) error { return c.runJob(ctx, store.RemindersJob) }

func runPayments(ctx context.Context, c *call) error { return c.runJob(ctx, store.PaymentsJob) }

// runJob runs one daily job, for today where no other day is named.
func (c *call) runJob(ctx context.Context, job store.JobName) error {
	if c.rate < 0 {
		return usagef("-rate is %d; it needs to be a number a second, or 0", c.rate)
	}
	day, err := time.Parse(time.DateOnly, c.date)
	if c.date != "" && err != nil {
		return usagef("-date is %q; it needs to be a day such as 2026-11-21", c.date)
	}
	return c.withBusiness(ctx, false, func(s *store.Store) (err error) {
		if c.date == "" {
			if day, err = s.Today(ctx); err != nil {
				return err
			}
		}
		if c.rehearse {
			return c.rehearseJob(ctx, s, job, day)
		}
		r, err := c.jobRunner(s)
		if err != nil {
			return err
		}
		defer release(r, &err)
		report, err := r.Run(ctx, jobs.Order{Job: job, Date: day, Rate: c.rate})
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("interrupted; what is done stays, and running it again does the rest")
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "%s of %s: %d done, %d declined, %d failed", job, day.Format(time.DateOnly), report.Done, report.Declined, report.Failed)
		if job == store.PaymentsJob {
			fmt.Fprintf(c.stdout, "; %s in all", report.Amount)
		}
		fmt.Fprintln(c.stdout)
		switch {
		case report.Held > 0:
			return fmt.Errorf("another server is at %d of the shards: see its page of jobs", report.Held)
		case report.Failed > 0:
			return fmt.Errorf("failed: %d; why is on the page of jobs, and running it again tries them once more", report.Failed)
		}
		return nil
	})
}

// stepWords say what a run does with a subscription.
var stepWords = map[store.Step]string{
	store.StepTake: "take the payment", store.StepRepeat: "ask again for an attempt", store.StepLookUp: "look an attempt up", store.StepRemind: "send the reminder",
}

// rehearseJob prints what a run would do.
func (c *call) rehearseJob(ctx context.Context, s *store.Store, job store.JobName, day time.Time) error {
	program := s.As(&store.User{Name: store.Program, Role: store.Admin})
	plan := store.Each(func(p store.Page) (store.List[store.Planned], error) { return program.Rehearse(ctx, job, day, p) })
	var sum store.Amount
	n := 0
	var failed error
	columns(c.stdout, func(row func(...string)) {
		for p, err := range plan {
			if err != nil {
				failed = err
				return
			}
			row("  account "+p.AccountID, "subscription "+p.ID, p.SKU, p.Asking().String(), stepWords[p.Step])
			sum = sum.Plus(p.Asking())
			n++
		}
	})
	if failed != nil {
		return failed
	}
	fmt.Fprintf(c.stdout, "%s of %s, rehearsed: %d would be tried, %s in all; nothing was changed\n", job, day.Format(time.DateOnly), n, sum)
	return nil
}
