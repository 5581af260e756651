package store

import (
	"cmp"
	"context"
	"time"

	"stockroom/store/table"
)

// change collects the writes of one transaction, its events and its additions to
// totals. Every write has a condition: the item is new, or still has the version
// that was read. Additions to totals and counts need no condition.
type change struct {
	*table.Tx
	store  *Store
	by     string // the user's name
	why    string // of the events that do not say it
	token  string // of the form; "" if there is none
	about  string // the partition of the first event
	totals totalSums
}

// newChange returns an empty change by the program itself.
func (s *Store) newChange(settings Settings) *change {
	return &change{
		Tx:     s.table.NewTx(settings.Shards),
		store:  s,
		by:     Program,
		totals: totalSums{zone: settings.Zone(), shards: settings.Shards},
	}
}

// change returns an empty change by the program itself, with the current settings.
func (s *Store) change(ctx context.Context) (*change, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	return s.newChange(settings), nil
}

// change returns an empty change by the user. token is the token of the form, which
// makes the change idempotent; see Commit.
func (a Access) change(ctx context.Context, token string) (*change, error) {
	if a.readOnly {
		return nil, errReadOnly()
	}
	c, err := a.store.change(ctx)
	if err != nil {
		return nil, err
	}
	c.by, c.why, c.token = a.user.Name, a.why, token
	return c, nil
}

// recordEvent adds an event to the change. It sets the ID, time and user that the
// event lacks. The first event also gets the token of the form.
func (c *change) recordEvent(e Event) {
	id, err := c.store.ids.New()
	if err != nil {
		c.Fail(err)
		return
	}
	e.ID, e.When, e.By = cmp.Or(e.ID, id), c.store.now(), cmp.Or(e.By, c.by)
	e.Why = cmp.Or(e.Why, c.why)
	if c.about == "" {
		c.about, e.Token = e.Partition, c.token
	}
	c.Create(&e)
}

// Commit writes the whole change or nothing. If a condition fails because the same
// form was submitted before, the change is already stored and Commit succeeds.
func (c *change) Commit(ctx context.Context) error {
	c.updateTotals()
	err := c.Tx.Commit(ctx)
	if KindOf(err) != Conflict {
		return err
	}
	return c.store.okIfApplied(ctx, c.about, c.token, err)
}

// rejectOutdated returns Conflict: the form showed another version than the current
// one. It returns nil if the same form was submitted before. partition is the
// partition of the change's event.
func (c *change) rejectOutdated(ctx context.Context, partition string) error {
	return c.store.okIfApplied(ctx, partition, c.token, errOutdated())
}

// errOutdated returns the Conflict of a form that showed another version than the
// current one.
func errOutdated() error { return fail(Conflict, "%s", table.ConflictMessage) }

// stepItems is the number of items that one step of an unfinished change writes. It
// is far below the 100 actions of a transaction, because a larger step conflicts
// more often with other changes.
const stepItems = 50

// unfinished returns an Unfinished error if a step of a change failed that was
// saved before.
func unfinished(err error, message string) error {
	switch KindOf(err) {
	case NotFound, Forbidden:
		return err
	}
	if err == nil {
		return nil
	}
	return &Error{Kind: Unfinished, Message: message, Err: err}
}

// changeBackoff allows many tries, because many users may change the stock of one
// product at once. Of sixteen concurrent changes, the last one needs sixteen tries.
var changeBackoff = table.Backoff{Tries: 24, First: 10 * time.Millisecond, Longest: 250 * time.Millisecond}

// retryOnConflict calls change again, which reads again, if an item changed between
// reading and writing. It does not retry if a rule rejected the change, or if the
// version that the form showed is no longer current.
func retryOnConflict(ctx context.Context, change func() error) error {
	return changeBackoff.Retry(ctx, table.ConditionFailed, change)
}
