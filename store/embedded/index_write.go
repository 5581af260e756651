package embedded

import (
	"bytes"
	"encoding/binary"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
)

// change appends the mutations that write an item, its index entries and its entry in the
// expiry keyspace. The argument key is the item's table key. The arguments old and new are
// the item before and after the change. change also returns the capacity units that
// DynamoDB would charge.
//
// Index entries contain copies of the projected attributes, not references to the item.
// Reading a page of 26 entries out of 300,000 takes 12 µs. With references, it took 32 µs.
// On the other hand, a file with two indexes is 1.9 times as large, and loading many items
// takes 25 % longer.
func (w *writeTx) change(mutations []mutation, t *table, key []byte, old, new storedItem) ([]mutation, units, error) {
	consumed := units{owner: t}
	consumed.table = writeUnits(max(old.size(), new.size()))
	if old.body != nil && bytes.Equal(old.body, new.body) {
		return mutations, consumed, nil
	}
	mutations = appendMutation(mutations, t.items, key, old.body, new.body)
	for _, ix := range t.indexes {
		var err error
		var unit float64
		if mutations, unit, err = w.entryMutations(mutations, t, ix, key, old, new); err != nil {
			return nil, units{}, err
		}
		consumed.add(ix, unit)
	}
	return t.expiryMutations(mutations, key, old, new), consumed, nil
}

// appendMutation appends the put or delete that replaces an old body with a new one.
// Either body may be nil.
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

func (w *writeTx) entryMutations(mutations []mutation, t *table, ix *index, key []byte, old, new storedItem) ([]mutation, float64, error) {
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
		// During a backfill, the entry may not exist yet.
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

// entryBody returns the stored entry of an item. If the index is complete and projects all
// attributes, it returns the item's body instead of reading the entry, because both are
// equal.
func (ix *index) entryBody(w *writeTx, entryKey []byte, item storedItem) (body []byte, found bool, err error) {
	if ix.projected == nil && !ix.Backfilling {
		return item.body, true, nil
	}
	return w.get(ix.entries, entryKey)
}

// project returns the body of the item's index entry.
func (t *table) project(ix *index, s storedItem) ([]byte, error) {
	if ix.projected == nil {
		return s.body, nil
	}
	return t.names.EncodeOnly(nil, s.item, func(name string) bool { return ix.projected[name] })
}

// expiryMutations appends the mutations of the expiry keyspace. Its keys consist of
// the expiry time in seconds and the table key. Its bodies are empty.
func (t *table) expiryMutations(mutations []mutation, key []byte, old, new storedItem) []mutation {
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

// expiresAt returns the item's expiry time in seconds since 1970. As in DynamoDB,
// items whose TTL attribute is not a number do not expire.
func expiresAt(item Item, attribute string) (seconds int64, expires bool) {
	value, ok := item[attribute].(*types.AttributeValueMemberN)
	if !ok {
		return 0, false
	}
	return parseEpochSeconds(value.Value)
}

func expiryKey(seconds int64, tableKey []byte) []byte {
	key := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(tableKey)), uint64(seconds))
	return append(key, tableKey...)
}
