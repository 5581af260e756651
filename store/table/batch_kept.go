package table

import "sync"

const maxKept = 1000

// keptRows contains rows that LookUpKept has read, by keyString, until the table changes.
// It saves reads of names, for example of customers and warehouses, that many pages show.
type keptRows struct {
	mu      sync.Mutex
	changes int64 // ChangeCounter.Changes when the rows were read
	rows    map[string]Row
}

// get returns a row if the table has not changed since the row was read.
func (k *keptRows) get(changes int64, key string) (r Row, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes != changes {
		return nil, false
	}
	r, found = k.rows[key]
	return r, found
}

// put adds rows. changes is ChangeCounter.Changes before the rows were read.
func (k *keptRows) put(changes int64, rows []Row) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if changes < k.changes {
		return // another request has already added later rows
	}
	if k.rows == nil || changes > k.changes || len(k.rows)+len(rows) > maxKept {
		k.rows, k.changes = map[string]Row{}, changes
	}
	for _, r := range rows {
		k.rows[keyString(r)] = r
	}
}
