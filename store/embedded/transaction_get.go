package embedded

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func (db *DB) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	var c constraints
	c.transactItems(in.TransactItems != nil, len(in.TransactItems))
	c.consumedCapacity(in.ReturnConsumedCapacity)
	if err := c.err(); err != nil {
		return nil, err
	}
	gets := make([]*itemGet, len(in.TransactItems))
	names := make([]string, len(in.TransactItems))
	for i := range in.TransactItems {
		var err error
		if gets[i], names[i], err = newTransactGet(in.TransactItems[i].Get); err != nil {
			return nil, err
		}
	}
	tables := make([]*table, len(gets))
	err := db.view(ctx, func(r *readTx) error { return fetchAll(r, names, gets, tables) })
	if err != nil {
		return nil, err
	}
	out := &dynamodb.TransactGetItemsOutput{Responses: make([]types.ItemResponse, len(gets))}
	consumed := make(map[string]*units)
	for i, get := range gets {
		out.Responses[i].Item = get.item
		if consumed[names[i]] == nil {
			consumed[names[i]] = &units{owner: tables[i]}
		}
		consumed[names[i]].table += 2 * readUnits(get.size, true)
	}
	out.ConsumedCapacity = reportAll(consumed, in.ReturnConsumedCapacity, capacityRead)
	return out, nil
}

func newTransactGet(get *types.Get) (*itemGet, string, error) {
	if get == nil {
		return nil, "", invalidf("TransactItems can only contain Get")
	}
	var c constraints
	c.tableName(get.TableName)
	c.notNull(get.Key != nil, "key")
	if err := c.err(); err != nil {
		return nil, "", err
	}
	shape, err := parseProjection(get.ExpressionAttributeNames, get.ProjectionExpression, nil)
	if err != nil {
		return nil, "", err
	}
	itemGet, err := newItemGet(get.Key, shape)
	return itemGet, *get.TableName, err
}

// fetchAll reads all items from one snapshot. It also sets tables[i] to the table of
// gets[i].
func fetchAll(r *readTx, names []string, gets []*itemGet, tables []*table) error {
	seen := make(map[string]bool, len(gets))
	cancel := newCancellation(len(gets))
	for i, get := range gets {
		var err error
		if tables[i], err = r.catalog.table(names[i]); err != nil {
			return err
		}
		if err := get.locate(tables[i]); err != nil {
			if err = cancel.add(i, err); err != nil {
				return err
			}
			continue
		}
		id := names[i] + "\x00" + string(get.tableKey)
		if seen[id] {
			return errDuplicateItem()
		}
		seen[id] = true
	}
	if err := cancel.err(); err != nil {
		return err
	}
	bytes := 0
	for i, get := range gets {
		if err := get.fetch(r, tables[i]); err != nil {
			return err
		}
		if bytes += get.size; bytes > maxTransactBytes {
			return invalidf("Total size of items in the transaction exceeds 4 MB")
		}
	}
	return nil
}
