package table

import "sync"

// maxKept is the maximum number of rows in keptRows.
const maxKept = 1000

// keptRows contains rows that LookUpKept has read, by keyString, until the table changes.
// The names of customers and warehouses are on many pages.
type keptRows struct {
	mu      sync.Mutex
	changes int64 // see ChangeCounter
	rows    map[string]Row
}

// get returns a row if the table has not changed since it was read.
func (k *keptRows) get(changes int64, key string) (r Row, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes != changes {
		return nil, false
	}
	r, found = k.rows[key]
	return r, found
}

// put keeps rows that were read after the table had made this number of changes.
func (k *keptRows) put(changes int64, rows []Row) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if changes < k.changes {
		return // a request that has read later rows was faster
	}
	if k.rows == nil || changes > k.changes || len(k.rows)+len(rows) > maxKept {
		k.rows, k.changes = map[string]Row{}, changes
	}
	for _, r := range rows {
		k.rows[keyString(r)] = r
	}
}
