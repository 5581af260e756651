package jobs

import (
	"context"
	"time"
)

// TickSeals seals the past days of the history after the newest seal (see SealDays), even
// if the scheduler is off. A seal proves which events the history had for the day.
// TickSeals does nothing if this process has no audit key.
func (r *Runner) TickSeals(ctx context.Context) error {
	if !r.Store.HasUnsealedDays(r.sealedTo) {
		return nil
	}
	newest, sealed, err := r.Store.SealDays(ctx, time.Time{})
	if newest != nil {
		r.sealedTo = newest.Day
	}
	if sealed > 0 {
		r.Log.Info("history sealed", "days", sealed, "newest", newest.Day.Format(time.DateOnly), "seal", newest.MAC)
	}
	return err
}
