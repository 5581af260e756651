package embedded

import (
	"bytes"
	"cmp"
	"context"
	"iter"
	"slices"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

const (
	// loadChunk is how many bytes of items one transaction of a Load holds.
	// More would fill pages better and hold up other writers longer.
	loadChunk = 16 << 20
	// loadFill is how full a Load leaves the pages that it splits. Keys come
	// in order, so what comes next rarely goes between them; bbolt's half
	// full pages would make the file nearly twice as large.
	loadFill = 0.9
)

// Load puts many items, as so many calls of PutItem would, and returns how
// many are on disk. It is for imports: items are sorted by key before they
// are written, a chunk in each transaction, so that each page of the file is
// written once for all its items. Of two items with one key, the later stays.
// An error of the sequence, or an item that is refused, ends it; the chunks
// before that stay.
func (db *DB) Load(ctx context.Context, table string, items iter.Seq2[Item, error]) (loaded int, err error) {
	scope, err := expr.NewScope(nil, nil)
	if err != nil {
		return 0, invalid(err)
	}
	chunk, size := []*writing{}, 0
	flush := func() error {
		if len(chunk) == 0 {
			return nil
		}
		if err := db.loadChunk(ctx, chunk); err != nil {
			return err
		}
		loaded += len(chunk)
		chunk, size = chunk[:0], 0
		return nil
	}
	for item, err := range items {
		if err != nil {
			return loaded, err
		}
		w, err := newPut(table, item, scope, nil)
		if err != nil {
			return loaded, err
		}
		chunk = append(chunk, w)
		if size += codec.SizeOf(item); size < loadChunk {
			continue
		}
		if err := flush(); err != nil {
			return loaded, err
		}
	}
	return loaded, flush()
}

func (db *DB) loadChunk(ctx context.Context, chunk []*writing) error {
	return db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		// The last of several with one key is the one that counts.
		last := make(map[string]*writing, len(chunk))
		for _, w := range chunk {
			if err := w.locate(tx); err != nil {
				return nil, err
			}
			last[string(w.stored)] = w
		}
		mutations := make([]mutation, 0, 2*len(chunk))
		for _, w := range chunk {
			if last[string(w.stored)] != w {
				continue
			}
			var err error
			if mutations, err = w.stageLocated(tx, mutations); err != nil {
				return nil, err
			}
		}
		slices.SortFunc(mutations, func(a, b mutation) int {
			return cmp.Or(bytes.Compare(a.space.name, b.space.name), bytes.Compare(a.key, b.key))
		})
		tx.fill = loadFill
		return mutations, nil
	})
}
