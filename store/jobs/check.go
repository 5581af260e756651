package jobs

import (
	"context"
	"errors"
	"time"

	"stockroom/store"
)

const (
	checkHour  = 2 // of the business's day: the nightly check does not begin before
	checkLease = "check"

	resumeWithin = 24 * time.Hour // an older position says little about the table of today
)

// TickCheck checks the books of the business if the scheduler is on and no check has
// begun today. If there are several servers, the one with the lease does it.
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

// isSameDay reports whether a time is on the day of another, in the zone of that.
func isSameDay(t, of time.Time) bool {
	year, month, day := t.In(of.Location()).Date()
	y, m, d := of.Date()
	return year == y && month == m && day == d
}

// Check checks the books and keeps the result. It returns ErrLeased while another
// server checks.
func (r *Runner) Check(ctx context.Context) (report *store.CheckReport, err error) {
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
