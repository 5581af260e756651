package embedded

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// itemWrite is a write of one item: a PutItem, UpdateItem or DeleteItem request, or
// an action of a batch or transaction. The caller's goroutine parses the write, and
// the commit goroutine stages it.
type itemWrite struct {
	table        string
	key          Item // key of the item, or the whole item if it is put
	condition    *expr.Condition
	update       *expr.Update // nil if the request has neither an UpdateExpression nor AttributeUpdates
	onFailure    types.ReturnValuesOnConditionCheckFailure
	needsOldItem bool // the response contains the old item

	kind writeKind
	// apply returns the new item for a put or update, or nil if an update creates no item.
	apply func(old Item) (Item, error)
	// keyOf encodes the table key.
	keyOf func(*table) ([]byte, error)
	// tooLarge is the error message if the new item exceeds the size limit.
	tooLarge string
	// prepared is the body that prepare encoded for the table with the ID preparedTable.
	prepared      []byte
	preparedTable uint32

	// set by stage
	tableKey []byte
	old, new storedItem
	consumed units
}

type writeKind int

const (
	writeCheck writeKind = iota // only checks a condition and writes nothing
	writePut
	writeUpdate
	writeDelete
)

func newPut(name string, item Item, scope *expr.Scope, condition *string) (*itemWrite, error) {
	item, err := normalizeItem(item)
	if err != nil {
		return nil, err
	}
	w := &itemWrite{kind: writePut, table: name, key: item, tooLarge: "Item size has exceeded the maximum allowed size"}
	w.keyOf = func(t *table) ([]byte, error) { return t.keyOfItem(nil, item) }
	w.apply = func(Item) (Item, error) { return item, nil }
	return w, w.parseCondition(scope, condition)
}

// prepare encodes the items of puts in the caller's goroutine, to relieve the commit
// goroutine. It skips an item if the table's dictionary lacks a name, because only the
// commit goroutine can add names. The encoding stays valid, because a name keeps its number
// while the table exists.
func (db *DB) prepare(writes ...*itemWrite) {
	catalog := db.catalog.Load()
	for _, w := range writes {
		t, exists := catalog.tables[w.table]
		if !exists || w.kind != writePut || len(t.names.Missing(w.key)) > 0 {
			continue
		}
		if body, err := t.names.Encode(nil, w.key); err == nil {
			w.prepared, w.preparedTable = body, t.ID
		}
	}
}

func newDelete(name string, key Item, scope *expr.Scope, condition *string) (*itemWrite, error) {
	w, err := newCheck(name, key, scope, condition)
	if err != nil {
		return nil, err
	}
	w.kind = writeDelete
	return w, nil
}

func newCheck(name string, key Item, scope *expr.Scope, condition *string) (*itemWrite, error) {
	key, err := normalizeItem(key)
	if err != nil {
		return nil, err
	}
	w := &itemWrite{table: name, key: key}
	w.keyOf = func(t *table) ([]byte, error) { return t.keyOf(key) }
	return w, w.parseCondition(scope, condition)
}

func (w *itemWrite) parseCondition(scope *expr.Scope, source *string) error {
	if source == nil {
		return nil
	}
	var err error
	if w.condition, err = scope.Condition(expr.ConditionExpression, *source); err != nil {
		return invalid(err)
	}
	return nil
}

// newUpdate parses an update of the item with the given key. The update creates a missing
// item, unless it only removes something. If update is nil, it does not change an
// existing item.
func newUpdate(name string, key Item, scope *expr.Scope, condition, update *string) (*itemWrite, error) {
	var parsed *expr.Update
	if update != nil {
		var err error
		if parsed, err = scope.Update(*update); err != nil {
			return nil, invalid(err)
		}
	}
	w, err := newCheck(name, key, scope, condition)
	if err != nil {
		return nil, err
	}
	w.update = parsed
	w.kind = writeUpdate
	w.tooLarge = "Item size to update has exceeded the maximum allowed size"
	w.apply = func(old Item) (Item, error) {
		if old == nil && w.update != nil && w.update.OnlyRemoves() {
			return nil, nil
		}
		if old == nil {
			old = w.key
		}
		if w.update == nil {
			return old, nil
		}
		item, err := w.update.Apply(old)
		if err != nil {
			return nil, invalid(err)
		}
		// Check the result: its values may be nested more deeply than those of the item and
		// the request.
		return normalizeItem(item)
	}
	w.keyOf = func(t *table) ([]byte, error) {
		if w.update != nil {
			if err := w.update.CheckKeys(t.Key.names()...); err != nil {
				return nil, invalid(err)
			}
		}
		return t.keyOf(w.key)
	}
	return w, nil
}

// stage appends the mutations of the write. It returns an error if the write fails.
func (w *itemWrite) stage(tx *writeTx, mutations []mutation) ([]mutation, error) {
	if err := w.locate(tx); err != nil {
		return nil, err
	}
	return w.stageLocated(tx, mutations)
}

func (w *itemWrite) locate(tx *writeTx) error {
	t, err := tx.catalog.table(w.table)
	if err == nil {
		w.tableKey, err = w.keyOf(t)
	}
	return err
}

func (w *itemWrite) stageLocated(tx *writeTx, mutations []mutation) ([]mutation, error) {
	t, err := tx.catalog.table(w.table)
	if err != nil {
		return nil, err
	}
	var selected *codec.Selection
	// Decode all attributes of the old item only if necessary.
	if w.kind != writeUpdate && !w.needsOldItem && w.condition == nil {
		selected = t.derivedFrom
	}
	if w.old, err = tx.load(t, w.tableKey, selected); err != nil {
		return nil, err
	}
	if w.condition != nil && !w.condition.Match(w.old.item) {
		if w.onFailure == types.ReturnValuesOnConditionCheckFailureAllOld {
			return nil, conditionFailed(w.old.item)
		}
		return nil, conditionFailed(nil)
	}
	if w.kind == writeCheck {
		w.consumed = units{owner: t}
		w.consumed.table = writeUnits(w.old.size())
		return mutations, nil
	}
	if w.new, err = w.result(tx, t); err != nil {
		return nil, err
	}
	// Encoding the new item may have added names to the table's dictionary.
	if t, err = tx.catalog.table(w.table); err != nil {
		return nil, err
	}
	if mutations, w.consumed, err = tx.change(mutations, t, w.tableKey, w.old, w.new); err != nil {
		return nil, err
	}
	return tx.record(mutations, t, w.old, w.new, false)
}

func (w *itemWrite) result(tx *writeTx, t *table) (storedItem, error) {
	if w.kind == writeDelete {
		return storedItem{}, nil
	}
	item, err := w.apply(w.old.item)
	if err != nil || item == nil {
		return storedItem{}, err
	}
	if err := t.checkIndexKeys(item); err != nil {
		return storedItem{}, err
	}
	body := w.prepared
	if body == nil || w.preparedTable != t.ID {
		if body, err = tx.encode(t, item); err != nil {
			return storedItem{}, err
		}
	}
	result := storedItem{item, body}
	if result.size() > maxItemBytes {
		return storedItem{}, invalidf("%s", w.tooLarge)
	}
	return result, nil
}
