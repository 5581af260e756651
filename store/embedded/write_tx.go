package embedded

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
)

// writeTx is a write transaction for a group of requests. Each request sees the changes of
// earlier requests in the group.
type writeTx struct {
	db      *DB
	bolt    *bbolt.Tx
	catalog *catalog // differs from db.catalog if this transaction has changed a definition
	now     time.Time
	changed bool
	counted bool // the transaction contains a request that counts in Changes
	totals  map[*keyspace]total
	guards  map[*keyspace]*guard
	numbers map[string]uint64 // number of the next record of each stream, by the name of the stream's keyspace
	fill    float64           // part of a page that is full after a split; 0 for bbolt's default
}

// guard verifies the pages that a change of a key modifies.
func (w *writeTx) guard(space *keyspace, key []byte, deleted bool) error {
	g, ok := w.guards[space]
	if !ok {
		bucket, err := space.bucket(w.bolt)
		if err != nil {
			return err
		}
		if w.guards == nil {
			w.guards = make(map[*keyspace]*guard)
		}
		g = newGuard(w.bolt, space, bucket)
		w.guards[space] = g
	}
	return g.check(key, deleted)
}

// get returns the body for a key, including changes that the transaction has made. The body
// is valid until the transaction ends.
func (w *writeTx) get(space *keyspace, key []byte) (body []byte, found bool, err error) {
	bucket, err := space.bucket(w.bolt)
	if err != nil {
		return nil, false, err
	}
	// Verify the pages for the key. bbolt may already have copied some of them to memory,
	// and the search below then reads the copies.
	if err := w.guard(space, key, false); err != nil {
		return nil, false, err
	}
	at, value := bucket.Cursor().Seek(key)
	if !bytes.Equal(at, key) {
		return nil, false, nil
	}
	body, err = space.unseal(key, value)
	return body, err == nil, err
}

// guardAll verifies the pages that mutations modify.
func (w *writeTx) guardAll(mutations []mutation) error {
	for i := range mutations {
		if err := w.guard(mutations[i].space, mutations[i].key, mutations[i].value == nil); err != nil {
			return err
		}
	}
	return nil
}

// apply applies mutations. After an error, the transaction must be rolled back.
func (w *writeTx) apply(mutations []mutation) error {
	for i := range mutations {
		m := &mutations[i]
		bucket, err := m.space.bucket(w.bolt)
		if err != nil {
			return err
		}
		if w.fill > 0 {
			bucket.FillPercent = w.fill
		}
		if m.space.appended {
			bucket.FillPercent = loadFillPercent
		}
		if m.value == nil {
			err = bucket.Delete(m.key)
		} else {
			err = bucket.Put(m.key, m.value)
		}
		if err != nil {
			return fmt.Errorf("embedded: %s: %w", m.space.label, err)
		}
		w.changed = true
		w.add(m.space, total{items: int64(m.count), bytes: int64(m.bytes)})
	}
	return nil
}

// sortMutations sorts mutations of different keys by keyspace and key, so that keys on the
// same page are written one after the other.
func sortMutations(mutations []mutation) {
	slices.SortFunc(mutations, func(a, b mutation) int {
		if a.space != b.space {
			return bytes.Compare(a.space.name, b.space.name)
		}
		return bytes.Compare(a.key, b.key)
	})
}

// encode returns the body of an item, and adds missing names to the table's
// dictionary. The names stay there even if the request fails.
func (w *writeTx) encode(t *table, item Item) ([]byte, error) {
	missing := t.names.Missing(item)
	if len(missing) == 0 {
		return t.names.Encode(nil, item)
	}
	extended, err := w.addNames(t, missing)
	if err != nil {
		return nil, err
	}
	return extended.names.Encode(nil, item)
}

func (w *writeTx) addNames(t *table, names []string) (*table, error) {
	bucket, err := t.dictionary.bucket(w.bolt)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		key := binary.BigEndian.AppendUint32(nil, uint32(t.names.Len()+i))
		if err := w.guard(t.dictionary, key, false); err != nil {
			return nil, err
		}
		if err := bucket.Put(key, t.dictionary.seal(key, []byte(name))); err != nil {
			return nil, fmt.Errorf("embedded: %s: %w", t.dictionary.label, err)
		}
	}
	extended := t.withNames(t.names.With(names))
	w.catalog = w.catalog.with(extended)
	w.changed = true
	return extended, nil
}

// total is the number of items in a keyspace, and their size.
type total struct{ items, bytes int64 }

// totals is the keyspace that contains the totals of the keyspaces of items and index
// entries. The keys are the names of these keyspaces.
var totals = newKeyspace("totals", "the totals")

func (w *writeTx) add(space *keyspace, change total) {
	if change == (total{}) {
		return
	}
	if w.totals == nil {
		w.totals = make(map[*keyspace]total)
	}
	sum := w.totals[space]
	w.totals[space] = total{sum.items + change.items, sum.bytes + change.bytes}
}

func (w *writeTx) saveTotals() error {
	for space, change := range w.totals {
		bucket, err := totals.bucket(w.bolt)
		if err != nil {
			return err
		}
		// Skip a keyspace that this transaction has deleted.
		if w.bolt.Bucket(space.name) == nil {
			continue
		}
		sum, err := w.total(space)
		if err != nil {
			return err
		}
		body := binary.BigEndian.AppendUint64(nil, uint64(sum.items+change.items))
		body = binary.BigEndian.AppendUint64(body, uint64(sum.bytes+change.bytes))
		if err := bucket.Put(space.name, totals.seal(space.name, body)); err != nil {
			return fmt.Errorf("embedded: totals: %w", err)
		}
	}
	return nil
}

// total returns the stored total of a keyspace, without the changes in w.totals.
func (w *writeTx) total(space *keyspace) (total, error) {
	body, found, err := w.get(totals, space.name)
	if err != nil || !found {
		return total{}, err
	}
	return decodeTotal(space, body)
}

func readTotal(tx *bbolt.Tx, space *keyspace) (total, error) {
	body, found, err := totals.get(tx, space.name)
	if err != nil || !found {
		return total{}, err
	}
	return decodeTotal(space, body)
}

func decodeTotal(space *keyspace, body []byte) (total, error) {
	if len(body) != 16 {
		return total{}, totals.damaged(space.name, codec.ErrMalformed.Error())
	}
	return total{int64(binary.BigEndian.Uint64(body)), int64(binary.BigEndian.Uint64(body[8:]))}, nil
}
