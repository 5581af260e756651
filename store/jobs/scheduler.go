package jobs

import (
	"context"
	"errors"
	"time"

	"stockroom/store"
)

const (
	tickInterval  = time.Minute
	maxMissedDays = 7         // days before today that the scheduler makes up for
	firstHour     = 6         // of the business's day: no emails at night
	rerunInterval = time.Hour // a day's unfinished or newly due items are run again after this
	leaseName     = "scheduler"
	leaseTime     = 3 * tickInterval
)

// ScheduleInBackground runs the jobs of each day until Close, if the scheduler
// is on in the settings. It checks once a minute; the table knows which days
// are done. If there are several servers, the one with the lease runs the jobs.
func (r *Runner) ScheduleInBackground() {
	r.background.Go(func() {
		ticker := time.NewTicker(tickInterval)
		defer ticker.Stop()
		for {
			if err := r.Tick(r.ctx); err != nil && r.ctx.Err() == nil {
				r.Log.Error("scheduler failed; next attempt in a minute", "error", err)
			}
			select {
			case <-r.ctx.Done():
				return
			case <-ticker.C:
			}
		}
	})
}

// Tick runs all jobs that are due now: missed days in order, then today.
func (r *Runner) Tick(ctx context.Context) error {
	settings, err := r.Store.Settings(ctx)
	if err != nil || settings.SchedulerSince.IsZero() {
		return err
	}
	err = r.Store.AcquireLease(ctx, leaseName, r.id, r.Store.Now().Add(leaseTime))
	if errors.Is(err, store.ErrLeased) {
		return nil
	}
	if err != nil {
		return err
	}
	leaseCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.renewLease(leaseCtx, cancel)
	today, err := r.Store.Today(leaseCtx)
	if err != nil {
		return err
	}
	for day := firstDay(settings, today); !day.After(today); day = day.AddDate(0, 0, 1) {
		if day.Equal(today) && r.Store.Now().In(settings.Zone()).Hour() < firstHour {
			break
		}
		for _, job := range store.JobNames {
			if err := r.runDay(leaseCtx, settings, job, day); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstDay returns the first day that the scheduler runs. It never runs days
// before it was switched on, so that importing data charges nobody.
func firstDay(settings store.Settings, today time.Time) time.Time {
	year, month, day := settings.SchedulerSince.In(settings.Zone()).Date()
	since := time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	if first := today.AddDate(0, 0, -maxMissedDays); first.After(since) {
		return first
	}
	return since
}

// renewLease renews the lease during a run, and stops the run if another server
// has the lease.
func (r *Runner) renewLease(ctx context.Context, stop context.CancelFunc) {
	ticker := time.NewTicker(tickInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := r.Store.AcquireLease(ctx, leaseName, r.id, r.Store.Now().Add(leaseTime)); errors.Is(err, store.ErrLeased) {
				stop()
				return
			}
		}
	}
}

// runDay runs a job of a day unless it is done. It runs a day again after
// rerunInterval, for subscriptions that became due since.
func (r *Runner) runDay(ctx context.Context, settings store.Settings, job store.JobName, day time.Time) error {
	runs, err := r.program().RunsOfDay(ctx, job, day)
	if err != nil {
		return err
	}
	idle := true // no run was active within rerunInterval
	done := len(runs) >= settings.ShardsRead
	for i := range runs {
		run := &runs[i]
		idle = idle && r.Store.Now().Sub(run.Updated) >= rerunInterval
		done = done && (run.State == store.JobDone || run.State == store.JobIncomplete)
	}
	if done && !idle {
		return nil
	}
	report, err := r.Run(ctx, RunRequest{Job: job, Date: day})
	if err == nil && report.Held == 0 {
		r.Log.Info("job finished", "job", string(job), "date", day.Format(time.DateOnly),
			"done", report.Done, "declined", report.Declined, "failed", report.Failed, "amount", report.Amount.String())
	}
	return err
}
