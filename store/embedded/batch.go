package embedded

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
	"stockroom/store/row"
)

// Limits of batches, in items and bytes. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
const (
	maxBatchGet   = 100
	maxBatchWrite = 25
	maxBatchBytes = 16 << 20
)

// BatchGetItem reads items from one snapshot. For each table, it returns them in the order
// of the request. The response contains at most 16 MB; UnprocessedKeys contains the other
// keys.
func (db *DB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	batch, out, err := db.batchGet(ctx, in, false)
	if err != nil {
		return nil, err
	}
	out.Responses = make(map[string][]Item, len(batch))
	for i := range batch {
		out.Responses[batch[i].name] = batch[i].items
	}
	return out, nil
}

// BatchGetRows is like BatchGetItem, but returns rows instead of items. The map contains
// the rows of each table, by table name.
func (db *DB) BatchGetRows(ctx context.Context, in *dynamodb.BatchGetItemInput) (map[string][]row.Row, *dynamodb.BatchGetItemOutput, error) {
	batch, out, err := db.batchGet(ctx, in, true)
	if err != nil {
		return nil, nil, err
	}
	rows := make(map[string][]row.Row, len(batch))
	for i := range batch {
		rows[batch[i].name] = batch[i].rows
	}
	return rows, out, nil
}

// batchGet reads the items or rows of a BatchGetItem request. It sets all fields of the
// output except Responses.
func (db *DB) batchGet(ctx context.Context, in *dynamodb.BatchGetItemInput, asRows bool) ([]tableGets, *dynamodb.BatchGetItemOutput, error) {
	batch, err := newBatchGet(in, asRows)
	if err != nil {
		return nil, nil, err
	}
	err = db.view(ctx, func(r *readTx) error {
		bytes := 0
		for i := range batch {
			if err := batch[i].fetch(r, &bytes); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	out := &dynamodb.BatchGetItemOutput{UnprocessedKeys: make(map[string]types.KeysAndAttributes)}
	consumed := make(map[string]*units)
	for i := range batch {
		b := &batch[i]
		consumed[b.name] = &b.consumed
		if b.processed < len(b.gets) {
			rest := b.request
			rest.Keys = rest.Keys[b.processed:]
			out.UnprocessedKeys[b.name] = rest
		}
	}
	out.ConsumedCapacity = reportAll(consumed, in.ReturnConsumedCapacity, capacityCombined)
	return batch, out, nil
}

// tableGets is the part of a BatchGetItem request for one table.
type tableGets struct {
	name    string
	request types.KeysAndAttributes
	gets    []*itemGet

	items     []Item
	rows      []row.Row // used instead of items if the caller wants rows
	processed int       // number of keys read
	consumed  units
}

func newBatchGet(in *dynamodb.BatchGetItemInput, asRows bool) ([]tableGets, error) {
	var c constraints
	c.consumedCapacity(in.ReturnConsumedCapacity)
	tables := slices.Sorted(maps.Keys(in.RequestItems))
	for _, name := range tables {
		request := in.RequestItems[name]
		c.name(&name, "requestItems", 1)
		c.notNull(request.Keys != nil, "requestItems."+name+".member.keys")
		if len(request.Keys) > maxBatchGet {
			c.broken = append(c.broken, "Value at 'RequestItems."+name+".member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100")
		}
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if len(in.RequestItems) == 0 {
		return nil, invalidf("The requestItems parameter is required for BatchGetItem")
	}
	var batch []tableGets
	count := 0
	for _, name := range tables {
		request := in.RequestItems[name]
		if count += len(request.Keys); count > maxBatchGet {
			return nil, invalidf("Too many items requested for the BatchGetItem call")
		}
		shape, err := parseProjection(request.ExpressionAttributeNames, request.ProjectionExpression, request.AttributesToGet)
		if err != nil {
			return nil, err
		}
		gets := make([]*itemGet, len(request.Keys))
		for i, key := range request.Keys {
			if gets[i], err = newItemGet(key, shape); err != nil {
				return nil, err
			}
			gets[i].asRow = asRows
		}
		batch = append(batch, tableGets{name: name, request: request, gets: gets})
	}
	return batch, nil
}

// fetch reads items until the response reaches the size limit. The argument bytes is
// the size of the response so far.
func (b *tableGets) fetch(r *readTx, bytes *int) error {
	t, err := r.catalog.table(b.name)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, len(b.gets))
	for _, get := range b.gets {
		if err := get.locate(t); err != nil {
			return err
		}
		if seen[string(get.tableKey)] {
			return invalidf("Provided list of item keys contains duplicates")
		}
		seen[string(get.tableKey)] = true
	}
	b.consumed = units{owner: t}
	cursor, err := t.items.cursor(r.bolt)
	if err != nil {
		return err
	}
	found := make([]*itemGet, 0, len(b.gets))
	bodies := make([][]byte, 0, len(b.gets))
	for _, get := range b.gets {
		if err := get.find(t, cursor); err != nil {
			return err
		}
		if *bytes += get.size; *bytes > maxBatchBytes {
			break
		}
		b.processed++
		b.consumed.table += readUnits(get.size, consistent(b.request.ConsistentRead))
		if get.body != nil {
			found, bodies = append(found, get), append(bodies, get.body)
		}
	}
	if len(found) == 0 {
		return nil
	}
	decoder := found[0].decoder(t, bodies)
	for _, get := range found {
		if err := get.decode(t, decoder); err != nil {
			return err
		}
		switch {
		case get.row != nil:
			b.rows = append(b.rows, get.row)
		case get.item != nil:
			b.items = append(b.items, get.item)
		}
	}
	return nil
}

// BatchWriteItem writes all items or, after an error, none. DynamoDB, in contrast, can
// write only some of the items.
func (db *DB) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	writes, bytes, err := newBatchWrite(in)
	if err != nil {
		return nil, err
	}
	db.prepare(writes...)
	consumed := make(map[string]*units)
	err = db.write(ctx, bytes, func(tx *writeTx) ([]mutation, error) {
		return stageDistinct(tx, writes, func() error { return invalidf("Provided list of item keys contains duplicates") })
	})
	if err != nil {
		return nil, err
	}
	for _, w := range writes {
		addConsumed(consumed, w, 1)
	}
	return &dynamodb.BatchWriteItemOutput{
		UnprocessedItems:      map[string][]types.WriteRequest{},
		ConsumedCapacity:      reportAll(consumed, in.ReturnConsumedCapacity, capacityCombined),
		ItemCollectionMetrics: db.collections(ctx, in.ReturnItemCollectionMetrics, writes...),
	}, nil
}

func addConsumed(consumed map[string]*units, w *itemWrite, factor float64) {
	if consumed[w.table] == nil {
		consumed[w.table] = &units{owner: w.consumed.owner}
	}
	consumed[w.table].addAll(w.consumed.times(factor))
}

// stageDistinct computes the mutations of writes, without applying them. Each write sees
// the state before the batch. If two writes have the same key, stageDistinct returns the
// error of the function errDuplicate.
func stageDistinct(tx *writeTx, writes []*itemWrite, errDuplicate func() error) ([]mutation, error) {
	seen := make(map[string]bool, len(writes))
	for _, w := range writes {
		if err := w.locate(tx); err != nil {
			return nil, err
		}
		id := w.table + "\x00" + string(w.tableKey)
		if seen[id] {
			return nil, errDuplicate()
		}
		seen[id] = true
	}
	var mutations []mutation
	for _, w := range writes {
		var err error
		if mutations, err = w.stageLocated(tx, mutations); err != nil {
			return nil, err
		}
	}
	return mutations, nil
}

func newBatchWrite(in *dynamodb.BatchWriteItemInput) (writes []*itemWrite, bytes int, err error) {
	var c constraints
	c.consumedCapacity(in.ReturnConsumedCapacity)
	enum(&c, in.ReturnItemCollectionMetrics, "returnItemCollectionMetrics", returnMetrics)
	tables := slices.Sorted(maps.Keys(in.RequestItems))
	for _, name := range tables {
		requests := in.RequestItems[name]
		c.name(&name, "requestItems", 1)
		c.check(len(requests) <= maxBatchWrite, fmt.Sprintf("{%s=[%d requests]}", name, len(requests)), "requestItems",
			"Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]")
	}
	if err := c.err(); err != nil {
		return nil, 0, err
	}
	if len(in.RequestItems) == 0 {
		return nil, 0, invalidf("The requestItems parameter is required for BatchWriteItem")
	}
	scope, err := expr.NewScope(nil, nil)
	if err != nil {
		return nil, 0, invalid(err)
	}
	for _, name := range tables {
		if len(in.RequestItems[name]) == 0 {
			return nil, 0, invalidf("The batch write request list for a table cannot be null or empty")
		}
		for _, request := range in.RequestItems[name] {
			w, err := newBatchedWrite(name, request, scope)
			if err != nil {
				return nil, 0, err
			}
			bytes += codec.SizeOf(w.key)
			writes = append(writes, w)
		}
	}
	if len(writes) > maxBatchWrite {
		return nil, 0, invalidf("Too many items requested for the BatchWriteItem call")
	}
	if bytes > maxBatchBytes {
		return nil, 0, invalidf("Total size of the items of a BatchWriteItem call exceeds 16 MB")
	}
	return writes, bytes, nil
}

func newBatchedWrite(table string, request types.WriteRequest, scope *expr.Scope) (*itemWrite, error) {
	switch {
	case request.PutRequest != nil && request.DeleteRequest != nil:
		return nil, invalidf("Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes")
	case request.PutRequest != nil:
		return newPut(table, request.PutRequest.Item, scope, nil)
	case request.DeleteRequest != nil:
		return newDelete(table, request.DeleteRequest.Key, scope, nil)
	}
	return nil, invalidf("Supplied WriteRequest is empty, must contain a PutRequest or a DeleteRequest")
}
