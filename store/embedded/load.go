package embedded

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"go.etcd.io/bbolt"

	"stockroom/store/embedded/codec"
)

// loadFillPercent is the part of a page that is full after a load splits it. Few keys are
// inserted later between the keys of a load. With bbolt's default of half-full pages, the
// file would be almost twice as large.
const loadFillPercent = 0.9

const (
	// loadPages is the number of pages that a load should change at most. The pages are in
	// memory until the load is on disk. If they used up the memory of an import,
	// garbage collection would take more time than the load. The number matters for
	// large files, in which almost every entry changes another page.
	loadPages = 10_000

	// firstLoad is the number of items at which the first load is full. In a large file,
	// 4,000 items with their index entries can change loadPages pages.
	firstLoad = 4000
)

// These limits are variables only because tests lower them.
var (
	// maxLoadPages is the number of pages that one transaction of a load may change. It is
	// larger than loadPages, because dividing a load takes time.
	maxLoadPages int64 = 12_000

	// minLoad is the number of items up to which a load is never full or divided.
	minLoad = 1000
)

// StartLoad starts a load, which inserts many items in one transaction, or in several
// if they change too many pages. It writes in key order, so that a transaction writes
// each page only once. Larger loads take less time per item, but block other writers
// for longer.
func (db *DB) StartLoad(table string) Load { return &load{db: db, name: table} }

// Load inserts many items. It is not safe for concurrent use.
type Load = interface {
	// Add adds a group of items. It encodes the items immediately and does not keep them.
	// Errors are those of PutItem. After an error, discard the load.
	Add(group ...Item) error
	// Bytes returns the size of the keys and values so far.
	Bytes() int
	// Full reports whether the load should be committed, judging by the number of pages
	// that the last load changed. The first load is full at firstLoad items.
	Full() bool
	// Sort sorts the items. Call it before Commit to do this work without blocking
	// writers.
	Sort()
	// Commit inserts the groups. If the key of a group's first item exists, Commit
	// skips the whole group. It returns the positions of these groups. If the key of
	// another item exists, Commit skips only that item. Each group is inserted
	// completely or not at all. After an error, only the first done groups are inserted
	// or skipped.
	//
	// If items of two groups have the same key, Commit inserts the item that is the
	// first of its group. If both or neither are the first, it inserts that of the
	// earlier group. In a divided load, two groups can be in different transactions.
	// Then it always inserts the item of the earlier group, and skips the later group
	// if its first item has this key.
	Commit(context.Context) (taken []int, done int, err error)
}

// ExistingKeys returns those of the given keys that have an item. If few of them have one,
// ExistingKeys is faster than BatchGetItem: it searches once for all given keys that lie
// between the same two stored keys.
func (db *DB) ExistingKeys(ctx context.Context, table string, keys []Item) (existing []Item, err error) {
	err = db.view(ctx, func(r *readTx) error {
		t, err := r.catalog.table(table)
		if err != nil {
			return err
		}
		space := loadSpace{space: t.items, entries: make([]loadEntry, len(keys))}
		for i, key := range keys {
			space.entries[i].item = i
			if space.entries[i].key, err = t.keyOf(key); err != nil {
				return err
			}
		}
		slices.SortFunc(space.entries, func(a, b loadEntry) int { return bytes.Compare(a.key, b.key) })
		found, err := space.existing(r.bolt)
		for i, e := range space.entries {
			if err == nil && found[i] {
				existing = append(existing, keys[e.item])
			}
		}
		return err
	})
	return existing, err
}

// load contains the items to insert, and their entries. The caller's goroutine does all
// work that does not depend on the contents of the table. The commit goroutine does the
// rest.
type load struct {
	db     *DB
	name   string
	table  *table // the table for which the items are encoded; nil before the first item
	items  []loadItem
	groups int         // position after the last group
	spaces []loadSpace // one for the items, one per index, one for the expiry
	memory arena
	sorted bool
	bytes  int
}

type loadItem struct {
	group   int
	first   bool // first item of its group
	skipped bool // the item is not inserted; set by the commit goroutine, in skipExisting
}

// loadSpace contains the entries to insert into one keyspace.
type loadSpace struct {
	space   *keyspace
	entries []loadEntry
}

// loadEntry is an entry of an item: its key and its sealed value.
type loadEntry struct {
	key, value []byte
	item       int
}

func (l *load) Add(group ...Item) error {
	if l.table == nil {
		t, err := l.db.catalog.Load().table(l.name)
		if err != nil {
			return err
		}
		l.reset(t)
	}
	for i, item := range group {
		item, err := normalizeItem(item)
		if err != nil {
			return err
		}
		value, known, err := l.encode(item)
		if err == nil && !known {
			if err = l.addNames(item); err == nil {
				value, _, err = l.encode(item)
			}
		}
		if err == nil {
			err = l.addItem(loadItem{group: l.groups, first: i == 0}, item, value)
		}
		if err != nil {
			return err
		}
	}
	l.groups++
	return nil
}

func (l *load) Bytes() int { return l.bytes }

func (l *load) Full() bool {
	most := cmp.Or(int(l.db.maxLoad.Load()), firstLoad)
	return len(l.items) >= max(most, minLoad)
}

func (l *load) reset(t *table) {
	l.table, l.items, l.groups, l.bytes = t, nil, 0, 0
	l.spaces = []loadSpace{{space: t.items}}
	for _, ix := range t.indexes {
		l.spaces = append(l.spaces, loadSpace{space: ix.entries})
	}
	l.spaces = append(l.spaces, loadSpace{space: t.expiry})
	// Allocate as much as the last load needed, because the loads of an import often have
	// similar sizes.
	if last := l.db.lastLoad.Load(); last != nil && len(*last) == len(l.spaces) {
		for i, entries := range *last {
			l.spaces[i].entries = make([]loadEntry, 0, entries)
		}
		l.items = make([]loadItem, 0, (*last)[0])
	}
}

// addNames adopts the current table definition, and adds the names of an item to its
// dictionary, in a separate transaction. The names remain even if the load fails.
func (l *load) addNames(item Item) error {
	return l.db.write(context.Background(), 0, func(tx *writeTx) ([]mutation, error) {
		if err := l.adopt(tx); err != nil {
			return nil, err
		}
		return nil, l.extendNames(tx, item)
	})
}

func (l *load) extendNames(tx *writeTx, item Item) (err error) {
	if missing := l.table.names.Missing(item); len(missing) > 0 {
		l.table, err = tx.addNames(l.table, missing)
	}
	return err
}

// adopt makes the current table definition that of the load. If it is another table with
// the same name, or if the indexes or the TTL attribute have changed, adopt encodes all items
// again, and adds names that the dictionary lacks. The transaction must not be rolled back
// later, because the encoded items use these names.
func (l *load) adopt(tx *writeTx) error {
	t, err := tx.catalog.table(l.name)
	if err != nil {
		return err
	}
	if l.table.encodesLike(t) {
		l.table = t
		return nil
	}
	before, groups := *l, l.groups
	l.reset(t)
	slices.SortFunc(before.spaces[0].entries, func(a, b loadEntry) int { return a.item - b.item })
	for _, e := range before.spaces[0].entries {
		item, err := codec.NewDecoder(before.table.names).Item(e.value[sealLen:])
		if err == nil {
			err = l.extendNames(tx, item)
		}
		if err != nil {
			return err
		}
		value, _, err := l.encode(item)
		if err == nil {
			err = l.addItem(before.items[e.item], item, value)
		}
		if err != nil {
			return err
		}
	}
	l.groups = groups
	l.Sort()
	return nil
}

// encodesLike reports whether items have the same entries with both definitions. The
// dictionaries may differ, because a name keeps its number.
func (t *table) encodesLike(other *table) bool {
	return t.ID == other.ID && t.TTL.Attribute == other.TTL.Attribute &&
		slices.EqualFunc(t.indexes, other.indexes, func(a, b *index) bool { return a.ID == b.ID })
}

// encode returns an item's value, with free bytes for the seal. The result known is
// false if names are missing in the dictionary.
func (l *load) encode(item Item) (value []byte, known bool, err error) {
	value, known, err = l.table.names.EncodeKnown(l.memory.beginSealed(), item)
	if err != nil || !known {
		return value, known, err
	}
	return l.memory.end(value), true, nil
}

// addItem adds the entries of an item whose value is encoded.
func (l *load) addItem(of loadItem, item Item, value []byte) error {
	t := l.table
	key, err := t.keyOfItem(l.memory.begin(), item)
	if err != nil {
		return err
	}
	key = l.memory.end(key)
	if err := t.checkIndexKeys(item); err != nil {
		return err
	}
	body := value[sealLen:]
	if codec.SizeOfStored(body) > maxItemBytes {
		return invalidf("Item size has exceeded the maximum allowed size")
	}
	n := len(l.items)
	l.items, l.sorted = append(l.items, of), false
	l.put(0, n, key, value)
	for i, ix := range t.indexes {
		entry, found, err := ix.appendEntryKey(l.memory.begin(), item, key)
		if err != nil || !found {
			if err != nil {
				return err
			}
			continue
		}
		entry = l.memory.end(entry)
		projected, err := t.project(ix, storedItem{item, body})
		if err != nil {
			return err
		}
		l.put(1+i, n, entry, l.memory.end(append(l.memory.beginSealed(), projected...)))
	}
	if at, expires := expiresAt(item, t.TTL.Attribute); expires && t.TTL.Attribute != "" {
		l.put(len(l.spaces)-1, n, expiryKey(at, key), make([]byte, sealLen))
	}
	return nil
}

// put adds an entry. The argument value must start with free bytes for the seal.
func (l *load) put(space, item int, key, value []byte) {
	s := &l.spaces[space]
	s.space.sealInPlace(key, value)
	s.entries = append(s.entries, loadEntry{key, value, item})
	l.bytes += len(key) + len(value)
}

// Sort sorts the entries by key. If several have the same key, the entry of a group's first
// item comes first.
func (l *load) Sort() {
	if l.sorted {
		return
	}
	l.sorted = true
	sizes := make([]int, len(l.spaces))
	for i := range l.spaces {
		sizes[i] = len(l.spaces[i].entries)
	}
	l.db.lastLoad.Store(&sizes)
	first := func(e loadEntry) int {
		if l.items[e.item].first {
			return 0
		}
		return 1
	}
	for _, s := range l.spaces {
		slices.SortFunc(s.entries, func(a, b loadEntry) int {
			if order := bytes.Compare(a.key, b.key); order != 0 {
				return order
			}
			return cmp.Or(first(a)-first(b), a.item-b.item)
		})
	}
}

func (l *load) Commit(ctx context.Context) (taken []int, done int, err error) {
	if len(l.items) == 0 {
		return nil, l.groups, ctx.Err()
	}
	l.Sort()
	taken, done, err = l.commit(ctx)
	slices.Sort(taken)
	return taken, done, err
}

// commit is like Commit, but does not sort.
func (l *load) commit(ctx context.Context) (taken []int, done int, err error) {
	done = l.items[0].group
	err = l.db.writeAlone(ctx, func(tx *writeTx) ([]mutation, error) {
		t, err := tx.catalog.table(l.name)
		if err == nil && !l.table.encodesLike(t) {
			err = errRedefined
		}
		if err != nil {
			return nil, err
		}
		l.table = t
		if taken, err = l.skipExisting(tx.bolt); err != nil {
			return nil, err
		}
		return nil, l.apply(tx)
	})
	switch {
	case err == nil:
		return taken, l.groups, nil
	case errors.Is(err, errRedefined):
		// Encode the items in a transaction of their own, because this one may be rolled back
		// and the load divided.
		if err := l.addNames(nil); err != nil {
			return nil, done, err
		}
		return l.commit(ctx)
	case !errors.Is(err, errManyPages):
		return nil, done, err
	}
	taken = nil
	for _, half := range l.halves() {
		var of []int
		of, done, err = half.commit(ctx)
		taken = append(taken, of...)
		if err != nil {
			return taken, done, err
		}
	}
	return taken, done, nil
}

// errRedefined rolls back a load whose items are encoded for an earlier table definition.
var errRedefined = errors.New("embedded: the table definition has changed")

// errManyPages rolls back a load that changes more than maxLoadPages pages.
var errManyPages = errors.New("embedded: the load changes too many pages")

// middle returns the item with which the second half begins: the first item of the group in
// the middle.
func (l *load) middle() int {
	item := len(l.items) / 2
	for !l.items[item].first {
		item--
	}
	return item
}

// halves divides the groups of a sorted load into two loads, which share the items of l.
func (l *load) halves() [2]*load {
	middle := l.middle()
	halves := [2]*load{
		{items: l.items[:middle], groups: l.items[middle].group},
		{items: l.items[middle:], groups: l.groups},
	}
	for _, half := range halves {
		half.db, half.name, half.table, half.sorted = l.db, l.name, l.table, true
		for _, s := range l.spaces {
			half.spaces = append(half.spaces, loadSpace{s.space, make([]loadEntry, 0, len(s.entries)/2)})
		}
	}
	for n, s := range l.spaces {
		for _, e := range s.entries {
			half := halves[0]
			if e.item >= middle {
				half = halves[1]
				e.item -= middle
			}
			half.spaces[n].entries = append(half.spaces[n].entries, e)
		}
	}
	return halves
}

// skipExisting marks the items that the load must skip. It returns the positions of the
// groups whose first item already exists.
func (l *load) skipExisting(tx *bbolt.Tx) (taken []int, err error) {
	isTaken := make([]bool, l.groups)
	existing, err := l.spaces[0].existing(tx)
	if err != nil {
		return nil, err
	}
	entries := l.spaces[0].entries
	for i, e := range entries {
		item := &l.items[e.item]
		item.skipped = existing[i]
		if item.first && (existing[i] || i > 0 && bytes.Equal(e.key, entries[i-1].key)) {
			isTaken[item.group], item.skipped = true, true
			taken = append(taken, item.group)
		}
	}
	var inserted []byte // key that was inserted last
	for _, e := range entries {
		item := &l.items[e.item]
		if item.skipped = item.skipped || isTaken[item.group] || bytes.Equal(e.key, inserted); !item.skipped {
			inserted = e.key
		}
	}
	return taken, nil
}

// existing returns, for each entry, whether the keyspace contains its key. The entries must
// be sorted.
func (s *loadSpace) existing(tx *bbolt.Tx) ([]bool, error) {
	cursor, err := s.space.cursor(tx)
	if err != nil {
		return nil, err
	}
	found := make([]bool, len(s.entries))
	var at, value []byte // the first stored key that is not less than the previous entry's key, with its value
	for i, e := range s.entries {
		if at == nil || bytes.Compare(at, e.key) < 0 {
			if at, value, err = cursor.seek(e.key); err != nil {
				return nil, err
			}
		}
		if found[i] = bytes.Equal(at, e.key); found[i] {
			if _, err := s.space.unseal(at, value); err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// apply writes the entries of all items that are not skipped. It returns errManyPages if
// they change too many pages and the load can be divided.
func (l *load) apply(tx *writeTx) error {
	divisible := len(l.items) > minLoad && l.middle() > 0
	var inserted int64
	tx.bolt.OnCommit(func() {
		stats := tx.bolt.Stats() // PageCount is the number of pages that the commit allocated
		if inserted >= int64(minLoad) {
			l.db.maxLoad.Store(inserted * loadPages / max(1, stats.GetPageCount()))
		}
	})
	for i, s := range l.spaces {
		if len(s.entries) == 0 {
			continue
		}
		bucket, err := s.space.bucket(tx.bolt)
		if err != nil {
			return err
		}
		bucket.FillPercent = loadFillPercent
		var sum total
		for _, e := range s.entries {
			if l.items[e.item].skipped {
				continue
			}
			if err := tx.guard(s.space, e.key, false); err != nil {
				return err
			}
			if err := bucket.Put(e.key, e.value); err != nil {
				return writeFailed(err)
			}
			if divisible && changedPages(tx.bolt) > maxLoadPages {
				return errManyPages
			}
			sum.items++
			sum.bytes += int64(codec.SizeOfStored(e.value[sealLen:]))
			tx.changed = true
		}
		if i == 0 {
			inserted = sum.items
		}
		if i < len(l.spaces)-1 { // the expiry keyspace has no total
			tx.add(s.space, sum)
		}
	}
	return l.record(tx)
}

// changedPages returns how many pages of the file a transaction has copied into memory so
// far, to change them. If a page is split later, it still counts as one.
func changedPages(tx *bbolt.Tx) int64 {
	stats := tx.Stats()
	return stats.GetNodeCount()
}

// record adds the inserted items to the stream of the table, in the order in which Add got
// them.
func (l *load) record(tx *writeTx) error {
	if l.table.enabled == nil {
		return nil
	}
	values := make([][]byte, len(l.items))
	for _, e := range l.spaces[0].entries {
		values[e.item] = e.value
	}
	var mutations []mutation
	for i, value := range values {
		if l.items[i].skipped {
			continue
		}
		var err error
		if mutations, err = tx.record(mutations, l.table, storedItem{}, storedItem{body: value[sealLen:]}, false); err != nil {
			return err
		}
	}
	if err := tx.numberRecords(mutations); err != nil {
		return err
	}
	if err := tx.guardAll(mutations); err != nil {
		return err
	}
	return tx.apply(mutations)
}

// arena allocates memory in large chunks, for many keys and values with the same
// lifetime.
type arena struct{ chunk []byte }

const (
	arenaChunk = 256 << 10
	arenaLeast = 4 << 10 // space that must be left in a chunk; enough for most values
)

// begin returns an empty slice with free memory, to which the caller appends a key or
// value.
func (a *arena) begin() []byte {
	if cap(a.chunk)-len(a.chunk) < arenaLeast {
		a.chunk = make([]byte, 0, arenaChunk)
	}
	return a.chunk[len(a.chunk):]
}

// beginSealed is like begin, but starts with the free bytes for the seal of a value.
func (a *arena) beginSealed() []byte { return append(a.begin(), make([]byte, sealLen)...) }

// end keeps a value that was appended to the result of begin. If the value did not fit
// there, append has moved it, and the space stays free.
func (a *arena) end(value []byte) []byte {
	start := len(a.chunk)
	if rest := a.chunk[start:cap(a.chunk)]; len(rest) > 0 && len(value) > 0 && &rest[0] == &value[0] {
		a.chunk = a.chunk[:start+len(value)]
	}
	return value[:len(value):len(value)]
}
