package embedded

import (
	"bytes"
	"context"
	"errors"
	"slices"
)

// New indexes are backfilled in the background. Enabling a TTL attribute backfills
// the expiry keyspace in the same way. Each transaction adds a chunk of items, so
// that writers wait for at most one chunk. Writes also update an index during its
// backfill. The table definition contains the progress, so the backfill continues
// after the store is reopened.
const (
	maxBackfillItems = 2000
	maxBackfillBytes = 4 << 20
)

func (db *DB) wakeBackfill() {
	select {
	case db.fill <- struct{}{}:
	default: // the goroutine is already awake
	}
}

func (db *DB) backfillLoop() {
	for {
		select {
		case <-db.fill:
		case <-db.closing:
			return
		}
		// After an error, an index keeps the status CREATING until wakeBackfill is called
		// again, for example when the store is opened.
		more, err := db.backfillChunk()
		for more && err == nil {
			more, err = db.backfillChunk()
		}
		if err != nil && !errors.Is(err, ErrClosed) {
			db.log.Error("a new index was not completed", "error", err)
		}
	}
}

// backfilling reports whether an index or the expiry keyspace of the table is being
// backfilled.
func (t *table) backfilling() bool {
	return t.TTL.Backfilling || slices.ContainsFunc(t.indexes, func(ix *index) bool { return ix.Backfilling })
}

// backfillChunk backfills one chunk of one index or expiry keyspace. The result found
// is false if there is nothing to backfill.
func (db *DB) backfillChunk() (found bool, err error) {
	err = db.writeAlone(context.Background(), func(tx *writeTx) ([]mutation, error) {
		for _, t := range tx.catalog.tables {
			for i, ix := range t.indexes {
				if ix.Backfilling {
					found = true
					return tx.backfillIndex(t, ix, i)
				}
			}
			if t.TTL.Backfilling {
				found = true
				return tx.backfillExpiry(t)
			}
		}
		return nil, nil
	})
	return found, err
}

func (tx *writeTx) backfillIndex(t *table, ix *index, at int) ([]mutation, error) {
	var mutations []mutation
	filled, more, err := tx.eachAfter(t, ix.BackfilledTo, func(key []byte, item storedItem) error {
		entry, found, err := ix.entryKey(item.item, key)
		if err != nil || !found {
			return err
		}
		body, err := t.project(ix, item)
		if err != nil {
			return err
		}
		// A write during the backfill may already have added the entry.
		old, _, err := tx.get(ix.entries, entry)
		if err == nil && !bytes.Equal(old, body) {
			mutations = appendMutation(mutations, ix.entries, entry, old, body)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	// Sort by index key, so that consecutive puts change the same pages.
	slices.SortFunc(mutations, func(a, b mutation) int { return bytes.Compare(a.key, b.key) })
	d := t.definition
	d.Indexes = slices.Clone(d.Indexes)
	d.Indexes[at].Backfilling, d.Indexes[at].BackfilledTo = more, filled
	_, err = tx.saveDefinition(d, t.names)
	return mutations, err
}

func (tx *writeTx) backfillExpiry(t *table) ([]mutation, error) {
	var mutations []mutation
	filled, more, err := tx.eachAfter(t, t.TTL.BackfilledTo, func(key []byte, item storedItem) error {
		mutations = t.expiryMutations(mutations, key, storedItem{}, item)
		return nil
	})
	if err != nil {
		return nil, err
	}
	d := t.definition
	d.TTL.Backfilling, d.TTL.BackfilledTo = more, filled
	_, err = tx.saveDefinition(d, t.names)
	return mutations, err
}

// eachAfter passes the items after a table key to the function each, up to the size of one
// chunk. It returns the last key, and whether there can be more items.
func (tx *writeTx) eachAfter(t *table, after []byte, each func(key []byte, item storedItem) error) (last []byte, more bool, err error) {
	cursor, err := t.items.cursor(tx.bolt)
	if err != nil {
		return nil, false, err
	}
	count, size := 0, 0
	key, value, err := cursor.firstAfter(after)
	for ; err == nil && !atEnd(key); key, value, err = cursor.next() {
		item, err := t.decode(key, value)
		if err != nil {
			return nil, false, err
		}
		last = slices.Clone(key)
		if err := each(last, item); err != nil {
			return nil, false, err
		}
		count++
		if size += len(value); count == maxBackfillItems || size >= maxBackfillBytes {
			return last, true, nil
		}
	}
	if err == nil {
		err = t.items.verifyEnd(key, value)
	}
	return nil, false, err
}

// firstAfter goes to the first key that is greater than the argument after. If the argument
// is nil, it goes to the first key.
func (c *cursor) firstAfter(after []byte) (key, value []byte, err error) {
	if after == nil {
		return c.first()
	}
	key, value, err = c.seek(after)
	if err == nil && bytes.Equal(key, after) {
		return c.next()
	}
	return key, value, err
}
