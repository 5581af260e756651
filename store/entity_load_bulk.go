package store

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// bulkChunk is how many items an engine is given at once. It sorts them, so
// more of them make longer runs of neighbours, and hold up other writers
// longer.
const bulkChunk = 20_000

// countsAny says whether totals move with any of the rows: those are written
// in the transaction that adds to them.
func (l *loader) countsAny(rows []loadRow) bool {
	for _, row := range rows {
		if _, is := row.entity.(*Subscription); is && l.counts {
			return true
		}
	}
	return false
}

// loadAll gives the engine all rows at once, chunk by chunk, and looks only
// at those that were there already.
func (l *loader) loadAll(ctx context.Context, rows []loadRow) error {
	for _, chunk := range chunks(rows, bulkChunk) {
		items := make([]Item, len(chunk))
		for i, row := range chunk {
			items[i] = row.item
		}
		taken, err := l.store.table.BulkLoad(ctx, items)
		if err != nil {
			return err
		}
		there := make([]loadRow, len(taken))
		isThere := make([]bool, len(chunk))
		for i, at := range taken {
			there[i], isThere[at] = chunk[at], true
		}
		var fresh []loadRow
		for i, row := range chunk {
			if !isThere[i] {
				fresh = append(fresh, row)
			}
		}
		l.note(fresh, nil)
		if err := l.compare(ctx, there); err != nil {
			return err
		}
	}
	return nil
}

// compare notes of rows that are there whether they are there just the same.
func (l *loader) compare(ctx context.Context, rows []loadRow) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(loadWriters)
	for _, some := range chunks(rows, loadChunk) {
		group.Go(func() error {
			present, err := l.present(ctx, some)
			if err == nil {
				l.note(some, present)
			}
			return err
		})
	}
	return group.Wait()
}
