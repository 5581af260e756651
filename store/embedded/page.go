package embedded

import (
	"bytes"
	"hash/crc32"

	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
)

// maxPage is how many bytes of items, by DynamoDB's rule, one request reads.
const maxPage = 1 << 20

// page is one page of a Query or a Scan: which part of a keyspace it reads,
// and then what it found.
type page struct {
	table *table
	index *index // nil for the table itself
	shape shape

	from, upto []byte // the range; upto is not in it
	after      []byte // the key behind which the page begins; nil for the start
	backward   bool
	limit      int // of items read, before the filter; 0 for none
	segment    segment
	countOnly  bool
	// fetch tells that the items themselves are read for each entry: a local
	// index is asked for what it does not project.
	fetch bool

	items   []Item
	count   int // of items that passed the filter
	scanned int // of items that were read
	size    int // of these, in bytes by DynamoDB's rule
	fetched float64
	last    Item // the LastEvaluatedKey, nil if the range ended with the page
}

// segment is a worker's part of a parallel scan. A partition belongs to one
// segment whole, as in DynamoDB.
type segment struct{ number, of int }

func (s segment) holds(key []byte) bool {
	if s.of == 0 {
		return true
	}
	partition, _, err := codec.SplitPartitionKey(key)
	return err == nil && int(crc32.Checksum(partition, castagnoli)%uint32(s.of)) == s.number
}

func (p *page) keyspace() *keyspace {
	if p.index != nil {
		return p.index.entries
	}
	return p.table.items
}

// maxExpected bounds the room that is made for a page before it is read.
const maxExpected = 128

// read reads and decodes the page.
func (p *page) read(tx *bbolt.Tx) error {
	space := p.keyspace()
	bucket, err := space.bucket(tx)
	if err != nil {
		return err
	}
	expected := min(p.limit, maxExpected)
	decoder := p.shape.decoder(p.table.names).Expect(expected)
	if !p.countOnly {
		p.items = make([]Item, 0, expected)
	}
	cursor := bucket.Cursor()
	var entry []byte // the body of the last item, or index entry, of the page
	var before []byte
	key, value, err := p.first(space, cursor)
	if err != nil {
		return err
	}
	for ; p.inRange(key); key, value = p.next(cursor) {
		if !p.inOrder(before, key) {
			return space.damaged(key, "it is out of order")
		}
		before = key
		if !p.segment.holds(key) {
			continue
		}
		body, err := space.unseal(key, value)
		if err != nil {
			return err
		}
		size := codec.SizeOfStored(body)
		if p.scanned > 0 && p.size+size > maxPage {
			return p.endAt(entry)
		}
		p.size += size
		p.scanned++
		entry = body
		if p.fetch {
			if body, err = p.fetchItem(tx, key); err != nil {
				return err
			}
		}
		if err := p.take(decoder, key, body); err != nil {
			return err
		}
		if p.scanned == p.limit {
			return p.endAt(entry)
		}
	}
	return nil
}

// take decodes an item and keeps it if it passes the filter.
func (p *page) take(decoder *codec.Decoder, key, body []byte) error {
	if p.countOnly && p.shape.filter == nil {
		p.count++
		return nil
	}
	item, err := decoder.Item(body)
	if err != nil {
		return p.keyspace().damaged(key, err.Error())
	}
	item, passes := p.shape.apply(item)
	if !passes {
		return nil
	}
	p.count++
	if !p.countOnly {
		p.items = append(p.items, item)
	}
	return nil
}

// endAt ends the page before its range: the next one begins behind the entry.
func (p *page) endAt(entry []byte) error {
	keys := p.table.keys
	if p.index != nil {
		keys = p.index.keys
	}
	var err error
	if p.last, err = keys.Decoder().Item(entry); err != nil {
		return p.keyspace().damaged(nil, err.Error())
	}
	return nil
}

// first moves the cursor to the first key of the page.
func (p *page) first(space *keyspace, cursor *bbolt.Cursor) (key, value []byte, err error) {
	switch {
	case p.backward && p.after != nil:
		_, _, err = space.seek(cursor, p.after)
	case p.backward:
		_, _, err = space.seek(cursor, p.upto)
	case p.after == nil:
		return space.seek(cursor, p.from)
	default:
		key, value, err = space.seek(cursor, p.after)
		if err != nil || !bytes.Equal(key, p.after) {
			return key, value, err
		}
	}
	if err != nil {
		return nil, nil, err
	}
	key, value = p.next(cursor)
	return key, value, nil
}

func (p *page) next(cursor *bbolt.Cursor) (key, value []byte) {
	if p.backward {
		return cursor.Prev()
	}
	return cursor.Next()
}

func (p *page) inRange(key []byte) bool {
	if key == nil {
		return false
	}
	if p.backward {
		return bytes.Compare(key, p.from) >= 0
	}
	return bytes.Compare(key, p.upto) < 0
}

// inOrder tells whether key may follow before. In a damaged file a cursor can
// come back to where it was, and paging would never end.
func (p *page) inOrder(before, key []byte) bool {
	if before == nil {
		return true
	}
	order := bytes.Compare(before, key)
	return p.backward && order > 0 || !p.backward && order < 0
}

// fetchItem reads the item that an index entry stands for.
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
		return nil, p.index.entries.damaged(entryKey, "the item that it stands for is missing")
	}
	p.fetched += readUnits(codec.SizeOfStored(body), false)
	return body, nil
}

// tableKey cuts the table key off the end of an entry's key.
func (ix *index) tableKey(entryKey []byte) ([]byte, error) {
	_, rest, err := codec.SplitPartitionKey(entryKey)
	if err == nil && ix.Key.Sort.Name != "" {
		_, rest, err = codec.SplitSortKey(rest)
	}
	if err != nil {
		return nil, ix.entries.damaged(entryKey, err.Error())
	}
	return rest, nil
}

// charge is what reading the page costs.
func (p *page) charge(consistent bool) units {
	charged := newUnits(p.table)
	unit := readUnits(p.size, consistent)
	if p.index == nil {
		charged.table = unit
		return charged
	}
	charged.add(p.index, unit)
	if consistent {
		p.fetched *= 2
	}
	charged.table = p.fetched
	return charged
}
