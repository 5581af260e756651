package store

import "context"

// bulkChunk is the number of items in one call of the bulk loader, which sorts them.
// Larger chunks load faster but block other writers longer.
const bulkChunk = 20_000

// bulkLoad inserts all rows with the engine's bulk loader. It reads only those items
// that already existed.
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
		if err := l.bulkLoadWords(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// bulkLoadWords inserts the search words of rows that are in the table. If an import
// is interrupted before that, repeating the import inserts them.
func (l *loader) bulkLoadWords(ctx context.Context, rows []loadRow) error {
	var words []Item
	for _, row := range rows {
		outcome := l.result.Outcomes[row.index]
		if outcome != OutcomeAdded && (outcome != OutcomeUnchanged || l.options.Computed != nil) {
			continue // the stored record may have a different name
		}
		for _, word := range row.words {
			item, err := Encode(word, 1)
			if err != nil {
				return err
			}
			words = append(words, item)
		}
	}
	if len(words) == 0 {
		return nil
	}
	_, err := l.store.table.BulkLoad(ctx, words)
	return err
}

// compare records the outcomes of rows that already existed: unchanged if they are
// identical, otherwise rejected.
func (l *loader) compare(ctx context.Context, rows []loadRow) error {
	items, err := l.existing(ctx, rows)
	if err == nil {
		l.record(rows, items)
	}
	return err
}
