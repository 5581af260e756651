package table

import "sync"

// maxKept is the maximum number of values in a Kept.
const maxKept = 1000

// Kept contains values that were read from a table, by key, until the table changes. It is
// safe for concurrent use. The zero Kept is empty.
type Kept[V any] struct {
	mu      sync.Mutex
	changes int64 // ChangeCounter.Changes when the values were read
	values  map[string]V
}

// Get returns a value if the table has not changed since the value was read. changes is
// ChangeCounter.Changes now.
func (k *Kept[V]) Get(changes int64, key string) (v V, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes == changes {
		v, found = k.values[key]
	}
	return v, found
}

// Put adds a value. changes is ChangeCounter.Changes before the value was read.
func (k *Kept[V]) Put(changes int64, key string, v V) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if changes < k.changes {
		return // another request has already added a later value
	}
	if k.values == nil || changes > k.changes || len(k.values) >= maxKept {
		k.values, k.changes = map[string]V{}, changes
	}
	k.values[key] = v
}
