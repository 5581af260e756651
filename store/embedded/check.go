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

// Check reads everything and reports what is wrong, in sentences: checksums,
// whether each index entry has its item and the other way round, the order of
// expiry, the attribute names, the totals, and the structure of the file. The
// store can be used meanwhile; writers wait while the structure is looked at,
// about a second for a gigabyte.
// The error is about the checking itself.
func (db *DB) Check(ctx context.Context, report func(problem string)) error {
	c := &checking{ctx: ctx, report: report}
	file, err := os.Open(db.path)
	if err != nil {
		return fmt.Errorf("embedded: %w", err)
	}
	defer file.Close()
	if err := c.headers(file); err != nil {
		return err
	}
	walkable := false
	err = db.writeAlone(ctx, func(*writeTx) (_ []mutation, err error) {
		walkable, err = checkStructure(file, c.problem)
		return nil, err
	})
	if err != nil {
		return err
	}
	if !walkable {
		c.problem(errors.New("no value was read: the pages may lead in a circle"))
		return nil
	}
	err = db.view(ctx, func(r *readTx) error {
		c.tx = r.bolt
		return c.everything()
	})
	if errors.Is(err, ErrDamaged) {
		c.problem(err)
		return nil
	}
	return err
}

// headers looks at the two header pages. The store runs with one, and takes
// the other for that of a write that was cut off; so a damaged one hides that
// the last write is missing.
func (c *checking) headers(file *os.File) error {
	for page := range int64(2) {
		var buffer [metaOffset + metaLen]byte
		if _, err := file.ReadAt(buffer[:], page*pageSize); err != nil {
			return fmt.Errorf("embedded: %w", err)
		}
		if _, err := parseHeader(buffer[:]); err != nil {
			c.problem(fmt.Errorf("header page %d of %s is damaged: if no power failure explains it, the last write before the store was opened may be missing", page, file.Name()))
		}
	}
	return nil
}

// checking is a Check under way.
type checking struct {
	ctx      context.Context
	tx       *bbolt.Tx
	report   func(string)
	problems int
	placing  *codec.Wanted // of the table that is being checked
}

func (c *checking) problem(err error) {
	c.problems++
	c.report(err.Error())
}

func (c *checking) everything() error {
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
			c.problem(fmt.Errorf("the file holds %q, which belongs to no table", name))
		}
		return nil
	})
}

// walk calls each for the bodies of a keyspace that are whole, and holds their
// number and size against the keyspace's total, if it has one. Damage inside
// is reported, and the walk goes on behind it where it can.
func (c *checking) walk(space *keyspace, counted bool, each func(key, body []byte) error) error {
	err := guarded(space.label, func() error {
		bucket, err := space.bucket(c.tx)
		if err != nil {
			return err
		}
		var held total
		var before []byte
		cursor := bucket.Cursor()
		key, value := cursor.First()
		for ; !atEnd(key); key, value = cursor.Next() {
			if err := c.ctx.Err(); err != nil {
				return err
			}
			if before != nil && bytes.Compare(before, key) >= 0 {
				c.problem(space.damaged(key, "it is out of order"))
			}
			before = key
			body, err := space.unseal(key, value)
			if err == nil {
				held.items++
				held.bytes += int64(codec.SizeOfStored(body))
				err = each(key, body)
			}
			if errors.Is(err, ErrDamaged) {
				c.problem(err)
			} else if err != nil {
				return err
			}
		}
		if key == nil {
			return space.damaged(nil, "its end is missing")
		}
		if !counted {
			return nil
		}
		sum, err := readTotal(c.tx, space)
		if err == nil && sum != held {
			err = space.damaged(nil, fmt.Sprintf("it holds %d items of %d bytes and should hold %d of %d", held.items, held.bytes, sum.items, sum.bytes))
		}
		return err
	})
	if errors.Is(err, ErrDamaged) {
		c.problem(err)
		return nil
	}
	return err
}

// table checks a table's items, and then whether every entry of an index is
// that of its item. If so, and there are as many entries as items that should
// have one, none is missing.
func (c *checking) table(t *table) error {
	// What a place depends on is decoded, not more: a checksum vouches for the
	// rest.
	names := t.Key.names()
	for _, ix := range t.indexes {
		names = append(names, ix.Key.names()...)
	}
	c.placing = t.names.Want(append(names, t.TTL.Attribute))
	should := make([]int, len(t.indexes))
	expiring := 0
	err := c.walk(t.items, true, func(key, body []byte) error {
		item, err := t.decodeBody(c.placing.Decoder(), key, body)
		if err != nil {
			return err
		}
		if own, err := t.keyOfItem(item.item); err != nil || !bytes.Equal(own, key) {
			return t.items.damaged(key, "the item has another key")
		}
		for i, ix := range t.indexes {
			if _, has, err := ix.entryKey(item.item, key); err == nil && has {
				should[i]++
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
		if err := c.index(t, ix, should[i]); err != nil {
			return err
		}
	}
	return c.expiry(t, expiring)
}

func (c *checking) index(t *table, ix *index, should int) error {
	entries := 0
	err := c.walk(ix.entries, true, func(key, body []byte) error {
		entries++
		tableKey, err := ix.tableKey(key)
		if err != nil {
			return err
		}
		item, err := c.itemOf(t, ix.entries, key, tableKey, ix.kept != nil)
		if err != nil {
			return err
		}
		own, has, err := ix.entryKey(item.item, tableKey)
		if err != nil {
			return err
		}
		if !has || !bytes.Equal(own, key) {
			return ix.entries.damaged(key, "its item belongs elsewhere in the index")
		}
		projected, err := t.project(ix, item)
		if err == nil && !bytes.Equal(projected, body) {
			err = ix.entries.damaged(key, "it differs from its item")
		}
		return err
	})
	if err == nil && entries < should && !ix.Filling {
		c.problem(ix.entries.damaged(nil, fmt.Sprintf("%d entries are missing", should-entries)))
	}
	return err
}

// itemOf reads the item that an entry stands for, whole or what its place
// depends on.
func (c *checking) itemOf(t *table, space *keyspace, key, tableKey []byte, whole bool) (stored, error) {
	body, found, err := t.items.get(c.tx, tableKey)
	if err != nil {
		return stored{}, err
	}
	if !found {
		return stored{}, space.damaged(key, "the item that it stands for is missing")
	}
	decoder := c.placing.Decoder()
	if whole {
		decoder = codec.NewDecoder(t.names)
	}
	return t.decodeBody(decoder, tableKey, body)
}

func (c *checking) expiry(t *table, should int) error {
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
			return t.expiry.damaged(key, "its item expires at another time")
		}
		return nil
	})
	if err == nil && entries < should && !t.TTL.Filling {
		c.problem(t.expiry.damaged(nil, fmt.Sprintf("%d entries are missing", should-entries)))
	}
	return err
}

// requestTokens checks that each token can be forgotten: it is in the order
// of time, too.
func (c *checking) requestTokens() error {
	err := c.walk(tokens, false, func(name, body []byte) error {
		if len(body) < 8 {
			return tokens.damaged(name, codec.ErrMalformed.Error())
		}
		_, found, err := tokenTimes.get(c.tx, append(bytes.Clone(body[:8]), name...))
		if err == nil && !found {
			err = tokens.damaged(name, "it is missing in the order of time")
		}
		return err
	})
	if err != nil {
		return err
	}
	return c.walk(tokenTimes, false, func([]byte, []byte) error { return nil })
}
