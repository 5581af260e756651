package store

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/table"
)

// LoadOptions are the options of Load.
type LoadOptions struct {
	DryRun         bool           // report what would happen, write nothing
	TotalsIncluded bool           // the entities include their totals and quotas, so Load counts nothing
	SamePeople     bool           // two records with one ID are one person, even without a matching email
	Progress       func(done int) // called now and then; may be nil

	// Computed returns the attributes of the entity at an index that were computed,
	// because its file lacks them. They are not compared with a stored item.
	// Computed may be nil.
	Computed func(index int) []string
}

// LoadResult counts the outcomes of the entities given to Load.
type LoadResult struct {
	Added     map[string]int // by entity type
	Unchanged int            // identical to an item in the table
	Renewed   int            // expired receipts, stored with a new TTL
	Rejected  []RejectedEntity
	Outcomes  []Outcome // of each entity
}

// Outcome says what happened to an entity that was loaded.
type Outcome uint8

// The outcomes.
const (
	NotReached       Outcome = iota // an error ended Load before
	OutcomeAdded                    // inserted
	OutcomeUnchanged                // identical to the item in the table
	OutcomeUpdated                  // a total or quota that replaced a smaller one
	OutcomeRepeated                 // identical to an earlier entity
	OutcomeCompared                 // a total or quota that a dry run could not compare, because its rows are not written
	OutcomeRejected
)

// RejectedEntity is an entity that Load did not insert.
type RejectedEntity struct {
	Index  int // in the entities given to Load
	Reason string
}

const (
	loadChunk   = table.MaxActions // rows per transaction
	loadWriters = 16               // concurrent transactions
)

// Load inserts entities into the table. Entities that are in the table already
// are not changed: identical ones count as unchanged, different ones are
// rejected. Loading twice therefore changes nothing. Neighbouring entities of
// one partition are written in one transaction if they fit.
//
// Orders, their lines, subscriptions and receipts are added to totals and quotas
// in the transaction that inserts them. Totals and quotas among the entities are
// compared with these; see loadTotals.
func (s *Store) Load(ctx context.Context, entities []Entity, options LoadOptions) (LoadResult, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return LoadResult{}, err
	}
	l := loader{store: s, options: options, settings: settings, result: LoadResult{Added: map[string]int{}, Outcomes: make([]Outcome, len(entities))}}
	rows, err := l.rejectOtherPeople(ctx, l.encode(entities, settings.Shards))
	if err != nil {
		return l.result, err
	}
	counted, totals := []loadGroup(nil), []loadRow(nil)
	if !options.TotalsIncluded {
		counted, totals, rows = l.splitCounted(rows)
	}
	for _, load := range []func() error{
		func() error { return l.loadCounted(ctx, counted) },
		func() error { return l.loadUncounted(ctx, rows) },
		func() error { return l.loadTotals(ctx, totals) },
		func() error { return l.nameQuotas(ctx, entities) },
	} {
		if err == nil {
			err = load()
		}
	}
	slices.SortFunc(l.result.Rejected, func(a, b RejectedEntity) int { return a.Index - b.Index })
	return l.result, err
}

// loader runs one call of Load.
type loader struct {
	store    *Store
	options  LoadOptions
	settings Settings

	mu     sync.Mutex // guards what follows
	done   int
	result LoadResult
}

// inChunks splits rows into chunks and calls load for each, concurrently.
func inChunks(ctx context.Context, rows []loadRow, load func(context.Context, []loadRow) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	for _, chunk := range chunks(rows, loadChunk) {
		group.Go(table.Recovering(func() error { return load(ctx, chunk) }))
	}
	return group.Wait()
}

// loadUncounted inserts rows that change neither totals nor quotas.
func (l *loader) loadUncounted(ctx context.Context, rows []loadRow) error {
	if l.store.table.CanBulkLoad() && !l.options.DryRun {
		return l.bulkLoad(ctx, rows)
	}
	return inChunks(ctx, rows, l.load)
}

// loadBackoff is for an import whose table is busy even after the tries of one
// transaction. It waits for about a minute in total.
var loadBackoff = table.Backoff{Tries: 12, First: 200 * time.Millisecond, Longest: 8 * time.Second}

// retryLoad is retryOnConflict for an import, which also continues while the table
// is busy: its own writers may compete for the same items.
func retryLoad(ctx context.Context, load func() error) error {
	return retryBusy(ctx, func() error { return retryOnConflict(ctx, load) })
}

// retryBusy continues an import while the table is busy.
func retryBusy(ctx context.Context, work func() error) error {
	return loadBackoff.Retry(ctx, func(err error) bool { return KindOf(err) == Busy }, work)
}

// load inserts rows in one transaction. If the rows and their totals and quotas do
// not fit, it uses several. After a conflict with a concurrent writer, it reads and
// writes again.
func (l *loader) load(ctx context.Context, rows []loadRow) error {
	tooLarge := false
	err := retryLoad(ctx, func() error {
		existing, err := l.existing(ctx, rows)
		if err != nil {
			return err
		}
		var added []loadRow
		for _, row := range rows {
			if existing[row.place()] == nil {
				added = append(added, row)
			}
		}
		if len(added) > 0 && !l.options.DryRun {
			c, err := l.insertion(ctx, added)
			if err != nil {
				return err
			}
			if len(rows) > 1 && c.Len()+len(c.totals.totals) > table.MaxActions {
				tooLarge = true
				return nil
			}
			if err := c.Commit(ctx); err != nil {
				return err
			}
		}
		l.record(rows, existing)
		return nil
	})
	if err != nil || !tooLarge {
		return err
	}
	half := len(rows) / 2
	if err := l.load(ctx, rows[:half]); err != nil {
		return err
	}
	return l.load(ctx, rows[half:])
}

// insertion returns a change that inserts rows and adds them to totals and quotas.
func (l *loader) insertion(ctx context.Context, rows []loadRow) (*change, error) {
	c := l.store.newChange(l.settings)
	for _, row := range rows {
		c.CreateItem(row.item)
		for _, word := range row.words {
			c.Put(word, table.Condition{})
		}
	}
	if l.options.TotalsIncluded {
		return c, nil
	}
	return c, l.count(ctx, c, rows)
}

// existing returns the stored items with the keys of the rows.
func (l *loader) existing(ctx context.Context, rows []loadRow) (map[string]Item, error) {
	keys := make([]Item, len(rows))
	for i, row := range rows {
		keys[i] = row.key()
	}
	return l.store.table.GetKeys(ctx, keys)
}

// record adds the outcome of rows to the result. Rows without an existing item
// count as added.
func (l *loader) record(rows []loadRow, existing map[string]Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range rows {
		item := existing[row.place()]
		differences := l.difference(row, item)
		if row.renewed && differences == table.AttrTTL {
			differences = ""
		}
		switch {
		case item == nil:
			l.settle(row, OutcomeAdded)
			if row.renewed {
				l.result.Renewed++
			}
		case differences == "":
			l.settle(row, OutcomeUnchanged)
		default:
			l.settleRejected(row.index, fmt.Sprintf("%s already exists with different values of %s. It was not changed.", row.describe(), differences))
		}
	}
	l.progress(len(rows))
}

// settle records the outcome of a row that was not rejected. l.mu must be held.
func (l *loader) settle(row loadRow, outcome Outcome) {
	l.result.Outcomes[row.index] = outcome
	switch outcome {
	case OutcomeAdded:
		l.result.Added[row.entity.EntityType()]++
	case OutcomeUnchanged:
		l.result.Unchanged++
	}
}

// settleRejected records a rejection. l.mu must be held.
func (l *loader) settleRejected(index int, reason string) {
	l.result.Outcomes[index] = OutcomeRejected
	l.result.Rejected = append(l.result.Rejected, RejectedEntity{index, reason})
}

// progress reports that more rows are done. l.mu must be held.
func (l *loader) progress(rows int) {
	l.done += rows
	if l.options.Progress != nil {
		l.options.Progress(l.done)
	}
}

func (l *loader) reject(index int, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.settleRejected(index, reason)
}
