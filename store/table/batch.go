package table

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// maxBatch is the maximum number of items in a BatchGetItem request. See
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
const maxBatch = 100

// Batches returns the number of requests that LookUp needs to read this many items.
func Batches(items int) int { return (items + maxBatch - 1) / maxBatch }

// Lookup is one item for LookUp to read: a GetItem pattern with its values, and a
// function that receives the item.
type Lookup struct {
	Pattern *Pattern
	Values  key.Map
	Found   func(Row) error // not called if the item does not exist
}

// GetExisting reads like GetMany, but omits the items that do not exist.
func (t *Table) GetExisting(ctx context.Context, p *Pattern, values []key.Map, consistent bool) ([]Row, error) {
	rows, err := t.GetMany(ctx, p, values, consistent)
	return slices.DeleteFunc(rows, func(row Row) bool { return row == nil }), err
}

// GetMany reads one item with a GetItem pattern for each element of values, and
// returns the rows in the same order. If an item does not exist, its element is
// nil.
func (t *Table) GetMany(ctx context.Context, p *Pattern, values []key.Map, consistent bool) ([]Row, error) {
	rows, lookups := make([]Row, len(values)), make([]Lookup, len(values))
	for i := range values {
		lookups[i] = Lookup{p, values[i], func(r Row) error {
			rows[i] = r
			return nil
		}}
	}
	return rows, t.LookUp(ctx, lookups, consistent)
}

// LookUp reads many items with batch requests. It skips lookups whose values do not
// make a complete key.
func (t *Table) LookUp(ctx context.Context, lookups []Lookup, consistent bool) error {
	b := batch{byKey: map[string][]Lookup{}, rows: map[*Pattern][]Row{}}
	return t.lookUp(ctx, &b, lookups, consistent)
}

// LookUpKept is like LookUp. However, if the table's DB is a ChangeCounter, it keeps the
// items in memory, and does not read them again until the table changes. Use it for items
// that are on many pages. Do not write these items with a context from Uncounted, because
// LookUpKept would not notice the change.
func (t *Table) LookUpKept(ctx context.Context, lookups []Lookup) error {
	b := batch{byKey: map[string][]Lookup{}, rows: map[*Pattern][]Row{}}
	if changes, known := t.Changes(); known {
		b.kept, b.changes = &t.kept, changes
	}
	return t.lookUp(ctx, &b, lookups, false)
}

func (t *Table) lookUp(ctx context.Context, b *batch, lookups []Lookup, consistent bool) error {
	for _, l := range lookups {
		if err := b.add(l); err != nil {
			return err
		}
	}
	began := time.Now()
	err := t.batchGet(ctx, b.pattern(), b.keys, consistent, b.received)
	for _, read := range b.reads {
		read.Items = len(b.rows[read.Pattern])
		if read.Requests > 0 {
			read.Took = time.Since(began)
		}
		t.trace(ctx, read, b.rows[read.Pattern])
	}
	return err
}

// GetKeys makes consistent reads of the items with these primary keys. The result maps
// the KeyString of each item to the item, and does not contain items that do not exist.
// The trace does not show these reads.
func (t *Table) GetKeys(ctx context.Context, keys []Item) (map[string]Item, error) {
	found := map[string]Item{}
	err := t.batchGet(ctx, nil, keys, true, func(_ *dynamodb.BatchGetItemOutput, rows []Row) error {
		for _, r := range rows {
			found[keyString(r)] = r.Item()
		}
		return nil
	})
	return found, err
}

// MayExist returns the primary keys whose items may exist. With a BulkLoader, these are the
// keys of existing items. With another DB, they are all of the given keys. Use it before
// reading many keys of which few exist.
func (t *Table) MayExist(ctx context.Context, keys []Item) ([]Item, error) {
	loader, ok := t.db.(BulkLoader)
	if !ok {
		return keys, nil
	}
	existing, err := loader.ExistingKeys(ctx, t.name, keys)
	return existing, t.wrap(err)
}

// batch collects the keys and results of a LookUp.
type batch struct {
	keys  []Item // keys without duplicates, because DynamoDB rejects duplicates
	byKey map[string][]Lookup
	reads []Read // one Read per pattern
	paid  int    // index of the Read that counts all requests: the Read with the first key
	rows  map[*Pattern][]Row

	kept    *Kept[Row] // rows that need not be read, by keyString; nil for none
	changes int64      // changes of the table before the batch
}

func (b *batch) add(l Lookup) error {
	c, err := l.Pattern.Condition(l.Values)
	if KindOf(err) == NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	read := slices.IndexFunc(b.reads, func(r Read) bool { return r.Pattern == l.Pattern })
	if read < 0 {
		read = len(b.reads)
		b.reads = append(b.reads, Read{Pattern: l.Pattern, Condition: c, Shards: 1})
	}
	k := keyText(c.PK, c.SK)
	if b.kept != nil {
		if r, found := b.kept.Get(b.changes, k); found {
			b.rows[l.Pattern] = append(b.rows[l.Pattern], r)
			return l.Found(r)
		}
	}
	if len(b.keys) == 0 {
		b.paid = read
	}
	if b.byKey[k] == nil {
		b.keys = append(b.keys, Key(c.PK, c.SK))
	}
	b.byKey[k] = append(b.byKey[k], l)
	return nil
}

// pattern returns the pattern to which the cost of the batch belongs, or nil if the
// batch is empty.
func (b *batch) pattern() *Pattern {
	if len(b.reads) == 0 {
		return nil
	}
	return b.reads[b.paid].Pattern
}

func (b *batch) received(out *dynamodb.BatchGetItemOutput, rows []Row) error {
	cost := &b.reads[b.paid]
	cost.Requests++
	for i := range out.ConsumedCapacity {
		cost.Units += units(&out.ConsumedCapacity[i])
	}
	for _, r := range rows {
		k := keyString(r)
		if b.kept != nil {
			b.kept.Put(b.changes, k, r)
		}
		lookups := b.byKey[k]
		for _, l := range lookups {
			if err := l.Found(r); err != nil {
				return err
			}
		}
		p := lookups[0].Pattern
		b.rows[p] = append(b.rows[p], r)
	}
	return nil
}

// errUnprocessed means that DynamoDB left some keys unprocessed, because the table is
// throttled or the response would be larger than 16 MB. See
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
var errUnprocessed error = &Error{Kind: Busy, Message: busyMessage, Err: errors.New("some keys are unprocessed")}

// batchGet reads items by key. It requests unprocessed keys again, with the pauses of
// tableBackoff. It returns Busy if some keys are unprocessed after the last try.
func (t *Table) batchGet(ctx context.Context, p *Pattern, keys []Item, consistent bool, received func(*dynamodb.BatchGetItemOutput, []Row) error) error {
	for some := range slices.Chunk(keys, maxBatch) {
		err := tableBackoff.Retry(ctx, func(err error) bool { return err == errUnprocessed }, func() error {
			rows, out, err := t.batchGetItem(ctx, p, &dynamodb.BatchGetItemInput{
				RequestItems:           map[string]types.KeysAndAttributes{t.name: {Keys: some, ConsistentRead: &consistent}},
				ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			})
			if err != nil {
				return t.wrap(err)
			}
			if err := received(out, rows); err != nil {
				return err
			}
			if some = out.UnprocessedKeys[t.name].Keys; len(some) > 0 {
				return errUnprocessed
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
