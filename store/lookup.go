package store

import (
	"context"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/key"
)

// maxBatch is how many items DynamoDB reads in one request.
const maxBatch = 100

// lookup is one thing that something else names by its ID: which GetItem
// pattern finds it, and where it goes.
type lookup struct {
	pattern *Pattern
	values  key.Map
	found   func(Item) error
}

// lookUp puts an entity where it is waited for, which stays nil where there is
// none.
func lookUp[E Entity](p *Pattern, values key.Map, to *E) lookup {
	return lookup{p, values, func(item Item) (err error) {
		*to, err = readAs[E](item, nil)
		return err
	}}
}

// getMany reads the items that a GetItem pattern names, so many at once, in
// the order of the values; nil where there is none.
func (s *Store) getMany(ctx context.Context, p *Pattern, values []key.Map, consistent bool) ([]Item, error) {
	items, lookups := make([]Item, len(values)), make([]lookup, len(values))
	for i := range values {
		lookups[i] = lookup{p, values[i], func(item Item) error {
			items[i] = item
			return nil
		}}
	}
	return items, s.readAll(ctx, lookups, consistent)
}

// readAll reads what many lookups name, up to a hundred things with one
// request. A lookup one of whose values is missing names nothing.
func (s *Store) readAll(ctx context.Context, lookups []lookup, consistent bool) error {
	b := batch{store: s, consistent: consistent, began: time.Now(), waiting: map[string][]lookup{}, items: map[*Pattern][]Item{}}
	for _, l := range lookups {
		if err := b.want(l); err != nil {
			return err
		}
	}
	defer b.finish(ctx)
	for keys := range slices.Chunk(b.keys, maxBatch) {
		if err := b.read(ctx, keys); err != nil {
			return err
		}
	}
	return nil
}

// batch is the state of reading many things at once.
type batch struct {
	store      *Store
	consistent bool
	began      time.Time
	keys       []Item // each once: DynamoDB refuses to be asked for one thing twice
	waiting    map[string][]lookup
	reads      []Read // one a pattern; the first has what the requests cost
	items      map[*Pattern][]Item
}

func (b *batch) want(l lookup) error {
	pk, sk, err := l.pattern.keys(l.values)
	if KindOf(err) == NotFound {
		return nil // what has no ID names nothing
	}
	if err != nil {
		return err
	}
	key := Item{attrPK: &types.AttributeValueMemberS{Value: pk}, attrSK: &types.AttributeValueMemberS{Value: sk.low}}
	if b.waiting[placeOf(key)] == nil {
		b.keys = append(b.keys, key)
	}
	b.waiting[placeOf(key)] = append(b.waiting[placeOf(key)], l)
	if !slices.ContainsFunc(b.reads, func(r Read) bool { return r.Pattern == l.pattern }) {
		b.reads = append(b.reads, Read{Pattern: l.pattern, Condition: Condition{PK: pk, SK: sk.low, Operator: "="}, Shards: 1})
	}
	return nil
}

// read asks until every key has been answered: a busy table answers some.
func (b *batch) read(ctx context.Context, keys []Item) error {
	table := b.store.table
	for len(keys) > 0 {
		out, err := b.store.db.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{table: {Keys: keys, ConsistentRead: &b.consistent}},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if err != nil {
			return b.store.failure(err)
		}
		cost := &b.reads[0]
		cost.Requests++
		for i := range out.ConsumedCapacity {
			cost.Units += units(&out.ConsumedCapacity[i])
		}
		for _, item := range out.Responses[table] {
			if err := b.found(item); err != nil {
				return err
			}
		}
		keys = out.UnprocessedKeys[table].Keys
	}
	return nil
}

func (b *batch) found(item Item) error {
	for _, l := range b.waiting[placeOf(item)] {
		if err := l.found(item); err != nil {
			return err
		}
	}
	p := b.waiting[placeOf(item)][0].pattern
	b.items[p] = append(b.items[p], item)
	return nil
}

func (b *batch) finish(ctx context.Context) {
	for _, read := range b.reads {
		read.Items = len(b.items[read.Pattern])
		if read.Requests > 0 {
			read.Took = time.Since(b.began)
		}
		traceOf(ctx).add(read, b.items[read.Pattern])
	}
}

// placeOf tells items apart by where they lie.
func placeOf(item Item) string { return textOf(item, attrPK) + "\x00" + textOf(item, attrSK) }
