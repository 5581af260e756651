package embedded

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"stockroom/store/embedded/expr"
)

// loadFillPercent is how full Load leaves the pages that it splits. Its keys
// are sorted, so few are inserted between them later. With bbolt's half-full
// pages the file would be nearly twice as large.
const loadFillPercent = 0.9

// Load puts many items in one transaction. It skips items whose key exists in
// the table or earlier in items, and returns their positions. It is meant for
// imports: it writes in key order, so each page is written once. Larger loads
// are faster per item but block other writers for longer. It returns the errors
// of PutItem.
func (db *DB) Load(ctx context.Context, table string, items []Item) ([]int, error) {
	scope, err := expr.NewScope(nil, nil)
	if err != nil {
		return nil, invalid(err)
	}
	writes := make([]*itemWrite, len(items))
	for i, item := range items {
		if writes[i], err = newPut(table, item, scope, nil); err != nil {
			return nil, err
		}
		db.prepare(writes[i])
	}
	var duplicates []int
	err = db.writeAlone(ctx, func(tx *writeTx) (mutations []mutation, err error) {
		mutations, duplicates, err = stageNew(tx, writes)
		tx.fill = loadFillPercent
		return mutations, err
	})
	if err != nil {
		return nil, err
	}
	return duplicates, nil
}

// stageNew stages the writes whose keys do not exist yet, sorted by keyspace
// and key.
func stageNew(tx *writeTx, writes []*itemWrite) (mutations []mutation, duplicates []int, err error) {
	mutations = make([]mutation, 0, 4*len(writes))
	staged := make(map[string]bool, len(writes))
	for i, w := range writes {
		if err := w.locate(tx); err != nil {
			return nil, nil, err
		}
		t, err := tx.catalog.table(w.table)
		if err != nil {
			return nil, nil, err
		}
		existing, err := tx.load(t, w.tableKey, t.derivedFrom)
		if err != nil {
			return nil, nil, err
		}
		if existing.body != nil || staged[string(w.tableKey)] {
			duplicates = append(duplicates, i)
			continue
		}
		staged[string(w.tableKey)] = true
		if mutations, err = w.stageLocated(tx, mutations); err != nil {
			return nil, nil, err
		}
	}
	slices.SortFunc(mutations, func(a, b mutation) int {
		return cmp.Or(bytes.Compare(a.space.name, b.space.name), bytes.Compare(a.key, b.key))
	})
	return mutations, duplicates, nil
}
