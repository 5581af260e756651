package embedded

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// writing is one item's write: what PutItem, UpdateItem, DeleteItem and
// the actions of transactions have in common. It is parsed by the caller
// and staged by the committing goroutine.
type writing struct {
	table     string
	key       Item // as the request names it; for a put, the item
	condition *expr.Condition
	update    *expr.Update // nil for an update that changes nothing
	onFailure types.ReturnValuesOnConditionCheckFailure
	wantsOld  bool // that the whole old item is decoded

	kind writeKind
	// becomes returns the item as a put or an update leaves it.
	becomes func(old Item) (Item, error)
	// keyOf returns the table key of what is written.
	keyOf func(*table) ([]byte, error)
	// tooLarge is what an item beyond the limit is refused with.
	tooLarge string
	// prepared is what prepare has encoded for the table of this number.
	prepared    []byte
	preparedFor uint32

	// What staging found; stored is the key under which the item lies.
	stored   []byte
	old, new stored
	charged  units
}

type writeKind int

const (
	writeCheck  writeKind = iota // only looks whether the condition holds
	writePut                     // the result does not depend on the old item
	writeUpdate                  // it does
	writeDelete
)

func keyed(w *writing) func(*table) ([]byte, error) {
	return func(t *table) ([]byte, error) { return t.keyOf(w.key) }
}

// newPut writes item in the place of what has its key. Its size, by which
// batches are bounded, is returned besides.
func newPut(name string, item Item, scope *expr.Scope, condition *string) (*writing, error) {
	item, err := normalized(item)
	if err != nil {
		return nil, err
	}
	w := &writing{kind: writePut, table: name, key: item, tooLarge: "Item size has exceeded the maximum allowed size"}
	w.keyOf = func(t *table) ([]byte, error) { return t.keyOfItem(item) }
	w.becomes = func(Item) (Item, error) { return item, nil }
	return w, w.parseCondition(scope, condition)
}

// prepare encodes the items of puts on the goroutine of their caller. A name
// that the table's dictionary lacks is for the committing goroutine; those that
// it has keep their numbers as long as the table lives.
func (db *DB) prepare(writes ...*writing) {
	catalog := db.catalog.Load()
	for _, w := range writes {
		t, exists := catalog.tables[w.table]
		if !exists || w.kind != writePut || len(t.names.Missing(w.key)) > 0 {
			continue
		}
		if body, err := t.names.Encode(nil, w.key); err == nil {
			w.prepared, w.preparedFor = body, t.ID
		}
	}
}

// newDelete removes what is under a key; newCheck only looks at it.
func newDelete(name string, key Item, scope *expr.Scope, condition *string) (*writing, error) {
	w, err := newCheck(name, key, scope, condition)
	if err != nil {
		return nil, err
	}
	w.kind = writeDelete
	return w, nil
}

func newCheck(name string, key Item, scope *expr.Scope, condition *string) (*writing, error) {
	key, err := normalized(key)
	if err != nil {
		return nil, err
	}
	w := &writing{table: name, key: key}
	w.keyOf = keyed(w)
	return w, w.parseCondition(scope, condition)
}

func (w *writing) parseCondition(scope *expr.Scope, source *string) error {
	if source == nil {
		return nil
	}
	var err error
	if w.condition, err = scope.Condition(expr.ConditionExpression, *source); err != nil {
		return invalid(err)
	}
	return nil
}

// newUpdate changes what is under a key, or makes it.
func newUpdate(name string, key Item, scope *expr.Scope, condition, update *string) (*writing, error) {
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
	w.becomes = func(old Item) (Item, error) {
		if old == nil {
			old = w.key
		}
		if parsed == nil {
			return old, nil
		}
		item, err := parsed.Apply(old)
		if err != nil {
			return nil, invalid(err)
		}
		// Steps into a document may nest deeper than each of its parts.
		return normalized(item)
	}
	w.keyOf = func(t *table) ([]byte, error) {
		if parsed != nil {
			if err := parsed.CheckKeys(t.Key.names()...); err != nil {
				return nil, invalid(err)
			}
		}
		return t.keyOf(w.key)
	}
	return w, nil
}

// stage appends the mutations of the write, or returns why it is refused.
func (w *writing) stage(tx *writeTx, mutations []mutation) ([]mutation, error) {
	if err := w.locate(tx); err != nil {
		return nil, err
	}
	return w.stageLocated(tx, mutations)
}

// locate finds the key under which the item lies, or is to lie.
func (w *writing) locate(tx *writeTx) error {
	t, err := tx.table(w.table)
	if err == nil {
		w.stored, err = w.keyOf(t)
	}
	return err
}

func (w *writing) stageLocated(tx *writeTx, mutations []mutation) ([]mutation, error) {
	t, err := tx.table(w.table)
	if err != nil {
		return nil, err
	}
	var wanted *codec.Wanted
	// Where the old item itself is not asked for, the attributes on which the
	// indexes depend will do.
	if w.kind != writeUpdate && !w.wantsOld && w.condition == nil {
		wanted = t.maintaining
	}
	if w.old, err = tx.load(t, w.stored, wanted); err != nil {
		return nil, err
	}
	if w.condition != nil && !w.condition.Match(w.old.item) {
		if w.onFailure == types.ReturnValuesOnConditionCheckFailureAllOld {
			return nil, conditionFailed(w.old.item)
		}
		return nil, conditionFailed(nil)
	}
	if w.kind == writeCheck {
		w.charged = newUnits(t)
		w.charged.table = writeUnits(w.old.size())
		return mutations, nil
	}
	if w.new, err = w.result(tx, t); err != nil {
		return nil, err
	}
	// The dictionary may have learned a name with the result.
	if t, err = tx.table(w.table); err != nil {
		return nil, err
	}
	mutations, w.charged, err = tx.change(mutations, t, w.stored, w.old, w.new)
	return mutations, err
}

func (w *writing) result(tx *writeTx, t *table) (stored, error) {
	if w.kind == writeDelete {
		return stored{}, nil
	}
	item, err := w.becomes(w.old.item)
	if err != nil {
		return stored{}, err
	}
	if err := t.checkIndexKeys(item); err != nil {
		return stored{}, err
	}
	body := w.prepared
	if body == nil || w.preparedFor != t.ID {
		if body, err = tx.encode(t, item); err != nil {
			return stored{}, err
		}
	}
	result := stored{item, body}
	if result.size() > maxItem {
		return stored{}, invalidf("%s", w.tooLarge)
	}
	return result, nil
}
