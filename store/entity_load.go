package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/table"
)

// LoadOptions contains the options of Load.
type LoadOptions struct {
	DryRun         bool           // report what would happen without writing
	Plan           *Plan          // shared by all calls of a dry run; nil if there is only one call
	TotalsIncluded bool           // the entities include their totals, quotas and stock levels, so Load must not count rows
	SamePeople     bool           // records with the same ID belong to the same person, even if an email address is missing
	Progress       func(done int) // called from time to time; may be nil

	// Computed returns the names of the attributes that an import computed for the
	// entity at an index, because the file does not contain them. Load does not compare
	// these attributes with stored items. Computed may be nil.
	Computed func(index int) []string

	// InFile reports whether the file contains an attribute of the entity at an index.
	// If attributes that are in the file differ, the reason for the rejection names
	// only these. InFile may be nil.
	InFile func(index int, attribute string) bool

	// Prepared is the result of Prepare for the same entities. It may be nil.
	Prepared *Prepared
}

// LoadResult contains the outcomes of the entities that were passed to Load.
type LoadResult struct {
	Added     map[string]int // number of added entities, by entity type
	Unchanged int            // equal to an item in the table
	Renewed   int            // expired receipts that were stored with a new TTL
	Rejected  []RejectedEntity
	Outcomes  []Outcome // one element for each entity
}

// Outcome says what Load or Update did with an entity.
type Outcome uint8

// The outcomes.
const (
	NotReached         Outcome = iota // an error ended Load before this entity
	OutcomeAdded                      // inserted
	OutcomeUnchanged                  // equal to the item in the table
	OutcomeUpdated                    // changed by Update; or a total or quota that replaced a smaller one
	OutcomeRepeated                   // equal to an earlier entity of the same call
	OutcomeNotCompared                // a total or quota in a dry run, which cannot compare it because its rows were not written
	OutcomeRejected
)

// RejectedEntity is an entity that Load rejected.
type RejectedEntity struct {
	Index  int // index of the entity in the entities passed to Load
	Reason string
}

const (
	loadChunk   = table.MaxActions // items per transaction
	loadWriters = 16               // concurrent transactions
)

// Load inserts entities into the table. It does not replace existing items, except totals
// and quotas: an equal entity counts as unchanged, and an entity that differs is rejected.
// Loading the same entities again therefore changes nothing. If possible, it writes
// neighboring entities of a partition in one transaction.
//
// The transaction that inserts an order, line, subscription, receipt or rental payment also
// adds it to totals and quotas. The transaction that inserts stock, an order line, an
// expected delivery or a transfer also updates the stock level. Load then compares the
// totals and quotas in the file with these sums; see loadTotals.
func (s *Store) Load(ctx context.Context, entities []Entity, options LoadOptions) (LoadResult, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return LoadResult{}, err
	}
	if !options.DryRun {
		if err := s.raiseNumbers(ctx, entities); err != nil {
			return LoadResult{}, err
		}
	}
	l := loader{store: s, options: options, settings: settings, result: LoadResult{Added: map[string]int{}, Outcomes: make([]Outcome, len(entities))}}
	if !options.DryRun && options.Prepared.fits(entities, settings.Shards) {
		done, err := l.loadPrepared(ctx, options.Prepared)
		if err == nil && done {
			err = l.finish(ctx, entities)
		}
		if err != nil || done {
			return l.finished(), err
		}
	}
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
		func() error { return l.finish(ctx, entities) },
	} {
		if err == nil {
			err = load()
		}
	}
	return l.finished(), err
}

// finish stores what Load derives from the entities: the names in quotas, and the list
// of categories. It omits the categories of rejected products.
func (l *loader) finish(ctx context.Context, entities []Entity) error {
	if err := l.nameQuotas(ctx, entities); err != nil || l.options.DryRun {
		return err
	}
	var accepted []Entity
	for i, outcome := range l.result.Outcomes {
		if outcome != OutcomeRejected && outcome != NotReached {
			accepted = append(accepted, entities[i])
		}
	}
	return l.store.addCategories(ctx, productsIn(accepted))
}

// finished returns the result, with the rejected entities sorted by index.
func (l *loader) finished() LoadResult {
	slices.SortFunc(l.result.Rejected, func(a, b RejectedEntity) int { return a.Index - b.Index })
	return l.result
}

// loader is one call of Load.
type loader struct {
	store    *Store
	options  LoadOptions
	settings Settings

	mu     sync.Mutex // guards the fields below
	done   int
	result LoadResult
}

// inChunks splits rows into chunks, and calls load for several chunks concurrently.
func inChunks(ctx context.Context, rows []loadRow, load func(context.Context, []loadRow) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	for _, chunk := range chunks(rows, loadChunk) {
		group.Go(table.Recovering(func() error { return load(ctx, chunk) }))
	}
	return group.Wait()
}

// loadUncounted inserts rows that do not change totals, quotas or stock levels.
func (l *loader) loadUncounted(ctx context.Context, rows []loadRow) error {
	if l.store.table.CanBulkLoad() && !l.options.DryRun {
		return l.bulkLoad(ctx, rows)
	}
	return inChunks(ctx, rows, l.load)
}

// loadBackoff contains the pauses before an import repeats a transaction that failed in all
// its tries because the table is busy. They last about a minute in total.
var loadBackoff = table.Backoff{Tries: 12, First: 200 * time.Millisecond, Longest: 8 * time.Second}

// retryLoad is like retryOnConflict, but also retries while the table is busy. The
// concurrent writers of an import can keep the table busy.
func retryLoad(ctx context.Context, load func() error) error {
	return retryBusy(ctx, func() error { return retryOnConflict(ctx, load) })
}

// retryBusy calls the function work, and repeats the call while the table is busy.
func retryBusy(ctx context.Context, work func() error) error {
	return loadBackoff.Retry(ctx, func(err error) bool { return KindOf(err) == Busy }, work)
}

// load inserts rows in one transaction, or in several if the rows with their totals
// and quotas do not fit. After a conflict with another writer, it reads and writes
// again.
func (l *loader) load(ctx context.Context, rows []loadRow) error {
	tooLarge := false
	err := retryLoad(ctx, func() error {
		existing, err := l.existing(ctx, rows)
		if err != nil {
			return err
		}
		var added []loadRow
		for _, row := range rows {
			if existing[row.place] == nil {
				added = append(added, row)
			}
		}
		if len(added) > 0 && !l.options.DryRun {
			if err := l.cancelStoredLines(ctx, added); err != nil {
				return err
			}
			c, err := l.insertion(ctx, added)
			if err != nil {
				return err
			}
			c.AllowLarge()
			if tooLarge = len(rows) > 1 && c.Len()+len(c.totals.totals)+len(c.stock) > c.MaxLen(); tooLarge {
				return nil
			}
			err = c.Commit(ctx)
			// Try smaller transactions, because they conflict less often.
			if tooLarge = len(rows) > 1 && c.Len() > table.MaxActions && table.ConditionFailed(err); tooLarge {
				return nil
			}
			if err != nil {
				return err
			}
		}
		return l.record(rows, existing)
	})
	if err != nil || !tooLarge {
		return err
	}
	half := middle(rows)
	if err := l.load(ctx, rows[:half]); err != nil {
		return err
	}
	return l.load(ctx, rows[half:])
}

// middle returns where to divide rows into two parts. It divides the rows of a partition
// only if all rows belong to that partition.
func middle(rows []loadRow) int {
	partition := func(i int) string { return table.TextOf(rows[i].item, table.AttrPK) }
	for distance := range len(rows) / 2 {
		for _, at := range []int{len(rows)/2 - distance, len(rows)/2 + distance} {
			if at > 0 && partition(at) != partition(at-1) {
				return at
			}
		}
	}
	return len(rows) / 2
}

// insertion returns a change that inserts rows and adds them to the totals and
// quotas.
func (l *loader) insertion(ctx context.Context, rows []loadRow) (*change, error) {
	c := l.store.newChange(l.settings)
	c.totals.slotted = false // an import uses only one slot, so that two exports of the same data are identical
	if !l.options.TotalsIncluded {
		if err := l.count(ctx, c, rows); err != nil {
			return nil, err
		}
	}
	for _, row := range rows {
		c.CreateItem(row.item)
		for _, word := range row.words {
			c.Put(word, table.Condition{})
		}
	}
	return c, nil
}

func (l *loader) existing(ctx context.Context, rows []loadRow) (map[string]Item, error) {
	keys := make([]Item, len(rows))
	for i, row := range rows {
		keys[i] = row.key()
	}
	return l.store.table.GetKeys(ctx, keys)
}

// record adds the outcomes of rows to the result. A row without an existing item
// counts as added.
func (l *loader) record(rows []loadRow, existing map[string]Item) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range rows {
		row := &rows[i]
		item := existing[row.place]
		if item == nil && l.options.DryRun {
			if planned, err := l.recordPlanned(row); err != nil {
				return err
			} else if planned {
				continue
			}
		}
		differences := ""
		if item != nil {
			differences = l.difference(row, item)
		}
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
			l.settleRejected(row.index, fmt.Sprintf("%s already exists with different values of %s. It was not changed.%s", row.describe(), l.inFile(row, differences), updateAdvice(row.entity)))
		}
	}
	l.progress(len(rows))
	return nil
}

// inFile returns those of the attributes that the file contains, or all attributes if it
// contains none of them.
func (l *loader) inFile(row *loadRow, attributes string) string {
	if l.options.InFile == nil {
		return attributes
	}
	names := slices.DeleteFunc(strings.Split(attributes, ", "), func(name string) bool { return !l.options.InFile(row.index, name) })
	return cmp.Or(strings.Join(names, ", "), attributes)
}

// recordPlanned handles a row that is not in the table. If the plan has an item with the
// same key from an earlier call of the dry run, recordPlanned records the outcome.
// Otherwise it adds the row to the plan. The caller must hold l.mu.
func (l *loader) recordPlanned(row *loadRow) (planned bool, err error) {
	digest, planned, err := l.options.Plan.get(planItem, row.place)
	switch {
	case err != nil:
		return false, err
	case !planned:
		return false, l.options.Plan.add(row)
	case digest == l.options.Plan.digestOf(row.item):
		l.settle(row, OutcomeUnchanged)
	default:
		l.settleRejected(row.index, row.describe()+" appears in an earlier row with different values.")
	}
	return true, nil
}

// settle records the outcome of a row that was not rejected. The caller must hold
// l.mu.
func (l *loader) settle(row *loadRow, outcome Outcome) {
	l.result.Outcomes[row.index] = outcome
	switch outcome {
	case OutcomeAdded:
		l.result.Added[row.entity.EntityType()]++
	case OutcomeUnchanged:
		l.result.Unchanged++
	}
}

// settleRejected records a rejection. The caller must hold l.mu.
func (l *loader) settleRejected(index int, reason string) {
	l.result.Outcomes[index] = OutcomeRejected
	l.result.Rejected = append(l.result.Rejected, RejectedEntity{index, reason})
}

// progress adds to the number of rows that are done and reports the sum. The caller
// must hold l.mu.
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
