package embedded

import (
	"bytes"
	"context"
	"hash/crc32"

	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
	"stockroom/store/row"
)

// maxPageBytes is the maximum number of bytes that a Query or Scan request reads, by
// DynamoDB's rules. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html.
const maxPageBytes = 1 << 20

// page reads one page of a Query or Scan. The fields before decoder are its input. The
// fields from items on are its result.
type page struct {
	table *table
	index *index // nil for the table
	shape shape

	start, end []byte // range of keys; end is not included
	after      []byte // ExclusiveStartKey, or nil
	backward   bool
	limit      int // maximum number of items to read, before filtering; 0 means no limit
	segment    segment
	countOnly  bool
	asRows     bool // return rows instead of items
	// fetchItems means that the page reads the item of each entry, because the request
	// needs attributes that a local index does not project.
	fetchItems bool
	// hidden reports whether the item with this primary key is hidden. If it is nil, no
	// item is hidden.
	hidden func(key Item) bool

	decoder      *codec.Decoder
	keys, bodies [][]byte // keys and bodies of the items to decode as rows; valid during the transaction

	items        []Item
	rows         []row.Row
	count        int     // items that passed the filter
	scanned      int     // number of items read
	size         int     // size of the read items in bytes, by DynamoDB's rules
	fetchedUnits float64 // read units for items that were fetched
	lastKey      Item    // LastEvaluatedKey; nil at the end of the range
}

// segment is one part of a parallel scan. As in DynamoDB, each partition is in
// exactly one segment. Damaged keys without a partition are in all segments, so that each
// scan reports them.
type segment struct{ number, total int }

func (s segment) holds(key []byte) bool {
	if s.total == 0 {
		return true
	}
	partition, _, err := codec.SplitPartitionKey(key)
	return err != nil || int(crc32.Checksum(partition, castagnoli)%uint32(s.total)) == s.number
}

func (p *page) keyspace() *keyspace {
	if p.index != nil {
		return p.index.entries
	}
	return p.table.items
}

// entriesPerCheck is the number of entries after which a page checks whether its context has
// ended. A page can read the whole file, because entries of other segments and hidden items
// do not count towards its limits.
const entriesPerCheck = 1000

// Memory is allocated before reading for at most this many items and rows.
const (
	maxExpected = 128
	usualRows   = 32
)

// read reads and decodes the page. It decodes rows only at the end, when their number is
// known, because most pages have far fewer rows than their limit.
func (p *page) read(ctx context.Context, tx *bbolt.Tx) error {
	if err := p.readEntries(ctx, tx); err != nil {
		return err
	}
	return p.decodeRows()
}

func (p *page) readEntries(ctx context.Context, tx *bbolt.Tx) error {
	space := p.keyspace()
	cursor, err := space.cursor(tx)
	if err != nil {
		return err
	}
	expected := min(p.limit, maxExpected)
	p.decoder = p.shape.decoder(p.table.names)
	switch {
	case p.countOnly:
	case p.asRows:
		room := usualRows
		if p.limit > 0 {
			room = min(p.limit, usualRows)
		}
		memory := make([][]byte, 2*room)
		p.keys, p.bodies = memory[:0:len(memory)/2], memory[len(memory)/2:][:0]
	default:
		p.decoder.Expect(expected)
		p.items = make([]Item, 0, expected)
	}
	var entry []byte // body of the last item or index entry of the page
	var previous []byte
	read := 0 // number of entries, including those that are not on the page
	key, value, err := p.first(cursor)
	for ; err == nil && p.inRange(key); key, value, err = p.next(cursor) {
		if read++; read%entriesPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !p.inOrder(previous, key) {
			return space.damaged(key, "keys are out of order")
		}
		previous = key
		if !p.segment.holds(key) {
			continue // the scan of another segment verifies this entry
		}
		body, err := space.unseal(key, value)
		if err != nil {
			return err
		}
		if p.hidden != nil {
			item, err := p.table.keys.Decoder().Item(body)
			if err != nil {
				return space.damaged(key, err.Error())
			}
			if p.hidden(item) {
				continue
			}
		}
		size := codec.SizeOfStored(body)
		if p.scanned > 0 && p.size+size > maxPageBytes {
			return p.endAfter(entry)
		}
		p.size += size
		p.scanned++
		entry = body
		if p.fetchItems {
			if body, err = p.fetchItem(tx, key); err != nil {
				return err
			}
		}
		if err := p.add(key, body); err != nil {
			return err
		}
		if p.scanned == p.limit {
			return p.endAfter(entry)
		}
	}
	if err != nil || key == nil && p.backward {
		return err
	}
	return space.verifyEnd(key, value)
}

// add counts an item that passes the filter, and appends it to the page. To save time, it
// does not decode the item for counting without a filter, or if decodeRows can decode it
// later.
func (p *page) add(key, body []byte) error {
	if p.countOnly && p.shape.filter == nil {
		p.count++
		return nil
	}
	if p.asRows && p.shape.exact && p.shape.filter == nil && !p.countOnly {
		p.count++
		p.keys, p.bodies = append(p.keys, key), append(p.bodies, body)
		return nil
	}
	item, err := p.decoder.Item(body)
	if err != nil {
		return p.keyspace().damaged(key, err.Error())
	}
	item, passes := p.shape.apply(item)
	if !passes {
		return nil
	}
	p.count++
	switch {
	case p.countOnly:
	case p.asRows:
		p.rows = append(p.rows, row.Of(item))
	default:
		p.items = append(p.items, item)
	}
	return nil
}

func (p *page) decodeRows() error {
	if len(p.bodies) == 0 {
		return nil
	}
	p.decoder.ExpectRows(p.bodies)
	p.rows = make([]row.Row, len(p.bodies))
	for i, body := range p.bodies {
		var err error
		if p.rows[i], err = p.decoder.Row(body); err != nil {
			return p.keyspace().damaged(p.keys[i], err.Error())
		}
	}
	return nil
}

// endAfter sets LastEvaluatedKey to the key of the page's last entry.
func (p *page) endAfter(entry []byte) error {
	keys := p.table.keys
	if p.index != nil {
		keys = p.index.keys
	}
	var err error
	if p.lastKey, err = keys.Decoder().Item(entry); err != nil {
		return p.keyspace().damaged(nil, err.Error())
	}
	return nil
}

func (p *page) first(cursor *cursor) (key, value []byte, err error) {
	switch {
	case p.backward && p.after != nil:
		_, _, err = cursor.seek(p.after)
	case p.backward:
		_, _, err = cursor.seek(p.end)
	case p.after == nil:
		return cursor.seek(p.start)
	default:
		key, value, err = cursor.seek(p.after)
		if err != nil || !bytes.Equal(key, p.after) {
			return key, value, err
		}
	}
	if err != nil {
		return nil, nil, err
	}
	return p.next(cursor)
}

func (p *page) next(cursor *cursor) (key, value []byte, err error) {
	if p.backward {
		return cursor.prev()
	}
	return cursor.next()
}

func (p *page) inRange(key []byte) bool {
	if key == nil {
		return false
	}
	if p.backward {
		return bytes.Compare(key, p.start) >= 0
	}
	return bytes.Compare(key, p.end) < 0
}

// inOrder reports whether a key may follow the previous key. Without this check, a cursor in
// a damaged file could return to an earlier key, and reading would never end.
func (p *page) inOrder(previous, key []byte) bool {
	if previous == nil {
		return true
	}
	order := bytes.Compare(previous, key)
	return p.backward && order > 0 || !p.backward && order < 0
}

func (p *page) fetchItem(tx *bbolt.Tx, entryKey []byte) ([]byte, error) {
	tableKey, err := p.index.tableKey(entryKey)
	if err != nil {
		return nil, err
	}
	body, found, err := p.table.items.get(tx, tableKey)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, p.index.entries.damaged(entryKey, "its item is missing")
	}
	p.fetchedUnits += readUnits(codec.SizeOfStored(body), false)
	return body, nil
}

// tableKey returns the table key, which is at the end of an entry's key.
func (ix *index) tableKey(entryKey []byte) ([]byte, error) {
	_, rest, err := codec.SplitPartitionKey(entryKey)
	for i := 0; i < len(ix.Key.MorePartition) && err == nil; i++ {
		_, rest, err = codec.SplitPartitionKey(rest)
	}
	if err == nil && ix.Key.Sort.Name != "" {
		_, rest, err = codec.SplitSortKey(rest)
	}
	for i := 0; i < len(ix.Key.MoreSort) && err == nil; i++ {
		_, rest, err = codec.SplitSortKey(rest)
	}
	if err != nil {
		return nil, ix.entries.damaged(entryKey, err.Error())
	}
	return rest, nil
}

func (p *page) consumedUnits(consistent bool) units {
	consumed := units{owner: p.table}
	unit := readUnits(p.size, consistent)
	if p.index == nil {
		consumed.table = unit
		return consumed
	}
	consumed.add(p.index, unit)
	if consistent {
		p.fetchedUnits *= 2
	}
	consumed.table = p.fetchedUnits
	return consumed
}
