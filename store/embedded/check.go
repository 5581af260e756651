package embedded

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math/bits"
	"os"

	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
)

// Check verifies the whole store, and calls report with a sentence for each problem. It
// verifies checksums, index entries, expiry entries, stream records, attribute names, the
// stored numbers and sizes of items, and the structure of the pages. Check verifies a
// snapshot, so reads and writes continue. An error means that the check itself failed.
func (db *DB) Check(ctx context.Context, report func(problem string)) error {
	return db.checkAndRecord(ctx, report, func(int) {})
}

func (db *DB) check(ctx context.Context, c *checker) error {
	c.ctx, c.closing = ctx, db.closing
	for {
		again := false
		err := db.view(ctx, func(r *readTx) error {
			file, err := os.Open(db.path)
			if err != nil {
				return fmt.Errorf("embedded: %w", err)
			}
			defer file.Close()
			snapshot, found, err := headerOf(file, uint64(r.bolt.ID()))
			if err != nil {
				return fmt.Errorf("embedded: %w", err)
			}
			if !found || !db.isCurrent(r.bolt.DB()) {
				again = true // later commits have overwritten the header page of the snapshot, or Compact has replaced the file
				return nil
			}
			c.tx = r.bolt
			return c.checkFile(file, snapshot)
		})
		if errors.Is(err, ErrDamaged) {
			c.problem(err)
			return nil
		}
		if err != nil || !again {
			return err
		}
	}
}

// isCurrent reports whether bolt is still the file of the store. It returns false if
// Compact has replaced the file. reopen does not replace it during a snapshot.
func (db *DB) isCurrent(bolt *bbolt.DB) bool {
	db.publishing.RLock()
	defer db.publishing.RUnlock()
	return db.bolt.DB == bolt
}

func (c *checker) checkFile(file *os.File, snapshot header) error {
	problems, err := damagedHeaders(file)
	if err != nil {
		return err
	}
	for _, problem := range problems {
		c.problem(errors.New(problem))
	}
	walkable, err := checkStructure(file, snapshot, c.problem, func() error { return c.step(pageSize) })
	if err != nil {
		return err
	}
	if !walkable {
		c.problem(errors.New("values were not checked: the pages may form a cycle"))
		return nil
	}
	return c.checkAll()
}

// step calls pace with the number of bytes that were just checked. It returns an error if
// the check must stop.
func (c *checker) step(n int) error {
	c.pace(n)
	select {
	case <-c.closing:
		return ErrClosed
	default:
		return c.ctx.Err()
	}
}

type checker struct {
	ctx     context.Context
	closing <-chan struct{}
	tx      *bbolt.Tx
	report  func(string)
	// pace is called with the number of bytes that were just checked. It may wait, to slow
	// down the check.
	pace func(bytes int)
	// keyAttributes are the attributes that determine the keys, the index keys and the
	// expiry of items of the current table.
	keyAttributes *codec.Selection
}

func (c *checker) problem(err error) {
	if damage := new(DamageError); errors.As(err, &damage) {
		c.report(damage.finding())
		return
	}
	c.report(err.Error())
}

func (c *checker) checkAll() error {
	catalog, err := loadCatalog(c.tx)
	if err != nil {
		return err
	}
	known := map[string]bool{string(format.name): true, string(tables.name): true, string(totals.name): true, string(tokens.name): true, string(tokenTimes.name): true}
	for _, t := range catalog.tables {
		for _, space := range t.keyspaces() {
			known[string(space.name)] = true
		}
		if err := c.table(t); err != nil {
			return err
		}
	}
	if err := c.requestTokens(); err != nil {
		return err
	}
	return c.tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		if !known[string(name)] {
			c.problem(fmt.Errorf("the file has a bucket %q that belongs to no table", name))
		}
		return nil
	})
}

// walk passes every undamaged entry of a keyspace to the function each. If hasTotal is
// true, it also compares the number and size of the entries with the stored total. If it
// finds damage, it reports the damage and continues if possible.
func (c *checker) walk(space *keyspace, hasTotal bool, each func(key, body []byte) error) error {
	err := recoverFault(space.label, func() error {
		cursor, err := space.cursor(c.tx)
		if err != nil {
			return err
		}
		var got total
		var previous []byte
		key, value, err := cursor.first()
		for ; err == nil && !atEnd(key); key, value, err = cursor.next() {
			if err := c.step(len(key) + len(value)); err != nil {
				return err
			}
			if previous != nil && bytes.Compare(previous, key) >= 0 {
				c.problem(space.damaged(key, keysOutOfOrder))
			}
			previous = key
			body, err := space.unseal(key, value)
			if err == nil {
				got.items++
				got.bytes += int64(codec.SizeOfStored(body))
				err = each(key, body)
			}
			if errors.Is(err, ErrDamaged) {
				c.problem(err)
			} else if err != nil {
				return err
			}
		}
		if err == nil {
			err = space.verifyEnd(key, value)
		}
		if err != nil || !hasTotal {
			return err
		}
		sum, err := readTotal(c.tx, space)
		if err == nil && sum != got {
			err = space.damaged(nil, fmt.Sprintf("it has %d items with %d bytes, but its stored total is %d items with %d bytes", got.items, got.bytes, sum.items, sum.bytes))
		}
		return err
	})
	if errors.Is(err, ErrDamaged) {
		c.problem(err)
		return nil
	}
	return err
}

// table checks the items, indexes, streams and expiry of a table. For each index, it
// compares the digest of the expected entries with the digest of the stored entries. If the
// digests differ, it calls c.index to find the wrong entries.
func (c *checker) table(t *table) error {
	// Decode only keyAttributes if all indexes project all attributes.
	names := t.Key.names()
	whole := false
	for _, ix := range t.indexes {
		names = append(names, ix.Key.names()...)
		whole = whole || ix.projected != nil
	}
	c.keyAttributes = t.names.Select(append(names, t.TTL.Attribute))
	want := make([]digest, len(t.indexes))
	expiring := 0
	var entry []byte
	err := c.walk(t.items, true, func(key, body []byte) error {
		decoder := c.keyAttributes.Decoder()
		if whole {
			decoder = codec.NewDecoder(t.names)
		}
		item, err := t.decodeBody(decoder, key, body)
		if err != nil {
			return err
		}
		if expected, err := t.keyOfItem(nil, item.item); err != nil || !bytes.Equal(expected, key) {
			return t.items.damaged(key, "the item has a different key")
		}
		for i, ix := range t.indexes {
			var has bool
			if entry, has, err = ix.appendEntryKey(entry[:0], item.item, key); err != nil || !has {
				continue
			}
			projected, err := t.project(ix, item)
			if err != nil {
				return err
			}
			want[i].add(entry, projected)
		}
		if _, expires := expiresAt(item.item, t.TTL.Attribute); expires {
			expiring++
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, ix := range t.indexes {
		got, err := c.digestOf(ix.entries)
		if err == nil && got != want[i] || errors.Is(err, ErrDamaged) {
			err = c.index(t, ix, want[i].entries)
		}
		if err != nil {
			return err
		}
	}
	for _, s := range t.streams {
		if err := c.stream(t, s); err != nil {
			return err
		}
	}
	return c.expiry(t, expiring)
}

// stream checks that the records of a stream can be decoded, and that none is missing.
func (c *checker) stream(t *table, s *tableStream) error {
	var last uint64
	return c.walk(s.records, false, func(key, body []byte) error {
		if len(key) != 8 {
			return s.records.damaged(key, codec.ErrMalformed.Error())
		}
		number := binary.BigEndian.Uint64(key)
		missing := last != 0 && number != last+1
		if last = number; missing {
			return s.records.damaged(key, "the record before it is missing")
		}
		if len(body) == 0 { // the record was trimmed, so only its number is stored
			return nil
		}
		if _, err := s.decodeRecord(t, number, body); err != nil {
			return s.records.damaged(key, err.Error())
		}
		return nil
	})
}

// digest identifies a set of entries, regardless of their order. The probability that
// different sets have the same digest is negligible.
type digest struct {
	entries int
	sum     uint64
}

var digestSeed = maphash.MakeSeed()

func (d *digest) add(key, body []byte) {
	d.entries++
	d.sum += maphash.Bytes(digestSeed, key) ^ bits.RotateLeft64(maphash.Bytes(digestSeed, body), 32)
}

// digestOf returns the digest of the entries of a keyspace. It returns a *DamageError if
// an entry, the order of the entries or their total is wrong.
func (c *checker) digestOf(space *keyspace) (d digest, err error) {
	var sum total
	var previous []byte
	err = recoverFault(space.label, func() error {
		return space.each(c.tx, func(key, body []byte) error {
			if previous != nil && bytes.Compare(previous, key) >= 0 {
				return space.damaged(key, keysOutOfOrder)
			}
			previous = key
			sum.items++
			sum.bytes += int64(codec.SizeOfStored(body))
			d.add(key, body)
			return c.step(len(key) + len(body))
		})
	})
	if err != nil {
		return d, err
	}
	stored, err := readTotal(c.tx, space)
	if err == nil && stored != sum {
		err = space.damaged(nil, "its total is wrong")
	}
	return d, err
}

const keysOutOfOrder = "keys are out of order"

// index compares every entry of an index with its item. The argument want is the number
// of entries that the index should have.
func (c *checker) index(t *table, ix *index, want int) error {
	entries := 0
	err := c.walk(ix.entries, true, func(key, body []byte) error {
		entries++
		tableKey, err := ix.tableKey(key)
		if err != nil {
			return err
		}
		item, err := c.itemOf(t, ix.entries, key, tableKey, ix.projected != nil)
		if err != nil {
			return err
		}
		expected, has, err := ix.entryKey(item.item, tableKey)
		if err != nil {
			return err
		}
		if !has || !bytes.Equal(expected, key) {
			return ix.entries.damaged(key, "it has the wrong index key for its item")
		}
		projected, err := t.project(ix, item)
		if err == nil && !bytes.Equal(projected, body) {
			err = ix.entries.damaged(key, "it differs from its item")
		}
		return err
	})
	if err == nil && entries < want && !ix.Backfilling {
		c.problem(ix.entries.damaged(nil, fmt.Sprintf("missing entries: %d", want-entries)))
	}
	return err
}

// itemOf reads the item of an index or expiry entry. If whole is false, it decodes
// only c.keyAttributes.
func (c *checker) itemOf(t *table, space *keyspace, key, tableKey []byte, whole bool) (storedItem, error) {
	body, found, err := t.items.get(c.tx, tableKey)
	if err != nil {
		return storedItem{}, err
	}
	if !found {
		return storedItem{}, space.damaged(key, "its item is missing")
	}
	decoder := c.keyAttributes.Decoder()
	if whole {
		decoder = codec.NewDecoder(t.names)
	}
	return t.decodeBody(decoder, tableKey, body)
}

func (c *checker) expiry(t *table, want int) error {
	entries := 0
	err := c.walk(t.expiry, false, func(key, _ []byte) error {
		entries++
		if len(key) <= 8 {
			return t.expiry.damaged(key, codec.ErrMalformed.Error())
		}
		item, err := c.itemOf(t, t.expiry, key, key[8:], false)
		if err != nil {
			return err
		}
		if at, expires := expiresAt(item.item, t.TTL.Attribute); !expires || at != int64(binary.BigEndian.Uint64(key)) {
			return t.expiry.damaged(key, "its item expires at a different time")
		}
		return nil
	})
	if err == nil && entries < want && !t.TTL.Backfilling {
		c.problem(t.expiry.damaged(nil, fmt.Sprintf("missing entries: %d", want-entries)))
	}
	return err
}

// requestTokens checks that each token also has an entry in tokenTimes. Without this
// entry, the token would never be removed.
func (c *checker) requestTokens() error {
	err := c.walk(tokens, false, func(name, body []byte) error {
		if len(body) < 8 {
			return tokens.damaged(name, codec.ErrMalformed.Error())
		}
		_, found, err := tokenTimes.get(c.tx, append(bytes.Clone(body[:8]), name...))
		if err == nil && !found {
			err = tokens.damaged(name, "its entry by time is missing")
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.walk(tokenTimes, false, func([]byte, []byte) error { return nil })
}
