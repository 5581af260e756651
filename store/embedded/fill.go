package embedded

import (
	"bytes"
	"context"
	"slices"

	"go.etcd.io/bbolt"
)

// A new index, or the order of expiry of a table that had items before, is
// filled in the background, a chunk of items in each transaction, so that
// writers wait for a chunk at most. Writes keep it up meanwhile; how far it
// got is part of the definition, so it goes on when the store is opened again.
const (
	fillItems = 2000
	fillBytes = 4 << 20
)

// fillSoon wakes the filling goroutine.
func (db *DB) fillSoon() {
	select {
	case db.fill <- struct{}{}:
	default: // it is awake
	}
}

func (db *DB) fillUntilClosed() {
	for {
		select {
		case <-db.fill:
		case <-db.closing:
			return
		}
		// After an error the index stays as it is, CREATING; the next
		// opening tries again.
		for more, err := db.fillChunk(); more && err == nil; more, err = db.fillChunk() {
		}
	}
}

// filling tells whether something of the table is being filled.
func (t *table) filling() bool {
	return t.TTL.Filling || slices.ContainsFunc(t.indexes, func(ix *index) bool { return ix.Filling })
}

// fillChunk fills some of one index and tells whether there was one.
func (db *DB) fillChunk() (found bool, err error) {
	err = db.writeAlone(context.Background(), func(tx *writeTx) ([]mutation, error) {
		for _, t := range tx.catalog.tables {
			for i, ix := range t.indexes {
				if ix.Filling {
					found = true
					return tx.fillIndex(t, ix, i)
				}
			}
			if t.TTL.Filling {
				found = true
				return tx.fillExpiry(t)
			}
		}
		return nil, nil
	})
	return found, err
}

func (tx *writeTx) fillIndex(t *table, ix *index, at int) ([]mutation, error) {
	var mutations []mutation
	filled, more, err := tx.eachBehind(t, ix.Filled, func(key []byte, item stored) error {
		entry, found, err := ix.entryKey(item.item, key)
		if err != nil || !found {
			return err
		}
		body, err := t.project(ix, item)
		if err != nil {
			return err
		}
		// A write may have put the entry there already.
		old, _, err := ix.entries.get(tx.bolt, entry)
		if err == nil && !bytes.Equal(old, body) {
			mutations = appendMutation(mutations, ix.entries, entry, old, body)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	// In the order of the index, neighbours share pages.
	slices.SortFunc(mutations, func(a, b mutation) int { return bytes.Compare(a.key, b.key) })
	d := t.definition
	d.Indexes = slices.Clone(d.Indexes)
	d.Indexes[at].Filling, d.Indexes[at].Filled = more, filled
	_, err = tx.define(d, t.names)
	return mutations, err
}

func (tx *writeTx) fillExpiry(t *table) ([]mutation, error) {
	var mutations []mutation
	filled, more, err := tx.eachBehind(t, t.TTL.Filled, func(key []byte, item stored) error {
		mutations = t.changeExpiry(mutations, key, stored{}, item)
		return nil
	})
	if err != nil {
		return nil, err
	}
	d := t.definition
	d.TTL.Filling, d.TTL.Filled = more, filled
	_, err = tx.define(d, t.names)
	return mutations, err
}

// eachBehind calls each for a chunk of the items behind a table key, and
// returns the key of the last one, and whether the table goes on behind it.
func (tx *writeTx) eachBehind(t *table, after []byte, each func(key []byte, item stored) error) (last []byte, more bool, err error) {
	bucket, err := t.items.bucket(tx.bolt)
	if err != nil {
		return nil, false, err
	}
	cursor := bucket.Cursor()
	count, size := 0, 0
	for key, value := firstBehind(cursor, after); !atEnd(key); key, value = cursor.Next() {
		item, err := t.decode(key, value)
		if err != nil {
			return nil, false, err
		}
		last = slices.Clone(key)
		if err := each(last, item); err != nil {
			return nil, false, err
		}
		count++
		if size += len(value); count == fillItems || size >= fillBytes {
			return last, true, nil
		}
	}
	return nil, false, nil
}

func firstBehind(cursor *bbolt.Cursor, after []byte) (key, value []byte) {
	if after == nil {
		return cursor.First()
	}
	key, value = cursor.Seek(after)
	if bytes.Equal(key, after) {
		return cursor.Next()
	}
	return key, value
}
