package jobs

import (
	"context"
	"errors"
	"time"

	"stockroom/store"
)

const (
	checkHour = 2 // earliest hour of the nightly check, in the time zone of the business

	resumeWithin = 24 * time.Hour // how long an interrupted check can be continued; after that, too much of the table has changed
)

// TickCheck checks the books of the business after checkHour, if the scheduler is on and no
// check has begun today since then. If there are several servers, only the one with the
// lease checks the books.
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
	if err != nil || isSameDay(began, now) && began.In(now.Location()).Hour() >= checkHour { // not a time of day, which can occur twice
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
// if this or another server is checking them.
func (r *Runner) Check(ctx context.Context) (report *store.CheckReport, err error) {
	if err := r.acquireCheck(ctx); err != nil {
		return nil, err
	}
	return r.checkBooks(ctx)
}

// StartCheck starts Check in the background. It returns ErrLeased if this or another
// server is checking the books.
func (r *Runner) StartCheck(ctx context.Context) error {
	if err := r.acquireCheck(ctx); err != nil {
		return err
	}
	r.background.Go(func() {
		if _, err := r.checkBooks(r.ctx); err != nil && !errors.Is(err, context.Canceled) {
			r.Log.Error("the books were not checked", "error", err)
		}
	})
	return nil
}

// CheckedItems returns the number of items that the running check on this server has read.
// It returns 0 if this server is not checking the books.
func (r *Runner) CheckedItems() int {
	if !r.checking.Load() {
		return 0
	}
	return int(r.checkedItems.Load())
}

// acquireCheck acquires the lease of the check. It also sets r.checking, because the lease
// does not prevent a second check on this server.
func (r *Runner) acquireCheck(ctx context.Context) error {
	if !r.checking.CompareAndSwap(false, true) {
		return store.ErrLeased
	}
	r.checkedItems.Store(0)
	err := r.Store.AcquireLease(store.WithCostJob(ctx, store.CostCheck), store.CheckLease, r.id, r.Store.Now().Add(leaseTime))
	if err != nil {
		r.checking.Store(false)
	}
	return err
}

// checkBooks does the work of Check, and then releases the lease.
func (r *Runner) checkBooks(ctx context.Context) (report *store.CheckReport, err error) {
	ctx = store.WithCostJob(ctx, store.CostCheck)
	defer r.checking.Store(false)
	defer func() {
		err = errors.Join(err, r.Store.ReleaseLease(context.WithoutCancel(ctx), store.CheckLease, r.id))
	}()
	leased, cancel := context.WithCancel(ctx)
	defer cancel()
	go r.renewLease(leased, store.CheckLease, r.id, cancel)
	report, err = r.Store.RecordCheck(leased, store.BusinessCheck{UnitsPerSecond: r.ReadUnits, Progress: func(items int) { r.checkedItems.Store(int64(items)) }, Resume: r.CheckProgress, ResumeWithin: resumeWithin, Wait: r.CheckWait})
	if err == nil {
		r.Log.Info("books checked", "items", report.Items, "findings", report.Findings(), "changing", report.Changing)
	}
	return report, err
}
