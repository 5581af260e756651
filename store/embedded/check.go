package embedded

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
)

// Check verifies the whole store, and calls report with a sentence for each problem.
// It verifies checksums, index entries, expiry, attribute names, totals and the
// structure of the pages. Reads continue during a check. Writes wait while Check
// reads the page structure, about one second per gigabyte. An error of Check means
// that the check itself failed.
func (db *DB) Check(ctx context.Context, report func(problem string)) error {
	c := &checker{ctx: ctx, report: report}
	walkable := false
	err := db.writeAlone(ctx, func(*writeTx) (_ []mutation, err error) {
		walkable, err = c.structure(db.path)
		return nil, err
	})
	if err != nil {
		return err
	}
	if !walkable {
		c.problem(errors.New("values were not checked: the pages may form a cycle"))
		return nil
	}
	err = db.view(ctx, func(r *readTx) error {
		c.tx = r.bolt
		return c.checkAll()
	})
	if errors.Is(err, ErrDamaged) {
		c.problem(err)
		return nil
	}
	return err
}

// structure checks the header pages and the structure of the file, which must not change
// meanwhile. See checkStructure.
func (c *checker) structure(path string) (walkable bool, err error) {
	file, err := os.Open(path)
	if err != nil {
		return false, fmt.Errorf("embedded: %w", err)
	}
	defer file.Close()
	problems, err := damagedHeaders(file)
	if err != nil {
		return false, err
	}
	for _, problem := range problems {
		c.problem(errors.New(problem))
	}
	return checkStructure(file, c.problem)
}

// checker is the state of a Check.
type checker struct {
	ctx      context.Context
	tx       *bbolt.Tx
	report   func(string)
	problems int
	// keyAttributes are the attributes of the current table that are part of keys in an
	// index or the expiry keyspace.
	keyAttributes *codec.Selection
}

func (c *checker) problem(err error) {
	c.problems++
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

// walk calls the function each for every undamaged entry of a keyspace. If hasTotal
// is true, it also compares the number and size of the entries with the stored total.
// It reports damage and continues if possible.
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
			if err := c.ctx.Err(); err != nil {
				return err
			}
			if previous != nil && bytes.Compare(previous, key) >= 0 {
				c.problem(space.damaged(key, "keys are out of order"))
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
			err = space.damaged(nil, fmt.Sprintf("it has %d items with %d bytes in total, want %d with %d", got.items, got.bytes, sum.items, sum.bytes))
		}
		return err
	})
	if errors.Is(err, ErrDamaged) {
		c.problem(err)
		return nil
	}
	return err
}

// table checks the items of a table, and that every index entry matches its item. It
// also compares the number of entries with the number of items that have the index
// key. If both are equal, no entry is missing.
func (c *checker) table(t *table) error {
	// Only keys are compared, because checksums cover the other attributes.
	names := t.Key.names()
	for _, ix := range t.indexes {
		names = append(names, ix.Key.names()...)
	}
	c.keyAttributes = t.names.Select(append(names, t.TTL.Attribute))
	want := make([]int, len(t.indexes))
	expiring := 0
	err := c.walk(t.items, true, func(key, body []byte) error {
		item, err := t.decodeBody(c.keyAttributes.Decoder(), key, body)
		if err != nil {
			return err
		}
		if expected, err := t.keyOfItem(nil, item.item); err != nil || !bytes.Equal(expected, key) {
			return t.items.damaged(key, "the item has a different key")
		}
		for i, ix := range t.indexes {
			if _, has, err := ix.entryKey(item.item, key); err == nil && has {
				want[i]++
			}
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
		if err := c.index(t, ix, want[i]); err != nil {
			return err
		}
	}
	return c.expiry(t, expiring)
}

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
		c.problem(ix.entries.damaged(nil, fmt.Sprintf("%d entries are missing", want-entries)))
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
		c.problem(t.expiry.damaged(nil, fmt.Sprintf("%d entries are missing", want-entries)))
	}
	return err
}

// requestTokens checks that each token also has an entry in tokenTimes. A token
// without this entry would never be removed.
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
