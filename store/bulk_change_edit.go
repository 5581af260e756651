package store

import (
	"context"
	"slices"
)

// AddBulkChange stores a new bulk change with the state BulkListing. It changes no record,
// but for a BulkCategory, it adds a new category to the list of categories. A runner must
// then list its rows: the selected rows, or all rows that match the filter if selected is
// empty. AddBulkChange returns Invalid if more than MaxLimit rows are selected, if
// BulkChange.check or useCategory rejects a value, or if the user has no warehouse or store
// for this kind of change. If the form was already submitted, it returns the change of that
// submission, or Conflict if that submission had other values.
func (a Access) AddBulkChange(ctx context.Context, b BulkChange, selected []string, token string) (*BulkChange, error) {
	if err := a.require(ChangeMany); err != nil {
		return nil, err
	}
	if err := a.require(b.Kind.Permission()); err != nil {
		return nil, err
	}
	for _, id := range selected {
		if !slices.Contains(b.Selected, id) {
			b.Selected = append(b.Selected, id)
		}
	}
	if len(b.Selected) > MaxLimit {
		return nil, InvalidField("", "Select at most %s, or all that match the filters.", b.Kind.countRows(MaxLimit))
	}
	if err := b.check(ctx, a); err != nil {
		return nil, err
	}
	if b.By = a.user.Name; !a.maySeeBulk(&b) {
		return nil, InvalidField("", "%s", b.Kind.unassigned())
	}
	return a.storeBulkChange(ctx, b, token)
}

func (a Access) storeBulkChange(ctx context.Context, b BulkChange, token string) (*BulkChange, error) {
	id, err := a.store.newID(token)
	if err != nil {
		return nil, err
	}
	now := a.store.now()
	b.ID, b.By, b.State, b.Token, b.Version = id, a.user.Name, BulkListing, token, 1
	b.Created, b.Updated, b.Expires = now, now, now.AddDate(0, 0, bulkDays)
	b.Until = now.Add(bulkStart)
	c, err := a.change(ctx, "")
	if err != nil {
		return nil, err
	}
	if b.Kind == BulkCategory && b.Undoes == "" { // an undo sets the categories of its rows
		p := Product{Category: b.Category}
		also, err := a.useCategory(ctx, nil, &p)
		if err != nil {
			return nil, err
		}
		b.Category = p.Category
		also(c)
	}
	c.Create(&b)
	if err := c.Commit(ctx); err != nil {
		return a.sameBulkChange(ctx, &b, err)
	}
	return &b, nil
}

// sameBulkChange returns the stored bulk change if the form was already submitted.
// Otherwise it returns rejection, the error of this submission.
func (a Access) sameBulkChange(ctx context.Context, b *BulkChange, rejection error) (*BulkChange, error) {
	if KindOf(rejection) != Conflict || b.Token == "" {
		return nil, rejection
	}
	found, err := a.BulkChange(ctx, b.ID)
	if err != nil {
		return nil, err
	}
	if _, err := isApplied(found.Token, b.Token); err != nil {
		return nil, err
	}
	return found, nil
}

// StartBulkChange starts a bulk change with a complete preview, or continues one that has
// stopped. A runner must then run the bulk change. version is the version that the form
// showed. Only the user who created the bulk change can start it. StartBulkChange returns
// Conflict if the version is outdated, or if the bulk change is running or has ended. It
// can also return Forbidden or NotFound.
func (a Access) StartBulkChange(ctx context.Context, id string, version int, token string) (*BulkChange, error) {
	b, err := a.BulkChange(ctx, id)
	if err != nil {
		return nil, err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return nil, err
	}
	partition := partitionOf(getBulkChange, "bulkID", id)
	switch state := b.StateAt(a.store.now()); {
	case b.Version != version:
		return b, c.rejectOutdated(ctx, partition)
	case b.By != a.user.Name:
		return nil, fail(Forbidden, "Only %s, who prepared this change, can start it.", b.By)
	case state != BulkReady && state != BulkStopped:
		return nil, fail(Conflict, "This change is already running, or has already ended.")
	}
	if err := a.require(b.Kind.Permission()); err != nil {
		return nil, err
	}
	next := *b
	next.State, next.Stop, next.Problem, next.Owner = BulkListing, false, "", ""
	if next.Listed {
		next.State = BulkRunning
		c.recordEvent(Event{Partition: partition, What: EventBulkChangeStarted, Subject: b.Describe(), After: b.Kind.countRows(b.ToDo()), Why: b.Reason})
	}
	next.Updated = a.store.now()
	next.Until = next.Updated.Add(bulkStart)
	c.replaceNext(&next, &next.Version)
	return &next, c.Commit(ctx)
}

// StopBulkChange asks the runner of a bulk change to stop. It does nothing if the change is
// not running.
func (a Access) StopBulkChange(ctx context.Context, id string) error {
	return retryOnConflict(ctx, func() error {
		b, err := a.BulkChange(ctx, id)
		if err != nil || b.Stop || !b.isActive() {
			return err
		}
		c, err := a.change(ctx, "")
		if err != nil {
			return err
		}
		next := *b
		next.Stop = true
		c.replaceNext(&next, &next.Version)
		return c.Commit(ctx)
	})
}

// CancelBulkChange cancels a bulk change that has changed nothing yet. It does nothing if
// the bulk change is already cancelled. CancelBulkChange returns Conflict if the change has
// started. Only the user who created the bulk change and admins can cancel it.
func (a Access) CancelBulkChange(ctx context.Context, id string) (b *BulkChange, err error) {
	err = retryOnConflict(ctx, func() error {
		if b, err = a.BulkChange(ctx, id); err != nil {
			return err
		}
		switch {
		case !b.IsCancelledBy(a.user):
			return fail(Forbidden, "Only %s, who prepared this change, and admins can cancel it.", b.By)
		case !b.CanCancel():
			return fail(Conflict, "This change has already started.")
		case b.State == BulkCancelled:
			return nil
		}
		c, err := a.change(ctx, "")
		if err != nil {
			return err
		}
		next := *b
		next.State, next.Owner, next.Updated = BulkCancelled, "", a.store.now() // a runner that is listing the rows stops, because it is no longer the owner
		c.replaceNext(&next, &next.Version)
		c.recordEvent(Event{Partition: partitionOf(getBulkChange, "bulkID", id), What: EventBulkChangeCancelled, Subject: b.Describe()})
		return c.Commit(ctx)
	})
	return b, err
}
