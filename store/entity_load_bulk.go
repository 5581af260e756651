package store

import (
	"context"
	"errors"

	"stockroom/store/table"
)

// bulkChunk is the maximum number of items in one load of the bulk loader. Larger loads
// take less time per item, but need more memory for sorting and block other writers
// longer.
const bulkChunk = 40_000

// bulkBytes is the size in bytes at which the bulk loader commits a load, even if the load
// has fewer than bulkChunk items.
const bulkBytes = 24 << 20

// bulkPart contains the rows that one load of the bulk loader inserts, with their search
// words.
type bulkPart struct {
	rows []loadRow
	load *table.Load
}

// add encodes a row and its search words for the engine, and adds them to the part.
func (p *bulkPart) add(row loadRow, words *wordBuffers) error {
	group, err := words.group(&row)
	if err == nil {
		err = p.load.Add(group...)
	}
	p.rows = append(p.rows, row)
	return err
}

// bulkLoad inserts all rows with the engine's bulk loader.
func (l *loader) bulkLoad(ctx context.Context, rows []loadRow) error {
	var words wordBuffers
	for _, chunk := range chunks(rows, bulkChunk) {
		part := bulkPart{load: l.store.table.StartLoad()}
		for _, row := range chunk {
			if err := part.add(row, &words); err != nil {
				return err
			}
			if part.load.Bytes() < bulkBytes && !part.load.Full() {
				continue
			}
			if err := l.commitBulk(ctx, &part); err != nil {
				return err
			}
			part = bulkPart{load: l.store.table.StartLoad()}
		}
		if err := l.commitBulk(ctx, &part); err != nil {
			return err
		}
	}
	return nil
}

// commitBulk inserts a part. It compares rows that already exist with the stored items. If
// only some rows were inserted, it records these and returns the error.
func (l *loader) commitBulk(ctx context.Context, part *bulkPart) error {
	taken, done, err := part.load.Commit(ctx)
	added, existing := part.rows[:done], []loadRow(nil)
	if len(taken) > 0 {
		added, existing = split(added, taken)
	}
	if err := errors.Join(err, l.record(added, nil)); err != nil {
		return err
	}
	for i := range existing {
		if err := existing[i].encode(l.settings.Shards); err != nil {
			return err
		}
	}
	return inChunks(ctx, existing, l.compare)
}

// wordBuffers is memory for the items of the search words of one row. The engine encodes
// these items immediately, so the next row can reuse the memory.
type wordBuffers struct {
	items   []Item
	buffers []table.ItemBuffer
}

// group returns the items that are inserted with the row, starting with the row's own
// item. The items are valid until the next call.
func (w *wordBuffers) group(r *loadRow) ([]Item, error) {
	w.items = append(w.items[:0], r.item)
	for n, word := range r.words {
		if n == len(w.buffers) {
			w.buffers = append(w.buffers, table.ItemBuffer{})
		}
		item, err := encodeInto(&w.buffers[n], word, 1)
		if err != nil {
			return nil, err
		}
		w.items = append(w.items, item)
	}
	return w.items, nil
}

// split separates the rows at the given positions from the others. The positions must
// be sorted.
func split(rows []loadRow, positions []int) (others, at []loadRow) {
	for i, row := range rows {
		if len(positions) > 0 && i == positions[0] {
			at, positions = append(at, row), positions[1:]
		} else {
			others = append(others, row)
		}
	}
	return others, at
}

// compare records the outcomes of rows that already exist: unchanged if they are
// equal, otherwise rejected.
func (l *loader) compare(ctx context.Context, rows []loadRow) error {
	items, err := l.existing(ctx, rows)
	if err != nil {
		return err
	}
	return l.record(rows, items)
}
