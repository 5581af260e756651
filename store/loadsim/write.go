package loadsim

import (
	"context"
	"reflect"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/embedded/codec"
	"stockroom/store/table"
)

// write is one action of a request, with its item before and after the request.
type write struct {
	table, id, pk string
	key           store.Item
	check         bool       // the action only checks a condition
	put           store.Item // the new item; nil for other actions
	before, after store.Item
}

type entry struct {
	index, pk string
	units     float64
}

func newWrite(action *types.TransactWriteItem) write {
	var w write
	switch {
	case action.Put != nil:
		w = write{table: *action.Put.TableName, key: table.KeyOf(action.Put.Item), put: action.Put.Item}
	case action.Update != nil:
		w = write{table: *action.Update.TableName, key: action.Update.Key}
	case action.Delete != nil:
		w = write{table: *action.Delete.TableName, key: action.Delete.Key}
	default:
		w = write{table: *action.ConditionCheck.TableName, key: action.ConditionCheck.Key, check: true}
	}
	w.id, w.pk = table.KeyString(w.key), table.TextOf(w.key, table.AttrPK)
	return w
}

// prepare returns the writes of a request, with their items before the request.
func (e *Engine) prepare(ctx context.Context, actions []types.TransactWriteItem) ([]write, error) {
	writes := make([]write, len(actions))
	for i := range actions {
		writes[i] = newWrite(&actions[i])
		var err error
		if writes[i].before, err = get(ctx, e.DB, &writes[i]); err != nil {
			return nil, err
		}
	}
	return writes, nil
}

func get(ctx context.Context, db store.DB, w *write) (store.Item, error) {
	out, err := db.GetItem(ctx, &dynamodb.GetItemInput{TableName: &w.table, Key: w.key, ConsistentRead: aws.Bool(true)})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}

func (w *write) readAfter(ctx context.Context, db store.DB) (err error) {
	if w.after = w.put; w.put == nil {
		w.after, err = get(ctx, db, w)
	}
	return err
}

// item returns the latest known state of the item, or only its key.
func (w *write) item() store.Item {
	for _, item := range []store.Item{w.after, w.put, w.before} {
		if item != nil {
			return item
		}
	}
	return w.key
}

// units returns the write units of a write in the table, outside a transaction. DynamoDB
// charges for the item before or after the write, whichever is larger.
func (w *write) units() float64 { return max(sizeUnits(w.before), sizeUnits(w.item())) }

func sizeUnits(item store.Item) float64 { return float64(max(1, (codec.SizeOf(item)+1023)/1024)) }

// entries returns the index entries that a Put will change. For other writes, it returns
// nil, because the item after the write is not known yet.
func (w *write) entries() []entry {
	if w.put == nil {
		return nil
	}
	return changedEntries(w.before, w.put)
}

func (w *write) changedEntries() []entry { return changedEntries(w.before, w.after) }

// changedEntries returns the index entries that differ between two versions of an item. If
// an entry moves to another key, the result contains both entries.
func changedEntries(before, after store.Item) []entry {
	var entries []entry
	for n := 1; n <= store.IndexCount; n++ {
		index := indexName(n)
		pkName, skName := table.KeyAttributes(index)
		was, is := table.TextOf(before, pkName), table.TextOf(after, pkName)
		moved := was != is || table.TextOf(before, skName) != table.TextOf(after, skName)
		if was != "" && moved {
			entries = append(entries, entry{index, was, sizeUnits(before)})
		}
		if is != "" && (moved || !reflect.DeepEqual(before, after)) {
			entries = append(entries, entry{index, is, max(sizeUnits(after), sizeUnits(before))})
		}
	}
	return entries
}

func indexName(n int) string { return "GSI" + strconv.Itoa(n) }
