package embedded

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store/embedded/codec"
)

// GetItem is DynamoDB's GetItem.
func (db *DB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	c.present(in.Key != nil, "key")
	c.consumedCapacity(in.ReturnConsumedCapacity)
	if err := c.err(); err != nil {
		return nil, err
	}
	shape, err := projected(in.ExpressionAttributeNames, in.ProjectionExpression, in.AttributesToGet)
	if err != nil {
		return nil, err
	}
	get, err := newGetting(in.Key, shape)
	if err != nil {
		return nil, err
	}
	var t *table
	err = db.view(ctx, func(r *readTx) error {
		if t, err = r.catalog.table(*in.TableName); err != nil {
			return err
		}
		if err := get.locate(t); err != nil {
			return err
		}
		return get.fetch(r, t)
	})
	if err != nil {
		return nil, err
	}
	charged := newUnits(t)
	charged.table = readUnits(get.size, consistent(in.ConsistentRead))
	return &dynamodb.GetItemOutput{Item: get.item, ConsumedCapacity: charged.report(in.ReturnConsumedCapacity, capacityPlain)}, nil
}

// getting is the reading of one item by key.
type getting struct {
	key   Item
	shape shape

	stored []byte // the key under which it lies
	item   Item   // nil if there is none
	size   int
}

func newGetting(key Item, shape shape) (*getting, error) {
	key, err := normalized(key)
	return &getting{key: key, shape: shape}, err
}

// projected parses what a read of items by key is to leave of them. The third
// parameter is the legacy one.
func projected(names map[string]string, projection *string, attributes []string) (shape, error) {
	e := expressions{
		names: names, parameters: []parameter{{"ProjectionExpression", projection != nil}},
		legacy: []parameter{{"AttributesToGet", attributes != nil}},
	}
	scope, err := e.scope()
	if err != nil {
		return shape{}, err
	}
	parsed, err := shapeOf(scope, projection, nil)
	if err != nil {
		return shape{}, err
	}
	return parsed, unused(scope)
}

// locate finds the key under which the item lies, if there is one.
func (g *getting) locate(t *table) error {
	var err error
	g.stored, err = t.keyOf(g.key)
	return err
}

// fetch reads the item.
func (g *getting) fetch(r *readTx, t *table) error {
	body, found, err := t.items.get(r.bolt, g.stored)
	if err != nil || !found {
		return err
	}
	g.size = codec.SizeOfStored(body)
	item, err := g.shape.decoder(t.names).Item(body)
	if err != nil {
		return t.items.damaged(g.stored, err.Error())
	}
	g.item, _ = g.shape.apply(item)
	return nil
}
