package embedded

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"stockroom/store/embedded/expr"
)

// loadFill is how full a Load leaves the pages that it splits. Keys come in
// order, so what comes next rarely goes between them; bbolt's half full pages
// would make the file nearly twice as large.
const loadFill = 0.9

// Load puts many items in one transaction, each where nothing lies yet, and
// returns the places of those whose key was taken, by an item of the table or
// by one before them: nothing is changed by them. It is for imports: items
// are sorted by key before they are written, so that each page of the file is
// written once for all its items. The more there are, the better that goes,
// and the longer other writers wait.
func (db *DB) Load(ctx context.Context, table string, items []Item) ([]int, error) {
	scope, err := expr.NewScope(nil, nil)
	if err != nil {
		return nil, invalid(err)
	}
	writes := make([]*writing, len(items))
	for i, item := range items {
		if writes[i], err = newPut(table, item, scope, nil); err != nil {
			return nil, err
		}
		db.prepare(writes[i])
	}
	var taken []int
	err = db.writeAlone(ctx, func(tx *writeTx) (mutations []mutation, err error) {
		mutations, taken, err = stageNew(tx, writes)
		tx.fill = loadFill
		return mutations, err
	})
	if err != nil {
		return nil, err
	}
	return taken, nil
}

// stageNew stages those writes whose keys are free, in the order in which
// their pages lie in the file.
func stageNew(tx *writeTx, writes []*writing) (mutations []mutation, taken []int, err error) {
	mutations = make([]mutation, 0, 4*len(writes))
	staged := make(map[string]bool, len(writes))
	for i, w := range writes {
		if err := w.locate(tx); err != nil {
			return nil, nil, err
		}
		t, err := tx.table(w.table)
		if err != nil {
			return nil, nil, err
		}
		there, err := tx.load(t, w.stored, t.maintaining)
		if err != nil {
			return nil, nil, err
		}
		if there.body != nil || staged[string(w.stored)] {
			taken = append(taken, i)
			continue
		}
		staged[string(w.stored)] = true
		if mutations, err = w.stageLocated(tx, mutations); err != nil {
			return nil, nil, err
		}
	}
	slices.SortFunc(mutations, func(a, b mutation) int {
		return cmp.Or(bytes.Compare(a.space.name, b.space.name), bytes.Compare(a.key, b.key))
	})
	return mutations, taken, nil
}
