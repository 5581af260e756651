package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/store/key"
)

const (
	tickInterval  = time.Minute
	firstHour     = 6         // earliest hour at which the scheduler runs jobs, so that no emails are sent at night
	rerunInterval = time.Hour // pause after which an unfinished day is run again
	leaseName     = "scheduler"
	leaseTime     = 3 * tickInterval
)

// ScheduleInBackground works in the background until Close. If the scheduler is on in the
// settings, it runs the jobs of each day, and the nightly check. In any case, it delivers
// the outbox, merges the slots of totals (see TickTotals), seals the history, erases closed
// customers, and writes the costs. It looks for such work every minute. If there are
// several servers, the one with the lease runs the jobs. Each task has its own goroutine,
// because some take long.
func (r *Runner) ScheduleInBackground() {
	tick := func(job store.CostJob, failure string, tick func(context.Context) error) {
		r.background.Go(func() { r.tickEachMinute(job, failure, tick) })
	}
	tick(store.CostScheduler, "scheduler failed; next attempt in a minute", r.Tick)
	tick(store.CostCheck, "check of the books failed", r.TickCheck)
	tick(store.CostEmails, "emails not delivered; next attempt in a minute", r.TickEmails)
	tick(store.CostSeals, "history not sealed; next attempt in a minute", r.TickSeals)
	tick(store.CostTotals, "slots of totals and quotas not merged; next attempt in a minute", r.TickTotals)
	tick(store.CostErasure, "closed customers not erased", r.TickClosed)
	tick(store.CostCosts, "costs not written; next attempt in a minute", r.Store.WriteCosts)
	r.writesCosts = true
}

// TickTotals merges slots into their quotas and totals. Slots are separate items with the
// latest changes of a quota or total. Each call merges the slots with new sales of account
// reps. Once a day, it also merges the slots of all quotas and of the totals of earlier
// days, and finishes renames of categories. See store.FoldNewSales, store.FoldQuotas,
// store.FoldTotals and store.FinishRenames. Every server does this, because doing it again
// changes nothing.
func (r *Runner) TickTotals(ctx context.Context) error {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return err
	}
	errSales := r.Store.FoldNewSales(ctx)
	now := r.Store.Now().In(settings.Zone())
	if isSameDay(r.folded, now) {
		return errSales
	}
	errQuotas := r.Store.FoldQuotas(ctx)
	_, errTotals := r.Store.FoldTotals(ctx)
	if errTotals == nil { // errQuotas does not matter: a damaged quota would fail again each minute
		r.folded = now
	}
	_, errRenames := r.Store.FinishRenames(ctx) // after an error, the next day's call continues
	return errors.Join(errSales, errQuotas, errTotals, errRenames)
}

func (r *Runner) tickEachMinute(job store.CostJob, failure string, tick func(context.Context) error) {
	ticker := time.NewTicker(tickInterval)
	defer ticker.Stop()
	ctx := store.WithCostJob(r.ctx, job)
	for {
		if err := tick(ctx); err != nil && r.ctx.Err() == nil {
			r.Log.Error(failure, "error", err)
		}
		select {
		case <-r.ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// Tick runs the jobs of all unfinished days up to today, in order. It does nothing before
// firstHour, or if the scheduler is off. It runs no payments if CheckPayments returns an
// error.
func (r *Runner) Tick(ctx context.Context) (err error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil || !r.mayRun(settings) {
		return err
	}
	err = r.Store.AcquireLease(ctx, leaseName, r.id, r.Store.Now().Add(leaseTime))
	if errors.Is(err, store.ErrLeased) {
		return nil
	}
	if err != nil {
		return err
	}
	dayJobs := slices.Clone(store.JobNames)
	refused := r.CheckPayments(ctx)
	r.logRefusal(refused)
	if refused != nil {
		// Run only the other jobs, and then release the lease, so that another server can
		// charge the payments.
		dayJobs = slices.DeleteFunc(dayJobs, func(job store.JobName) bool { return job == store.PaymentsJob })
		defer func() {
			err = errors.Join(err, r.Store.ReleaseLease(context.WithoutCancel(ctx), leaseName, r.id))
		}()
	}
	leaseCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.renewLease(leaseCtx, leaseName, r.id, cancel)
	today, err := r.Store.Today(leaseCtx)
	if err != nil {
		return err
	}
	backlog, err := r.Store.Backlog(leaseCtx, store.PaymentsJob)
	if err != nil {
		return err
	}
	found := settings  // the settings from before the backlog was read
	var open time.Time // the first day with unfinished payments
	var failed []error
	firstDay := backlog.FirstDay(settings) // the first day whose payments may be unfinished
	for day := firstOpenDay(settings, firstDay, today); !day.After(today) && leaseCtx.Err() == nil; day = day.AddDate(0, 0, 1) {
		if settings, err = r.Store.Settings(leaseCtx); err != nil {
			return errors.Join(append(failed, err)...)
		}
		if !r.mayRun(settings) {
			break
		}
		for _, job := range dayJobs {
			if job == store.PaymentsJob && day.Before(firstDay) || job == store.RemindersJob && day.Before(firstReminders(today)) {
				continue
			}
			if job == store.NoticesJob && (!settings.Notices || day.Before(today)) {
				continue
			}
			finished, err := r.runDay(leaseCtx, job, day)
			if err != nil {
				failed = append(failed, fmt.Errorf("%s of %s: %w", job, day.Format(time.DateOnly), err))
			}
			if job == store.PaymentsJob && !finished && open.IsZero() {
				open = day
			}
		}
	}
	if open.After(backlog.Since) && leaseCtx.Err() == nil {
		// A Conflict is no failure, because the next tick calls MoveBacklog again.
		if err := r.Store.MoveBacklog(leaseCtx, found, backlog, open); store.KindOf(err) != store.Conflict {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// firstOpenDay returns the first day that may have unfinished payments or reminders. The
// argument firstDay is the first day with unfinished payments. Reminders of an earlier day
// can be unfinished, for example if they could not be read when the payments were charged.
func firstOpenDay(settings store.Settings, firstDay, today time.Time) time.Time {
	if reminders := (store.JobBacklog{Since: firstReminders(today)}).FirstDay(settings); reminders.Before(firstDay) {
		return reminders
	}
	return firstDay
}

// firstReminders returns the first day for which the scheduler runs reminders.
func firstReminders(today time.Time) time.Time {
	return today.AddDate(0, 0, -store.DaysUntilLate)
}

func (r *Runner) mayRun(settings store.Settings) bool {
	return !settings.SchedulerSince.IsZero() && r.Store.Now().In(settings.Zone()).Hour() >= firstHour
}

// logRefusal logs why the scheduler runs no payments, unless it has just logged the same
// reason.
func (r *Runner) logRefusal(refused error) {
	reason := ""
	if refused != nil {
		reason = refused.Error()
	}
	if reason != r.refusal && reason != "" {
		r.Log.Error("scheduled payments do not start", "error", reason)
	}
	r.refusal = reason
}

// renewLease renews a lease of an owner until the context ends. If another owner gets the
// lease, renewLease calls stop.
func (r *Runner) renewLease(ctx context.Context, name, owner string, stop context.CancelFunc) {
	ticker := time.NewTicker(tickInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := r.Store.AcquireLease(ctx, name, owner, r.Store.Now().Add(leaseTime)); errors.Is(err, store.ErrLeased) {
				stop()
				return
			}
		}
	}
}

type jobDay struct {
	job         store.JobName
	day         time.Time
	zoneChanged time.Time // when the time zone last changed; see store.Settings
}

// runDay runs a job for a day that is not finished; see isFinished. After rerunInterval, it
// runs the same day again, for failed and new subscriptions. If another runner has left a
// run unfinished, it continues this run immediately.
func (r *Runner) runDay(ctx context.Context, job store.JobName, day time.Time) (finished bool, err error) {
	settings, err := r.Store.Settings(ctx)
	if err != nil {
		return false, err
	}
	known := jobDay{job, day, settings.ZoneChanged}
	if r.finished[known] {
		return true, nil
	}
	runs, err := r.program().RunsOfDay(ctx, job, day)
	if err != nil {
		return false, err
	}
	runs = slices.DeleteFunc(runs, func(run store.JobRun) bool { return run.Shard >= settings.ShardsRead })
	if isFinished(settings, runs, day) || job == store.NoticesJob && isDone(settings, runs) {
		r.finished[known] = true
		return true, nil
	}
	idle := true // no run was active within the last rerunInterval
	ended := len(runs) == settings.ShardsRead
	for i := range runs {
		run := &runs[i]
		idle = idle && r.Store.Now().Sub(run.Updated) >= rerunInterval
		stoppedElsewhere := run.State == store.JobStopped && !strings.HasPrefix(run.Owner, r.id+"/") // for example because the server of that run was restarted
		ended = ended && run.State != store.JobRunning && !stoppedElsewhere
	}
	if ended && !idle {
		return false, nil
	}
	report, err := r.Run(ctx, RunRequest{Job: job, Date: day})
	if err == nil && report.Held == 0 {
		r.Log.Info("job finished", "job", string(job), "date", day.Format(time.DateOnly),
			"done", report.Done, "declined", report.Declined, "failed", report.Failed, "unknown", report.Unknown, "amount", report.Amount.String())
	}
	return false, err
}

// isDone reports whether the runs of a day have processed everything in all shards. For
// notices, this is enough, because they need no run after the end of the day.
func isDone(settings store.Settings, runs []store.JobRun) bool {
	return len(runs) == settings.ShardsRead && !slices.ContainsFunc(runs, func(run store.JobRun) bool { return run.State != store.JobDone })
}

// isFinished reports whether everything that was due on a day has been processed. For this,
// a run must have begun after the end of the day, because new subscriptions can become due
// until then. It must also have begun after the last Reshard, because Reshard can move
// subscriptions into shards that are done. It must also have begun after the last change of
// the time zone, because the day can begin again after this change.
func isFinished(settings store.Settings, runs []store.JobRun, day time.Time) bool {
	year, month, date := day.Date()
	end := key.StartOfDay(year, month, date+1, settings.Zone())
	return !settings.Moving && len(runs) == settings.ShardsRead &&
		!slices.ContainsFunc(runs, func(run store.JobRun) bool {
			return run.State != store.JobDone || run.Leased.Before(end) || !run.Leased.After(settings.Moved) || !run.Leased.After(settings.ZoneChanged)
		})
}
