package embedded

import (
	"bytes"
	"encoding/binary"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
)

// change appends the mutations that take the item under a table key from one
// state to the other, with its index entries and its place in the order of
// expiry, and reports what DynamoDB would charge for that.
//
// An index entry holds a copy of what the index projects, as in DynamoDB, and
// not a pointer to the item. A page of an index is then read in one sweep: 26
// of 300,000 items in 12 µs instead of 32, since each pointer is a search from
// the root through pages that no cache holds. For that the file is 1.9 times
// as large with two indexes, and loads a quarter slower.
func (w *writeTx) change(mutations []mutation, t *table, key []byte, old, new stored) ([]mutation, units, error) {
	charged := newUnits(t)
	charged.table = writeUnits(max(old.size(), new.size()))
	if old.body != nil && bytes.Equal(old.body, new.body) {
		return mutations, charged, nil
	}
	mutations = appendMutation(mutations, t.items, key, old.body, new.body)
	for _, ix := range t.indexes {
		var err error
		var unit float64
		if mutations, unit, err = w.changeEntry(mutations, t, ix, key, old, new); err != nil {
			return nil, units{}, err
		}
		charged.add(ix, unit)
	}
	return t.changeExpiry(mutations, key, old, new), charged, nil
}

// appendMutation appends the put or delete of one body, if either exists.
func appendMutation(mutations []mutation, space *keyspace, key, old, new []byte) []mutation {
	m := mutation{space: space, key: key}
	if old != nil {
		m.count--
		m.bytes -= codec.SizeOfStored(old)
	}
	if new != nil {
		m.value = space.seal(key, new)
		m.count++
		m.bytes += codec.SizeOfStored(new)
	}
	if old == nil && new == nil {
		return mutations
	}
	return append(mutations, m)
}

func (w *writeTx) changeEntry(mutations []mutation, t *table, ix *index, key []byte, old, new stored) ([]mutation, float64, error) {
	oldKey, hadEntry, err := ix.entryKey(old.item, key)
	if err != nil {
		return nil, 0, err
	}
	newKey, hasEntry, err := ix.entryKey(new.item, key)
	if err != nil {
		return nil, 0, err
	}
	var oldBody, newBody []byte
	if hadEntry {
		// Read rather than made again: an index that is being filled may not
		// have the entry yet.
		if oldBody, hadEntry, err = ix.entryBody(w, oldKey, old); err != nil {
			return nil, 0, err
		}
	}
	if hasEntry {
		if newBody, err = t.project(ix, new); err != nil {
			return nil, 0, err
		}
	}
	if hadEntry && hasEntry && bytes.Equal(oldKey, newKey) {
		if bytes.Equal(oldBody, newBody) {
			return mutations, 0, nil
		}
		return appendMutation(mutations, ix.entries, newKey, oldBody, newBody), writeUnits(max(codec.SizeOfStored(oldBody), codec.SizeOfStored(newBody))), nil
	}
	unit := 0.0
	if hadEntry {
		mutations = appendMutation(mutations, ix.entries, oldKey, oldBody, nil)
		unit += writeUnits(codec.SizeOfStored(oldBody))
	}
	if hasEntry {
		mutations = appendMutation(mutations, ix.entries, newKey, nil, newBody)
		unit += writeUnits(codec.SizeOfStored(newBody))
	}
	return mutations, unit, nil
}

// entryBody returns what the index holds of an item. Of an index that projects
// everything and is complete that is known without looking.
func (ix *index) entryBody(w *writeTx, entryKey []byte, item stored) (body []byte, found bool, err error) {
	if ix.kept == nil && !ix.Filling {
		return item.body, true, nil
	}
	return ix.entries.get(w.bolt, entryKey)
}

// project returns the body of an item's entry in the index.
func (t *table) project(ix *index, s stored) ([]byte, error) {
	if ix.kept == nil {
		return s.body, nil
	}
	return t.names.EncodeOnly(nil, s.item, func(name string) bool { return ix.kept[name] })
}

// changeExpiry keeps the order of expiry: key is the time in seconds, then
// the table key; there is nothing to say about it, so the body is empty.
func (t *table) changeExpiry(mutations []mutation, key []byte, old, new stored) []mutation {
	if t.TTL.Attribute == "" {
		return mutations
	}
	oldAt, oldExpires := expiresAt(old.item, t.TTL.Attribute)
	newAt, newExpires := expiresAt(new.item, t.TTL.Attribute)
	if oldExpires && newExpires && oldAt == newAt {
		return mutations
	}
	if oldExpires {
		mutations = append(mutations, mutation{space: t.expiry, key: expiryKey(oldAt, key)})
	}
	if newExpires {
		at := expiryKey(newAt, key)
		mutations = append(mutations, mutation{space: t.expiry, key: at, value: t.expiry.seal(at, nil)})
	}
	return mutations
}

// expiresAt reads an item's time of expiry, in seconds of the Unix epoch.
// DynamoDB passes over items whose attribute is no number.
func expiresAt(item Item, attribute string) (seconds int64, expires bool) {
	value, ok := item[attribute].(*types.AttributeValueMemberN)
	if !ok {
		return 0, false
	}
	return wholeSeconds(value.Value)
}

func expiryKey(seconds int64, tableKey []byte) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(tableKey)), uint64(seconds))
	return append(key, tableKey...)
}
