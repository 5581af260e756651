package embedded

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TransactGetItems is DynamoDB's TransactGetItems.
func (db *DB) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	var c constraints
	c.transactItems(in.TransactItems != nil, len(in.TransactItems))
	c.consumedCapacity(in.ReturnConsumedCapacity)
	if err := c.err(); err != nil {
		return nil, err
	}
	gets := make([]*getting, len(in.TransactItems))
	names := make([]string, len(in.TransactItems))
	for i := range in.TransactItems {
		var err error
		if gets[i], names[i], err = newTransactGet(in.TransactItems[i].Get); err != nil {
			return nil, err
		}
	}
	tables := make([]*table, len(gets))
	err := db.view(ctx, func(r *readTx) error { return fetchTogether(r, names, gets, tables) })
	if err != nil {
		return nil, err
	}
	out := &dynamodb.TransactGetItemsOutput{Responses: make([]types.ItemResponse, len(gets))}
	charged := make(map[string]*units)
	for i, get := range gets {
		out.Responses[i].Item = get.item
		if charged[names[i]] == nil {
			sum := newUnits(tables[i])
			charged[names[i]] = &sum
		}
		charged[names[i]].table += 2 * readUnits(get.size, true)
	}
	out.ConsumedCapacity = reportAll(charged, in.ReturnConsumedCapacity, capacityRead)
	return out, nil
}

func newTransactGet(get *types.Get) (*getting, string, error) {
	if get == nil {
		return nil, "", invalidf("TransactItems can only contain Get")
	}
	var c constraints
	c.tableName(get.TableName)
	c.present(get.Key != nil, "key")
	if err := c.err(); err != nil {
		return nil, "", err
	}
	shape, err := projected(get.ExpressionAttributeNames, get.ProjectionExpression, nil)
	if err != nil {
		return nil, "", err
	}
	getting, err := newGetting(get.Key, shape)
	return getting, *get.TableName, err
}

// fetchTogether reads items of one moment; tables is filled in.
func fetchTogether(r *readTx, names []string, gets []*getting, tables []*table) error {
	seen := make(map[string]bool, len(gets))
	refused := newRefusals(len(gets))
	for i, get := range gets {
		var err error
		if tables[i], err = r.catalog.table(names[i]); err != nil {
			return err
		}
		if err := get.locate(tables[i]); err != nil {
			if err = refused.add(i, err); err != nil {
				return err
			}
			continue
		}
		place := names[i] + "\x00" + string(get.stored)
		if seen[place] {
			return errTwice()
		}
		seen[place] = true
	}
	if err := refused.err(); err != nil {
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
