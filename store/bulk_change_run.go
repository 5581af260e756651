package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// bulkStart is the maximum time from the start of a bulk change until a runner leases it.
// After that, the change counts as stopped.
const bulkStart = 30 * time.Second

// BulkRun is a bulk change that a runner has leased. Its rows are applied with the
// permissions of the user who created the bulk change.
type BulkRun struct {
	BulkChange
	store  *Store
	access Access

	listed map[string]int // counts from the rows listed so far, such as the pieces that they take from a warehouse; see remember
}

// LeaseBulkChange leases a started bulk change to a runner. It returns ErrLeased if
// another runner has the lease, or if the state is neither BulkListing nor BulkRunning.
func (s *Store) LeaseBulkChange(ctx context.Context, id, owner string, until time.Time) (*BulkRun, error) {
	b, err := s.bulkChange(ctx, id)
	if err != nil {
		return nil, err
	}
	if !b.isActive() || b.Owner != "" && b.Owner != owner && b.Until.After(s.now()) {
		return nil, ErrLeased
	}
	r := &BulkRun{BulkChange: *b, store: s}
	r.Owner, r.Until = owner, until
	return r, r.write(ctx, nil)
}

// Authorize reads the user who created the bulk change, and gives r the permissions of
// this user. It returns Forbidden if the user does not exist, is locked or no longer has
// the permission, or no longer manages the warehouses and stores.
func (r *BulkRun) Authorize(ctx context.Context) error {
	user, err := r.store.CurrentUser(ctx, r.By, r.Kind.Permission())
	if err != nil {
		return err
	}
	if r.WarehouseID != "" && !user.InCharge(r.WarehouseID) || !user.inChargeOf(r.Places) {
		return errNotAllowedAnymore(r.By)
	}
	r.access = r.store.As(user)
	r.access.why = r.why()
	return nil
}

// write stores the next version of the bulk change. Other writes of the same change come
// from also, which may be nil. If the user has asked to stop, write sets Stop. It returns
// ErrLeased if r no longer has the lease, because another runner has it or the bulk change
// was cancelled.
func (r *BulkRun) write(ctx context.Context, also func(*change)) error {
	return retryOnConflict(ctx, func() error {
		c, err := r.store.change(ctx)
		if err != nil {
			return err
		}
		c.by = r.By
		next := r.BulkChange
		next.Updated = r.store.now()
		c.replaceNext(&next, &next.Version)
		if also != nil {
			also(c)
		}
		conflict := c.Commit(ctx)
		if conflict == nil {
			r.BulkChange = next
			return nil
		}
		if KindOf(conflict) != Conflict {
			return conflict
		}
		found, err := r.store.bulkChange(ctx, r.ID)
		switch {
		case err != nil:
			return err
		case found.Owner != r.Owner:
			return ErrLeased
		}
		r.Version, r.Stop = found.Version, found.Stop
		return conflict
	})
}

// Save stores the counts, the state and the end of the lease. It records an event if the
// state is BulkDone or BulkStopped and the preview is complete. Save returns ErrLeased if r
// no longer has the lease; see write.
func (r *BulkRun) Save(ctx context.Context, state BulkState, until time.Time) error {
	r.State, r.Until = state, until
	return r.write(ctx, func(c *change) {
		if what := bulkEvents[state]; what != "" && r.Listed {
			c.recordEvent(Event{Partition: partitionOf(getBulkChange, "bulkID", r.ID), What: what, Subject: r.Describe(), After: r.result(), Why: r.Problem})
		}
	})
}

var bulkEvents = map[BulkState]EventCode{BulkDone: EventBulkChangeDone, BulkStopped: EventBulkChangeStopped}

func (b *BulkChange) result() string {
	return fmt.Sprintf("%d changed, %d failed, %d skipped, %d not changed yet", b.Changed, b.Failed, b.Skipped, b.ToDo())
}

// Recount sets the counts of changed, failed and skipped rows to zero.
func (r *BulkRun) Recount() { r.Changed, r.Failed, r.Skipped = 0, 0, 0 }

// List adds up to stepItems rows to the preview, and reports whether more rows follow. One
// transaction stores the rows and the position, so that an interrupted listing can
// continue. until is the new end of the lease. After the last rows, the lease ends
// immediately. If more than MaxBulkRows rows match, the state becomes BulkRefused.
func (r *BulkRun) List(ctx context.Context, until time.Time) (more bool, err error) {
	rows, next, err := r.nextRows(ctx)
	if err != nil {
		r.listed = nil
		return false, err
	}
	before := r.BulkChange
	r.Next, r.Until = next, until
	r.Rows += len(rows)
	if more = next != nil || r.Rows < len(r.Selected); !more {
		r.State, r.Listed = BulkReady, true
	}
	if r.Rows > MaxBulkRows || r.Rows == MaxBulkRows && more {
		more, r.State, r.Listed = false, BulkRefused, false
		r.Problem = fmt.Sprintf("More than %s match. Use the filters to shorten the list.", r.Kind.countRows(MaxBulkRows))
	}
	if !more {
		r.Until = r.store.now()
	}
	for i := range rows {
		r.Count(rows[i].Outcome)
		if r.Kind == BulkShip && rows[i].isUnpaid() {
			r.Unpaid++
		}
	}
	err = r.write(ctx, func(c *change) {
		for i := range rows {
			c.Create(&rows[i])
		}
	})
	if err != nil {
		r.BulkChange, r.listed = before, nil
	}
	return more, err
}

func (r *BulkRun) nextRows(ctx context.Context) (rows []BulkRow, next *Position, err error) {
	if r.Undoes != "" {
		return r.previewUndo(ctx)
	}
	if err := r.recall(ctx); err != nil {
		return nil, nil, err
	}
	return bulkKinds[r.Kind].list(r, ctx)
}

// recall rebuilds r.listed from the stored rows of an interrupted preview.
func (r *BulkRun) recall(ctx context.Context) error {
	if r.listed != nil {
		return nil
	}
	r.listed = map[string]int{}
	var from Item
	for more := r.Rows > 0; more; more = from != nil {
		rows, next, err := r.ReadRows(ctx, MaxLimit, from)
		if err != nil {
			r.listed = nil
			return err
		}
		for i := range rows {
			r.remember(&rows[i])
		}
		from = next
	}
	return nil
}

// remember updates r.listed with the counts of a row of the preview, on which later rows
// depend. For example, pieces that a row takes from a warehouse are not available for later
// rows.
func (r *BulkRun) remember(row *BulkRow) {
	switch {
	case r.Kind == BulkTransfer: // count the pieces that each stock item sends
		r.listed[StockRowID(row.ProductID, row.SourceID)] += row.quantity()
	case r.Kind == BulkDelivery && row.Max > 0: // count the rows of each product that can get a delivery
		r.listed[row.ProductID]++
	case r.Kind == BulkShip && row.Outcome != BulkSkipped: // count the pieces that each stock item ships
		shipped, _ := linesByProduct(row.Lines)
		for product, n := range shipped {
			r.listed[StockRowID(product, row.SourceID)] += n
		}
	case r.Kind == BulkRentalReminder: // count the emails of each renter
		r.listed[row.PersonID]++
	}
}

// nextSelected returns the IDs of up to limit selected rows that are not in the preview
// yet. If the user selected no rows, it returns none.
func (r *BulkRun) nextSelected(limit int) []string {
	from := min(r.Rows, len(r.Selected))
	return r.Selected[from:min(from+limit, len(r.Selected))]
}

// ReadRows makes a consistent read of up to limit rows that follow the row with the key
// from. If from is nil, it starts with the first row. next is the key to pass as from to
// the next call, or nil at the end.
func (r *BulkRun) ReadRows(ctx context.Context, limit int, from Item) (rows []BulkRow, next Item, err error) {
	items, next, err := r.store.table.QueryOnce(ctx, table.Request{Pattern: getBulkRows, Values: key.Map{"bulkID": r.ID}, Limit: limit, Consistent: true, From: from})
	rows, err = decodeAll(items, err, decodeAs[BulkRow])
	return rows, next, err
}

// errUnchanged is the error of a row that no longer needs a change.
var errUnchanged = fail(Invalid, nothingToChange)

// nothingToChange is the reason of a skipped row.
const nothingToChange = "Nothing to change."

// Apply changes the record of a row that is not done, and stores the outcome in the
// same transaction. The row fails if the record has changed since the preview or a rule
// rejects the change. The row is skipped if it no longer needs a change. Apply returns an
// error if the outcome is unknown or could not be stored.
func (r *BulkRun) Apply(ctx context.Context, row *BulkRow) (BulkOutcome, error) {
	done := *row
	done.Outcome, done.Version = BulkChanged, row.Version+1
	a, err := r.accessFor(ctx, row)
	if err == nil {
		err = bulkKinds[r.Kind].apply(r, ctx, a, row, func(c *change) {
			done.EventID, done.After = c.firstEvent(), row.After
			c.Replace(&done, row.Version)
		})
	}
	if err == nil {
		return BulkChanged, nil
	}
	var rejected *Error
	if !errors.As(err, &rejected) || table.IsTransient(err) || ctx.Err() != nil || rejected.Kind == Unconfirmed {
		return BulkToDo, err
	}
	done.Outcome, done.Why, done.EventID = BulkFailed, rejected.Message, ""
	switch {
	case errors.Is(err, errUnchanged):
		done.Outcome = BulkSkipped
	case rejected.Kind == Conflict:
		done.Why = "Changed after the preview."
	case rejected.Kind == NotFound:
		done.Why = "Not found. It was deleted after the preview."
	}
	c, err := r.store.change(ctx)
	if err != nil {
		return BulkToDo, err
	}
	c.Replace(&done, row.Version)
	if err := c.Commit(ctx); KindOf(err) == Conflict { // another runner has already applied this row
		return BulkToDo, ErrLeased
	} else if err != nil {
		return BulkToDo, err
	}
	return done.Outcome, nil
}
