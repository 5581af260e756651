package exchange

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"stockroom/store"
	"stockroom/store/spill"
)

// Target is the store into which an import writes: *store.Store, or store.Access for
// a user who may import.
type Target interface {
	Prepare(ctx context.Context, entities []store.Entity) (*store.Prepared, error)
	Load(ctx context.Context, entities []store.Entity, options store.LoadOptions) (store.LoadResult, error)
	KnownKayaks(ctx context.Context, ids []string) ([]store.Kayak, error)
	Existing(ctx context.Context, entities []store.Entity) ([]bool, error)
	Stored(ctx context.Context, entities []store.Entity) ([]store.Entity, error)
	KnownOrders(ctx context.Context, ids []string) (map[string]store.Order, error)
	OwnersOf(ctx context.Context, values []store.UniqueValue) ([][]string, error)
	EachUniqueValue(ctx context.Context, name string, visit func(v store.UniqueValue, id string) error) error
	OutFrom(ctx context.Context, storeID string) ([]store.ActiveRental, error)
	CountKayaks(ctx context.Context) error
	Today(ctx context.Context) (time.Time, error)
	Update(ctx context.Context, updates []store.EntityUpdate, options store.UpdateOptions) ([]store.UpdateResult, error)
}

// ImportOptions are the options of Import.
type ImportOptions struct {
	DryRun      bool
	Update      bool                      // change records that already exist instead of rejecting their rows
	Why         string                    // reason for the updates, which the history shows
	SamePeople  bool                      // records with the same ID belong to the same person, even if an email is missing
	MergeLines  bool                      // merge lines of an order with the same product and price instead of rejecting them
	Lenient     bool                      // accept most rows that a form would reject, such as rows with unknown references, and warn about them
	MaxRejected int                       // stop if more rows than this are rejected; 0 means no limit
	Known       *Known                    // shared by all files of an import; nil for a single file
	Rejected    func([]RejectedRow) error // called with rejected rows, possibly several times
	Progress    func(rows int)            // called from time to time; may be nil
}

// Import imports a source into the table, batch by batch. While it writes one batch,
// it encodes the next one and reads the one after that. After an error, earlier
// batches stay in the table.
func Import(ctx context.Context, target Target, source Source, options ImportOptions) (ImportResult, error) {
	i := importer{target: target, file: source.File, ImportOptions: options}
	if i.Known == nil {
		i.Known = NewKnown()
		defer func() { _ = i.Known.Close() }()
	}
	i.Known.folder = cmp.Or(i.Known.folder, source.folder)
	if i.DryRun && i.Known.plan == nil {
		i.Known.plan = store.NewPlan(i.Known.folder)
	}
	err := i.run(ctx, &source)
	if i.seen != nil {
		err = errors.Join(err, i.seen.Close())
	}
	if counted := i.countKayaks(ctx, source.beforeKayaks && err == nil); counted != nil {
		err = errors.Join(err, counted)
	}
	return i.result, err
}

// run imports the batches of a source. If the context is cancelled, run returns its error,
// even if all rows were imported.
func (i *importer) run(ctx context.Context, source *Source) error {
	if source.reading != nil {
		source.reading.check = ctx.Err
	}
	if source.prepare != nil {
		if err := source.prepare(ctx, i); err != nil {
			return err
		}
	}
	for batch, err := range readAhead(i.prepared(ctx, withoutViewEmails(readAhead(source.Batches)))) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = i.load(ctx, batch)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// prepared encodes the entities of each batch while the previous batch is being
// written. It does not encode batches with kayaks or rentals, because checkRentals may
// change these batches. In a dry run or an update, it returns the batches unchanged.
func (i *importer) prepared(ctx context.Context, batches Batches) Batches {
	if i.DryRun || i.Update {
		return batches
	}
	return func(yield func(*Batch, error) bool) {
		for batch, err := range batches {
			if err == nil && !slices.ContainsFunc(batch.Entities, isOfFleet) {
				batch.prepared, err = i.target.Prepare(ctx, batch.Entities)
			}
			if !yield(batch, err) {
				return
			}
		}
	}
}

// withoutViewEmails removes the email frequency from saved views, because their owners must
// confirm emails in a form.
func withoutViewEmails(batches Batches) Batches {
	return func(yield func(*Batch, error) bool) {
		for batch, err := range batches {
			if err == nil {
				for _, e := range batch.Entities {
					if v, ok := e.(*store.SavedView); ok {
						v.Email = store.ViewNever
					}
				}
			}
			if !yield(batch, err) {
				return
			}
		}
	}
}

// countKayaks counts the kayaks of all stores again if the import has read rows of stores
// or kayaks. It does so even after an error, and even if all these rows were unchanged: an
// interrupted import may have added them. It does nothing in a dry run, after a
// cancellation, or if a later source has kayaks.
func (i *importer) countKayaks(ctx context.Context, kayaksFollow bool) error {
	i.Known.countKayaks = i.Known.countKayaks || i.result.RowsOf(kindStore)+i.result.RowsOf(kindKayak) > 0
	if !i.Known.countKayaks || i.DryRun || kayaksFollow || ctx.Err() != nil {
		return nil
	}
	i.Known.countKayaks = false
	return i.target.CountKayaks(ctx)
}

type importer struct {
	ImportOptions
	target Target
	file   int // index of the file of the source
	result ImportResult
	rows   int
	seen   *spill.Map // digests of the entities in the rows of an update so far, by the digest of type and ID; nil before the first one
}

// load imports a batch. It reports rejected rows even if there is an error.
func (i *importer) load(ctx context.Context, b *Batch) error {
	b, err := i.loadBatch(ctx, b)
	rejected := i.reject(b.Rejected)
	if err != nil {
		return errors.Join(err, rejected)
	}
	return rejected
}

// loadBatch imports a batch. It returns a batch with all rejected rows, even if there
// is an error.
func (i *importer) loadBatch(ctx context.Context, b *Batch) (*Batch, error) {
	prepared := b.prepared
	for n := range b.Rows {
		b.Rows[n].Entity = cmp.Or(b.Rows[n].Entity, b.Entities[n].EntityType())
	}
	for _, id := range b.employees {
		if err := i.Known.add(kindEmployee, id); err != nil {
			return b, err
		}
	}
	for n := range b.Rejected {
		if id := b.Rejected[n].id; id != "" {
			if err := i.Known.learnRejected(stub(b.Rejected[n].Entity, id)); err != nil {
				return b, err
			}
		}
	}
	if !b.consistent {
		checked, err := i.check(ctx, b)
		if err != nil {
			return b, err
		}
		b = checked
	}
	b, err := i.checkRentals(ctx, b)
	if err != nil {
		return b, err
	}
	copied, err := i.copyNames(ctx, b)
	if err != nil {
		return b, err
	}
	if copied {
		prepared = nil // prepared lacks the copied names, so encode the entities again
	}
	if i.Update {
		if b, err = i.update(ctx, b); err != nil {
			return b, err
		}
	}
	before := i.rows
	loaded, err := i.target.Load(ctx, b.Entities, store.LoadOptions{
		DryRun:     i.DryRun,
		Plan:       i.Known.plan,
		SamePeople: i.SamePeople || b.Exported,
		Computed:   func(n int) []string { return b.Rows[n].computed },
		InFile:     func(n int, name string) bool { return b.Rows[n].source.has(name) },
		Prepared:   prepared,
		Progress: func(done int) {
			if i.Progress != nil {
				i.Progress(before + done)
			}
		},
	})
	for n, outcome := range loaded.Outcomes {
		if outcome != store.NotReached && outcome != store.OutcomeRejected {
			i.count(&b.Rows[n], outcome)
			if learning := i.learn(b.Entities[n]); err == nil {
				err = learning
			}
		}
	}
	if i.DryRun && err == nil {
		var accepted []*store.Product
		for n, outcome := range loaded.Outcomes {
			if p, ok := b.Entities[n].(*store.Product); ok && outcome != store.NotReached && outcome != store.OutcomeRejected {
				accepted = append(accepted, p)
			}
		}
		err = i.addNewCategories(ctx, accepted)
	}
	i.result.Renewed += loaded.Renewed
	for _, r := range loaded.Rejected {
		if learning := i.Known.learnRejected(b.Entities[r.Index]); err == nil {
			err = learning
		}
		b.Rejected = append(b.Rejected, RejectedRow{b.Rows[r.Index], r.Reason})
		b.Rows[r.Index].correction = nil
	}
	if err != nil {
		return b, err
	}
	i.addCorrections(b.Rows)
	i.rows += len(b.Entities)
	return b, nil
}

// learn records an entity that the table has. In a dry run, it records an entity that the
// import would have added.
func (i *importer) learn(entity store.Entity) error {
	return errors.Join(i.Known.learn(entity), i.Known.claim(entity))
}

// reject counts and reports rejected rows and their parts. If a row became several
// entities, reject reports it once, with the first reason. Reasons about the row itself
// must therefore come before reasons about rows on which it depends.
func (i *importer) reject(rows []RejectedRow) error {
	var all []RejectedRow
	add := func(r RejectedRow) {
		if r.File = i.fileOf(&r.Row); !i.Known.isRejected(&r.Row) {
			all = append(all, r)
		}
	}
	for _, r := range rows {
		i.count(&r.Row, store.OutcomeRejected)
		if !r.made {
			add(r)
		}
	}
	for _, r := range rows {
		for _, p := range r.parts {
			add(RejectedRow{p.row, fmt.Sprintf("This row belongs to row %d%s, which was rejected. Correct that row.", r.Number, ofTable(r.Table))})
		}
	}
	if len(all) == 0 {
		return nil
	}
	i.Known.rejected += len(all)
	if err := i.Rejected(all); err != nil || i.MaxRejected == 0 || i.Known.rejected <= i.MaxRejected {
		return err
	}
	return fmt.Errorf("%w: %d", ErrTooManyRejected, i.Known.rejected)
}

// ErrTooManyRejected is returned by Import if more than MaxRejected rows are rejected.
// Rows that are already imported stay in the table.
var ErrTooManyRejected = errors.New("too many rejected rows")

func ofTable(table string) string {
	if table == "" {
		return ""
	}
	return " of " + table
}

func (i *importer) addCorrections(rows []Row) {
	for _, row := range rows {
		if row.correction == nil {
			continue
		}
		if i.result.Corrected++; i.result.Corrected <= maxCorrections {
			i.result.Corrections = append(i.result.Corrections, *row.correction)
		}
	}
}

// readAhead reads the next batch while the caller processes the current one. When it
// returns, it has stopped reading, so the file can be closed. If the reader panics,
// readAhead yields an error.
func readAhead(batches Batches) Batches {
	return func(yield func(*Batch, error) bool) {
		type result struct {
			batch *Batch
			err   error
		}
		results, done := make(chan result), make(chan struct{})
		go func() {
			defer close(results)
			err := store.Recovering(func() error {
				for batch, err := range batches {
					select {
					case results <- result{batch, err}:
					case <-done:
						return nil
					}
				}
				return nil
			})()
			if err != nil {
				select {
				case results <- result{err: err}:
				case <-done:
				}
			}
		}()
		defer func() {
			close(done)
			for range results { // wait for the reader
			}
		}()
		for r := range results {
			if !yield(r.batch, r.err) {
				return
			}
		}
	}
}
