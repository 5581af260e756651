package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"stockroom/store/table"
)

// LoadOptions are the options of Load.
type LoadOptions struct {
	DryRun         bool           // report what would happen, write nothing
	TotalsIncluded bool           // the totals, which are loaded too, already count the entities
	SamePeople     bool           // the same ID is the same person, even without a matching email
	Progress       func(done int) // called now and then; may be nil
}

// LoadResult says what happened to the entities that were loaded.
type LoadResult struct {
	Added     map[string]int // by entity type
	Unchanged int            // identical to an item in the table
	Renewed   int            // expired receipts, stored with a new TTL
	Rejected  []RejectedEntity
}

// RejectedEntity is an entity that was not loaded.
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
func (s *Store) Load(ctx context.Context, entities []Entity, options LoadOptions) (LoadResult, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return LoadResult{}, err
	}
	hasTotals := slices.ContainsFunc(entities, func(e Entity) bool { return e.EntityType() == (*Total)(nil).EntityType() })
	l := loader{
		store:        s,
		options:      options,
		settings:     settings,
		updateTotals: !options.TotalsIncluded && !hasTotals,
		result:       LoadResult{Added: map[string]int{}},
	}
	rows, err := l.rejectOtherPeople(ctx, l.encode(entities, settings.Shards))
	if err != nil {
		return l.result, err
	}
	if s.table.CanBulkLoad() && !options.DryRun && !l.changesTotals(rows) {
		err = l.bulkLoad(ctx, rows)
	} else {
		err = inChunks(ctx, rows, l.load)
	}
	slices.SortFunc(l.result.Rejected, func(a, b RejectedEntity) int { return a.Index - b.Index })
	return l.result, err
}

// loader runs one call of Load.
type loader struct {
	store        *Store
	options      LoadOptions
	settings     Settings
	updateTotals bool // add subscriptions to the totals

	mu     sync.Mutex // guards what follows
	done   int
	result LoadResult
}

// inChunks calls load for chunks of rows, several at a time.
func inChunks(ctx context.Context, rows []loadRow, load func(context.Context, []loadRow) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	for _, chunk := range chunks(rows, loadChunk) {
		group.Go(func() error { return load(ctx, chunk) })
	}
	return group.Wait()
}

// load writes one chunk. After a conflict with a concurrent writer it reads
// and writes again.
func (l *loader) load(ctx context.Context, rows []loadRow) error {
	const tries = 4
	for try := 1; ; try++ {
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
		err = l.write(ctx, added)
		if KindOf(err) == Conflict && try < tries {
			continue
		}
		if err == nil {
			l.record(rows, existing)
		}
		return err
	}
}

// existing returns the items that exist under the keys of the rows.
func (l *loader) existing(ctx context.Context, rows []loadRow) (map[string]Item, error) {
	keys := make([]Item, len(rows))
	for i, row := range rows {
		keys[i] = row.key()
	}
	return l.store.table.GetKeys(ctx, keys)
}

// write inserts rows in one transaction, or in several if they do not fit with
// the totals that they change.
func (l *loader) write(ctx context.Context, rows []loadRow) error {
	if len(rows) == 0 || l.options.DryRun {
		return nil
	}
	c := l.store.newChange(l.settings)
	for _, row := range rows {
		if subscription, ok := row.entity.(*Subscription); ok && l.updateTotals {
			c.moveDue(nil, subscription)
		}
		c.CreateItem(row.item)
	}
	if half := len(rows) / 2; half > 0 && c.Len()+len(c.totals.totals) > table.MaxActions {
		if err := l.write(ctx, rows[:half]); err != nil {
			return err
		}
		return l.write(ctx, rows[half:])
	}
	return c.Commit(ctx)
}

// record adds rows to the result: those without an existing item were added.
func (l *loader) record(rows []loadRow, existing map[string]Item) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, row := range rows {
		item := existing[row.place()]
		differences := difference(row.item, item)
		if row.renewed && differences == table.AttrTTL {
			differences = ""
		}
		switch {
		case item == nil:
			l.result.Added[row.entity.EntityType()]++
			if row.renewed {
				l.result.Renewed++
			}
		case differences == "":
			l.result.Unchanged++
		default:
			reason := fmt.Sprintf("%s already exists with different values of %s. It was not changed.", row.describe(), differences)
			l.result.Rejected = append(l.result.Rejected, RejectedEntity{row.index, reason})
		}
	}
	l.done += len(rows)
	if l.options.Progress != nil {
		l.options.Progress(l.done)
	}
}

func (l *loader) reject(index int, reason string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.result.Rejected = append(l.result.Rejected, RejectedEntity{index, reason})
}
