package embedded

import (
	"bytes"
	"cmp"
	"context"
	"errors"
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
	l := loading{db: db, ctx: ctx}
	if err := l.take(table, items); err != nil {
		return l.loaded, errors.Join(err, l.wait())
	}
	if err := l.flush(); err != nil {
		return l.loaded, err
	}
	err = l.wait()
	return l.loaded, err
}

// loading is a Load under way. While one chunk is written the next is made.
type loading struct {
	db     *DB
	ctx    context.Context
	chunk  []*writing
	size   int
	loaded int

	underWay int // the items of the chunk that is being written
	written  chan error
}

func (l *loading) take(table string, items iter.Seq2[Item, error]) error {
	scope, err := expr.NewScope(nil, nil)
	if err != nil {
		return invalid(err)
	}
	for item, err := range items {
		if err != nil {
			return err
		}
		w, err := newPut(table, item, scope, nil)
		if err != nil {
			return err
		}
		l.db.prepare(w)
		l.chunk = append(l.chunk, w)
		if l.size += codec.SizeOf(item); l.size < loadChunk {
			continue
		}
		if err := l.flush(); err != nil {
			return err
		}
	}
	return nil
}

// flush has the chunk written when the one before it is.
func (l *loading) flush() error {
	if err := l.wait(); err != nil || len(l.chunk) == 0 {
		return err
	}
	chunk, written := l.chunk, make(chan error, 1)
	go func() { written <- l.db.loadChunk(l.ctx, chunk) }()
	l.underWay, l.written = len(chunk), written
	l.chunk, l.size = make([]*writing, 0, len(chunk)), 0
	return nil
}

func (l *loading) wait() error {
	if l.written == nil {
		return nil
	}
	err := <-l.written
	l.written = nil
	if err == nil {
		l.loaded += l.underWay
	}
	return err
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
