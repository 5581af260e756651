package jobs

import (
	"context"
	"errors"
	"time"

	"stockroom/store"
)

const (
	checkHour  = 2 // earliest hour of the nightly check, in the time zone of the business
	checkLease = "check"

	resumeWithin = 24 * time.Hour // maximum age of an interrupted check that is continued; an older one starts again, because the table has changed too much
)

// TickCheck checks the books of the business if the scheduler is on and today's check
// has not begun. Of several servers, the one that gets the lease does the check.
func (r *Runner) TickCheck(ctx context.Context) error {
	settings, err := r.Store.Settings(ctx)
	if err != nil || settings.SchedulerSince.IsZero() {
		return err
	}
	now := r.Store.Now().In(settings.Zone())
	if now.Hour() < checkHour {
		return nil
	}
	began, err := r.Store.LastCheckBegan(ctx)
	if err != nil || isSameDay(began, now) {
		return err
	}
	if _, err = r.Check(ctx); errors.Is(err, store.ErrLeased) {
		return nil
	}
	return err
}

// isSameDay reports whether two times are on the same day, in the time zone of the
// second one.
func isSameDay(t, other time.Time) bool {
	year, month, day := t.In(other.Location()).Date()
	y, m, d := other.Date()
	return year == y && month == m && day == d
}

// Check checks the books of the business and stores the report. It returns ErrLeased
// if another server is checking them.
func (r *Runner) Check(ctx context.Context) (report *store.CheckReport, err error) {
	ctx = store.WithCostJob(ctx, store.CostCheck)
	if err := r.Store.AcquireLease(ctx, checkLease, r.id, r.Store.Now().Add(leaseTime)); err != nil {
		return nil, err
	}
	defer func() {
		err = errors.Join(err, r.Store.ReleaseLease(context.WithoutCancel(ctx), checkLease, r.id))
	}()
	leased, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.renewLease(leased, checkLease, cancel)
	report, err = r.Store.RecordCheck(leased, store.BusinessCheck{UnitsPerSecond: r.ReadUnits, Resume: r.CheckProgress, ResumeWithin: resumeWithin})
	if err == nil {
		r.Log.Info("books checked", "items", report.Items, "findings", report.Findings(), "changing", report.Changing)
	}
	return report, err
}
