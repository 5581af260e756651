package exchange

import (
	"context"

	"stockroom/store"
)

// Target is the store that an import writes to: *store.Store, or store.Access
// for a user who may import.
type Target interface {
	Load(ctx context.Context, entities []store.Entity, options store.LoadOptions) (store.LoadResult, error)
	KnownKayaks(ctx context.Context, ids []string) ([]store.Kayak, error)
	OutFrom(ctx context.Context, storeID string) ([]store.ActiveRental, error)
	CountKayaks(ctx context.Context) error
}

// ImportOptions are the options of Import.
type ImportOptions struct {
	DryRun     bool                      // report what would happen, write nothing
	SamePeople bool                      // the same ID is the same person, even without a matching email
	Fleet      *Fleet                    // shared by the files of one import; nil for a single file
	Rejected   func([]RejectedRow) error // receives rejected rows, some at a time
	Progress   func(rows int)            // called now and then; may be nil
}

// ImportResult says what happened to the rows of a file.
type ImportResult struct {
	Added     map[string]int // by entity type
	Unchanged int            // identical to an item in the table
	Repeated  int            // identical to an earlier row
	Compared  int            // totals and quotas, which a dry run cannot compare; see store.LoadResult
	Renewed   int            // expired receipts, stored with a new TTL
	Rejected  int

	Corrected   int          // rows stored under other keys than in the file
	Corrections []Correction // the first maxCorrections of them
}

// Add adds the result of another part of the same file.
func (r *ImportResult) Add(other ImportResult) {
	if r.Added == nil {
		r.Added = map[string]int{}
	}
	for entityType, n := range other.Added {
		r.Added[entityType] += n
	}
	r.Unchanged += other.Unchanged
	r.Repeated += other.Repeated
	r.Compared += other.Compared
	r.Renewed += other.Renewed
	r.Rejected += other.Rejected
	r.Corrected += other.Corrected
	r.Corrections = append(r.Corrections, other.Corrections[:min(len(other.Corrections), maxCorrections-len(r.Corrections))]...)
}

// Import writes the entities of a file to the table, batch by batch, reading
// the next batch meanwhile. Batches written before an error stay.
func Import(ctx context.Context, target Target, batches Batches, options ImportOptions) (ImportResult, error) {
	i := importer{target: target, ImportOptions: options, result: ImportResult{Added: map[string]int{}}}
	if i.Fleet == nil {
		i.Fleet = NewFleet()
	}
	for batch, err := range readAhead(batches) {
		if err == nil {
			err = i.load(ctx, batch)
		}
		if err != nil {
			return i.result, err
		}
	}
	if !options.DryRun && i.result.Added["storeMetadata"]+i.result.Added["storeInventoryItem"] > 0 {
		return i.result, target.CountKayaks(ctx)
	}
	return i.result, nil
}

type importer struct {
	ImportOptions
	target Target
	result ImportResult
	rows   int
}

func (i *importer) load(ctx context.Context, b *Batch) error {
	b, err := i.checkRentals(ctx, b)
	if err != nil {
		return err
	}
	before := i.rows
	loaded, err := i.target.Load(ctx, b.Entities, store.LoadOptions{
		DryRun:     i.DryRun,
		SamePeople: i.SamePeople || b.Exported,
		Progress: func(done int) {
			if i.Progress != nil {
				i.Progress(before + done)
			}
		},
	})
	i.add(loaded)
	if err != nil {
		return err
	}
	for _, r := range loaded.Rejected {
		b.Rejected = append(b.Rejected, RejectedRow{b.Rows[r.Index], r.Reason})
		b.Rows[r.Index].correction = nil
	}
	i.addCorrections(b.Rows)
	i.rows += len(b.Entities)
	i.result.Rejected += len(b.Rejected)
	if len(b.Rejected) == 0 {
		return nil
	}
	return i.Rejected(b.Rejected)
}

func (i *importer) add(loaded store.LoadResult) {
	for entityType, n := range loaded.Added {
		i.result.Added[entityType] += n
	}
	i.result.Unchanged += loaded.Unchanged
	i.result.Repeated += loaded.Repeated
	i.result.Compared += loaded.Compared
	i.result.Renewed += loaded.Renewed
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

// readAhead reads one batch while the caller handles the one before it. The
// reader has finished when the loop ends, so the file can be closed.
func readAhead(batches Batches) Batches {
	return func(yield func(*Batch, error) bool) {
		type result struct {
			batch *Batch
			err   error
		}
		results, done := make(chan result), make(chan struct{})
		go func() {
			defer close(results)
			for batch, err := range batches {
				select {
				case results <- result{batch, err}:
				case <-done:
					return
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
