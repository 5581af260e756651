package jobs

import (
	"context"
	"errors"
	"time"

	"stockroom/store"
)

// How the scheduler goes about it.
const (
	tick        = time.Minute
	missedDays  = 7         // days before today that are caught up on without a person's word
	firstHour   = 6         // of the business's day: nobody is reminded at night
	lookAgain   = time.Hour // what is left of a day is tried again after this, and what came to it since
	leaseName   = "scheduler"
	leaseLength = 3 * tick
)

// Schedule runs the jobs of each day by themselves until ctx ends, as long as
// the settings say so. Which days are done lies in the table, so all that it
// needs of time is to look once a minute. Of several servers the one that has
// the lease does it.
func (r *Runner) Schedule(ctx context.Context) {
	every := time.NewTicker(tick)
	defer every.Stop()
	for {
		if err := r.Tick(ctx); err != nil && ctx.Err() == nil {
			r.Log.Error("the scheduler failed; it tries again in a minute", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

// ScheduleInBackground is Schedule, until Close.
func (r *Runner) ScheduleInBackground() { r.all.Go(func() { r.Schedule(r.ctx) }) }

// Tick looks once what there is to do, and does it: the days that were missed
// in their order, today last.
func (r *Runner) Tick(ctx context.Context) error {
	settings, err := r.Store.Settings(ctx)
	if err != nil || settings.SchedulerSince.IsZero() {
		return err
	}
	err = r.Store.TakeLease(ctx, leaseName, r.id, r.Store.Now().Add(leaseLength))
	if errors.Is(err, store.ErrHeld) {
		return nil
	}
	if err != nil {
		return err
	}
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.keepLease(working, cancel)
	today, err := r.Store.Today(working)
	if err != nil {
		return err
	}
	for day := firstDay(settings, today); !day.After(today); day = day.AddDate(0, 0, 1) {
		if day.Equal(today) && r.Store.Now().In(settings.Zone()).Hour() < firstHour {
			break
		}
		for _, job := range store.JobNames {
			if err := r.catchUp(working, settings, job, day); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstDay is the first day that the scheduler may do by itself: none from
// before it was switched on, so that imported data never sets off a bill.
func firstDay(settings store.Settings, today time.Time) time.Time {
	year, month, day := settings.SchedulerSince.In(settings.Zone()).Date()
	since := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if first := today.AddDate(0, 0, -missedDays); first.After(since) {
		return first
	}
	return since
}

// keepLease keeps the lease while a run goes on, and ends the run where another
// server has it.
func (r *Runner) keepLease(ctx context.Context, lost context.CancelFunc) {
	every := time.NewTicker(tick)
	defer every.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
			if err := r.Store.TakeLease(ctx, leaseName, r.id, r.Store.Now().Add(leaseLength)); errors.Is(err, store.ErrHeld) {
				lost()
				return
			}
		}
	}
}

// catchUp runs a job for a day unless it is done, and looks now and then
// whether something came to a day that was.
func (r *Runner) catchUp(ctx context.Context, settings store.Settings, job store.JobName, day time.Time) error {
	runs, err := r.program().RunsOfDay(ctx, job, day)
	if err != nil {
		return err
	}
	untouched := true // whether nobody was at it lately
	done := len(runs) >= settings.ShardsRead
	for i := range runs {
		run := &runs[i]
		untouched = untouched && r.Store.Now().Sub(run.Updated) >= lookAgain
		done = done && (run.State == store.JobDone || run.State == store.JobLeft)
	}
	if done && !untouched {
		return nil
	}
	report, err := r.Run(ctx, Order{Job: job, Date: day})
	if err == nil && report.Held == 0 {
		r.Log.Info("a job ran", "job", string(job), "date", day.Format(time.DateOnly),
			"done", report.Done, "declined", report.Declined, "failed", report.Failed, "amount", report.Amount.String())
	}
	return err
}
