package jobs

import (
	"context"
	"errors"
	"fmt"

	"stockroom/store"
)

// Closed customers are erased from eraseFrom to eraseTo o'clock, in the time zone of the
// business. A change of the settings therefore takes effect only at night. In some time
// zones, the hour from 03:00 to 04:00 is missing on the day on which the clocks change.
const eraseFrom, eraseTo = 3, 5

// TickClosed erases the personal data of closed customers, if the settings say so. It does
// so once a day, after eraseFrom, for at most store.MaxErasedADay customers; see
// store.DueForErasure. If there are several servers, only one of them does so. After an
// interruption, the customers that remain are erased on the next day.
func (r *Runner) TickClosed(ctx context.Context) error {
	settings, err := r.Store.Settings(ctx)
	if err != nil || settings.EraseClosedDays == 0 {
		return err
	}
	now := r.Store.Now().In(settings.Zone())
	if hour := now.Hour(); hour < eraseFrom || hour >= eraseTo {
		return nil
	}
	report, err := r.Store.BeginErasures(ctx, now.Location())
	if err != nil || report == nil {
		return err
	}
	return r.eraseClosed(ctx, report)
}

// eraseClosed erases the customers who are due, and stores the report. After an error, it
// continues with the next customer, unless ctx is cancelled. It returns the errors that are
// not expected; see skips.
func (r *Runner) eraseClosed(ctx context.Context, report *store.ErasureReport) error {
	due, err := r.Store.DueForErasure(ctx, report.Tried)
	for _, next := range due {
		report.Tried = next
		if failed := r.eraseOne(ctx, next.ID); failed == nil {
			report.Erased++
		} else if !skips(report, next.ID, failed) {
			err = errors.Join(err, fmt.Errorf("erase customer %s: %w", next.ID, failed))
		}
		if ctx.Err() != nil || report.Erased == store.MaxErasedADay {
			break
		}
	}
	report.Ended = r.Store.Now()
	saving, stop := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer stop()
	err = errors.Join(err, r.Store.SaveErasures(saving, report))
	r.Log.Info("closed customers erased", "erased", report.Erased, "skipped", report.Skips)
	return err
}

// skips adds a customer who was not erased to the report, with the reason. It returns true
// if the reason is expected: the customer has something open, or another server is erasing
// the customer.
func skips(report *store.ErasureReport, id string, err error) bool {
	var known *store.Error
	switch {
	case errors.Is(err, store.ErrLeased):
		report.Skip(id, "The personal data is being erased.")
	case errors.As(err, &known) && known.Kind == store.Conflict:
		report.Skip(id, known.Message)
	case errors.Is(err, context.Canceled):
		report.Skip(id, "The server stopped before the erasure was finished.")
		return false
	default:
		report.Skip(id, "Something went wrong. The server's log has the details.")
		return false
	}
	return true
}

// eraseOne erases one customer, under the same lease as StartErasure.
func (r *Runner) eraseOne(ctx context.Context, id string) error {
	owner, err := r.leaseErasure(ctx, id)
	if err != nil {
		return err
	}
	_, err = r.eraseLeased(ctx, r.program(), id, owner, true)
	return err
}
