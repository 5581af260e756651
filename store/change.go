package store

import (
	"cmp"
	"context"
	"time"

	"stockroom/store/table"
)

// change collects the writes of one transaction: items, events, and additions to totals.
// Every write of a record has a condition, for example that the record is new or still has
// the version that was read. Writes of search words have no condition. Additions to totals
// and counts do not check the version.
type change struct {
	*table.Tx
	store     *Store
	by        string // user name, or Program
	why       string // reason for events without a reason of their own
	token     string // form token; "" for none
	about     string // partition key of the first event
	repeated  *bool  // see Access.Repeated
	undoes    *Event // the event that this change undoes; nil for other changes
	first     string // ID of the first event; see firstEvent
	ledger    string // ID of the event to which the next ledger entries belong; see nextEvent
	totals    totalSums
	stock     stockSums
	locked    []string     // see lockItems
	lockUntil time.Time    // until when the change waits for locks
	counts    []*JobCount  // additions to the counts of job runs; see addJobCounts
	sold      []*QuotaSlot // additions to the sales of quotas; see countSale
	slotted   []quotaKey   // quotas with sales in slots; see setSlots
	ranks     []quotaKey   // quotas that the change writes; see rankedQuotas
	jobTotal  *JobTotal    // additions to the totals of a job; nil for most changes; see gatherTotals

	currency   string // currency of the business, for texts of events
	address    string // IP address of the client, for events
	accessDays int    // see Settings.AccessDays
	taxRate    TaxRate
	numbering  bool // the change takes document numbers, so other changes that take numbers wait; see takeNumbers
}

// newChange returns an empty change by the program itself rather than by a user.
func (s *Store) newChange(settings Settings) *change {
	totals := totalSums{zone: settings.Zone(), shards: settings.Shards, slotted: settings.Shards > 1}
	return &change{
		Tx:     s.table.NewTx(settings.Shards),
		store:  s,
		by:     Program,
		totals: totals,

		currency:   settings.Currency,
		accessDays: settings.AccessDays,
		taxRate:    settings.TaxRate,
	}
}

// change returns an empty change by the program, with the current settings.
func (s *Store) change(ctx context.Context) (*change, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	c := s.newChange(settings)
	c.address = addressOf(ctx)
	return c, nil
}

// change returns an empty change by the user. With a form token, repeating the change
// has no effect; see Commit. If a.Wrong contains errors, Commit returns them.
func (a Access) change(ctx context.Context, token string) (*change, error) {
	if a.readOnly {
		return nil, errReadOnly()
	}
	c, err := a.store.change(ctx)
	if err != nil {
		return nil, err
	}
	c.by, c.why, c.token, c.undoes, c.repeated = a.user.Name, a.why, token, a.undoing, a.Repeated
	if err := a.Wrong.Err(); err != nil {
		c.Fail(err)
	}
	return c, nil
}

// recordEvent adds an event to the change. It sets the time, and the ID, user and
// reason if they are missing. The first event also gets the form token.
func (c *change) recordEvent(e Event) {
	id, err := c.store.ids.New()
	if err != nil {
		c.Fail(err)
		return
	}
	if c.about == "" {
		e.ID = cmp.Or(e.ID, c.first)
	}
	e.ID, e.When, e.By = cmp.Or(e.ID, id), c.store.now(), cmp.Or(e.By, c.by)
	e.Why = cmp.Or(e.Why, c.why)
	c.describeAccess(&e)
	if c.about == "" {
		c.about, e.Token, c.first = e.Partition, c.token, e.ID
		c.markUndone(&e)
	}
	c.Create(&e)
}

// nextEvent returns a new ID, with which the caller must record its next event. Ledger
// entries that the change adds from now on refer to this event, so that the ledger can
// offer to undo it.
func (c *change) nextEvent() string {
	id, err := c.store.ids.New()
	if err != nil {
		c.Fail(err)
	}
	c.ledger = id
	return id
}

// firstEvent returns the ID of the first event of the change, even before the change has
// recorded it.
func (c *change) firstEvent() string {
	if c.first == "" {
		id, err := c.store.ids.New()
		if err != nil {
			c.Fail(err)
		}
		c.first = id
	}
	return c.first
}

// recordEventOnce adds an event whose ID is the ULID of the form token. If the form is
// submitted again, the event already exists, so Commit writes nothing. Use it if a repeated
// submission would meet all other conditions of the change.
func (c *change) recordEventOnce(e Event) {
	id, err := c.store.newID(c.token)
	if err != nil {
		c.Fail(err)
		return
	}
	e.ID = id
	c.recordEvent(e)
}

// Commit writes the whole change or nothing. It also succeeds if a condition fails
// only because the same form was already submitted and its change was stored.
func (c *change) Commit(ctx context.Context) error {
	defer c.endNumbering()
	defer c.unlockItems()
	defer c.addToSlots(ctx)() // release the slots even after a panic, because other changes wait for them
	err := c.Tx.Commit(ctx)
	if err == nil {
		c.markRanked()
	}
	if KindOf(err) != Conflict {
		return err
	}
	err = c.store.okIfApplied(ctx, c.about, c.token, err)
	if err == nil {
		reportRepeated(c.repeated)
	}
	return err
}

// reportRepeated sets an Access.Repeated, which may be nil.
func reportRepeated(repeated *bool) {
	if repeated != nil {
		*repeated = true
	}
}

// rejectOutdated returns the Conflict for a form that showed an outdated version, or
// nil if the same form was already submitted. partition is the partition of the
// change's event.
func (c *change) rejectOutdated(ctx context.Context, partition string) error {
	return c.store.okIfApplied(ctx, partition, c.token, errOutdated())
}

// errOutdated returns the Conflict for a form that showed an outdated version.
func errOutdated() error { return fail(Conflict, "%s", table.ConflictMessage) }

// stepItems is the number of items per transaction in a change with several
// transactions. It is far below the limit of 100 actions, because larger transactions
// conflict more often with other changes.
const stepItems = 50

// unfinished converts an error after the main transaction to the kind Unfinished, because
// the change itself is saved. It does not convert NotFound and Forbidden.
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

// changeBackoff allows many tries, because many users may change the stock of a product at
// the same time. Of sixteen concurrent changes, the last one may need sixteen tries.
var changeBackoff = table.Backoff{Tries: 24, First: 10 * time.Millisecond, Longest: 250 * time.Millisecond}

// retryOnConflict calls the function change, and calls it again if an item has
// changed between reading and writing. The function must read the items in each call.
// retryOnConflict does not retry if a rule rejected the change, or if the form showed
// an outdated version.
func retryOnConflict(ctx context.Context, change func() error) error {
	return changeBackoff.Retry(ctx, table.ConditionFailed, change)
}
