package embedded

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store/embedded/codec"
	"stockroom/store/row"
)

func (db *DB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	get, out, err := db.getItem(ctx, in, false)
	if err != nil {
		return nil, err
	}
	out.Item = get.item
	return out, nil
}

// GetRow is like GetItem, but returns a row instead of an item. The row is nil if the item
// does not exist.
func (db *DB) GetRow(ctx context.Context, in *dynamodb.GetItemInput) (row.Row, *dynamodb.GetItemOutput, error) {
	get, out, err := db.getItem(ctx, in, true)
	if err != nil {
		return nil, nil, err
	}
	return get.row, out, nil
}

// getItem reads the item or row of a GetItem request. It sets all fields of the output
// except Item.
func (db *DB) getItem(ctx context.Context, in *dynamodb.GetItemInput, asRow bool) (*itemGet, *dynamodb.GetItemOutput, error) {
	var c constraints
	c.tableName(in.TableName)
	c.notNull(in.Key != nil, "key")
	c.consumedCapacity(in.ReturnConsumedCapacity)
	if err := c.err(); err != nil {
		return nil, nil, err
	}
	shape, err := parseProjection(in.ExpressionAttributeNames, in.ProjectionExpression, in.AttributesToGet)
	if err != nil {
		return nil, nil, err
	}
	get, err := newItemGet(in.Key, shape)
	if err != nil {
		return nil, nil, err
	}
	get.asRow = asRow
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
		return nil, nil, err
	}
	consumed := units{owner: t}
	consumed.table = readUnits(get.size, consistent(in.ConsistentRead))
	return get, &dynamodb.GetItemOutput{ConsumedCapacity: consumed.report(in.ReturnConsumedCapacity, capacityCombined)}, nil
}

// itemGet is a read of one item by key.
type itemGet struct {
	key   Item
	shape shape
	asRow bool // fill row instead of item

	tableKey []byte
	body     []byte // stored form of the item, or nil if it does not exist; valid during the transaction
	item     Item   // nil if the item does not exist
	row      row.Row
	size     int // size in bytes, by DynamoDB's rules
}

func newItemGet(key Item, shape shape) (*itemGet, error) {
	key, err := normalizeItem(key)
	return &itemGet{key: key, shape: shape}, err
}

// parseProjection parses the projection of a read by key. The argument attributes is
// the legacy parameter AttributesToGet.
func parseProjection(names map[string]string, projection *string, attributes []string) (shape, error) {
	if names == nil && projection == nil && attributes == nil {
		return newShape(nil, nil), nil
	}
	e := expressions{
		names: names, parameters: []parameter{{"ProjectionExpression", projection != nil}},
		legacy: []parameter{{attributesToGet, attributes != nil}},
	}
	scope, err := e.scope()
	if err != nil {
		return shape{}, err
	}
	if attributes != nil {
		return parseLegacyShape(attributes, nil, "")
	}
	parsed, err := parseShape(scope, projection, nil)
	if err != nil {
		return shape{}, err
	}
	return parsed, checkUnused(scope)
}

func (g *itemGet) locate(t *table) error {
	var err error
	g.tableKey, err = t.keyOf(g.key)
	return err
}

func (g *itemGet) fetch(r *readTx, t *table) error {
	cursor, err := t.items.cursor(r.bolt)
	if err != nil {
		return err
	}
	if err := g.find(t, cursor); err != nil || g.body == nil {
		return err
	}
	return g.decode(t, g.decoder(t, [][]byte{g.body}))
}

func (g *itemGet) find(t *table, cursor *cursor) error {
	body, found, err := t.items.find(cursor, g.tableKey)
	if err != nil || !found {
		return err
	}
	g.body, g.size = body, codec.SizeOfStored(body)
	return nil
}

// decoder returns a decoder for the stored items of a batch, which are all read with the
// shape of g.
func (g *itemGet) decoder(t *table, bodies [][]byte) *codec.Decoder {
	decoder := g.shape.decoder(t.names)
	if g.asRow && g.shape.exact {
		decoder.ExpectRows(bodies)
	}
	return decoder
}

func (g *itemGet) decode(t *table, decoder *codec.Decoder) (err error) {
	if g.asRow && g.shape.exact {
		if g.row, err = decoder.Row(g.body); err != nil {
			return t.items.damaged(g.tableKey, err.Error())
		}
		return nil
	}
	item, err := decoder.Item(g.body)
	if err != nil {
		return t.items.damaged(g.tableKey, err.Error())
	}
	g.item, _ = g.shape.apply(item)
	if g.asRow {
		g.row = row.Of(g.item)
	}
	return nil
}
