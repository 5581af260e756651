package store

import "context"

// bulkChunk is how many items the engine's bulk loader gets at once. The
// engine sorts them: larger chunks load faster, but block other writers
// longer.
const bulkChunk = 20_000

// bulkLoad inserts all rows with the engine's bulk loader. It reads only those
// whose keys were taken.
func (l *loader) bulkLoad(ctx context.Context, rows []loadRow) error {
	for _, chunk := range chunks(rows, bulkChunk) {
		items := make([]Item, len(chunk))
		for i, row := range chunk {
			items[i] = row.item
		}
		taken, err := l.store.table.BulkLoad(ctx, items)
		if err != nil {
			return err
		}
		existing := make([]loadRow, len(taken))
		isTaken := make([]bool, len(chunk))
		for i, at := range taken {
			existing[i], isTaken[at] = chunk[at], true
		}
		var added []loadRow
		for i, row := range chunk {
			if !isTaken[i] {
				added = append(added, row)
			}
		}
		l.record(added, nil)
		if err := inChunks(ctx, existing, l.compare); err != nil {
			return err
		}
	}
	return nil
}

// compare records rows whose items exist as unchanged or rejected.
func (l *loader) compare(ctx context.Context, rows []loadRow) error {
	items, err := l.existing(ctx, rows)
	if err == nil {
		l.record(rows, items)
	}
	return err
}
