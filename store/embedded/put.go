package embedded

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// PutItem is DynamoDB's PutItem.
func (db *DB) PutItem(ctx context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.present(in.Item != nil, "item")
	e := conditional(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ConditionExpression)
	e.legacy = []parameter{{"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""}}
	w, err := parseWrite(c, &e, in.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*writing, error) {
		if err := onlyOldValues(in.ReturnValues); err != nil {
			return nil, err
		}
		return newPut(*in.TableName, in.Item, scope, in.ConditionExpression)
	})
	if err != nil {
		return nil, err
	}
	w.wantsOld = in.ReturnValues == types.ReturnValueAllOld
	metrics, err := db.writeOne(ctx, w, in.ReturnItemCollectionMetrics)
	if err != nil {
		return nil, err
	}
	return &dynamodb.PutItemOutput{
		Attributes:            w.returnedOld(),
		ConsumedCapacity:      w.charged.report(in.ReturnConsumedCapacity, capacityPlain),
		ItemCollectionMetrics: metrics,
	}, nil
}

// DeleteItem is DynamoDB's DeleteItem.
func (db *DB) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.present(in.Key != nil, "key")
	e := conditional(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ConditionExpression)
	e.legacy = []parameter{{"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""}}
	w, err := parseWrite(c, &e, in.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*writing, error) {
		if err := onlyOldValues(in.ReturnValues); err != nil {
			return nil, err
		}
		return newDelete(*in.TableName, in.Key, scope, in.ConditionExpression)
	})
	if err != nil {
		return nil, err
	}
	w.wantsOld = in.ReturnValues == types.ReturnValueAllOld
	metrics, err := db.writeOne(ctx, w, in.ReturnItemCollectionMetrics)
	if err != nil {
		return nil, err
	}
	return &dynamodb.DeleteItemOutput{
		Attributes:            w.returnedOld(),
		ConsumedCapacity:      w.charged.report(in.ReturnConsumedCapacity, capacityPlain),
		ItemCollectionMetrics: metrics,
	}, nil
}

// UpdateItem is DynamoDB's UpdateItem.
func (db *DB) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.present(in.Key != nil, "key")
	e := updating(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.UpdateExpression, in.ConditionExpression)
	e.legacy = []parameter{
		{"AttributeUpdates", in.AttributeUpdates != nil}, {"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""},
	}
	w, err := parseWrite(c, &e, in.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*writing, error) {
		return newUpdate(*in.TableName, in.Key, scope, in.ConditionExpression, in.UpdateExpression)
	})
	if err != nil {
		return nil, err
	}
	metrics, err := db.writeOne(ctx, w, in.ReturnItemCollectionMetrics)
	if err != nil {
		return nil, err
	}
	return &dynamodb.UpdateItemOutput{
		Attributes:            w.returnedOfUpdate(in.ReturnValues),
		ConsumedCapacity:      w.charged.report(in.ReturnConsumedCapacity, capacityPlain),
		ItemCollectionMetrics: metrics,
	}, nil
}

// returnedOld is the item that was there before, if it is asked for.
func (w *writing) returnedOld() Item {
	if !w.wantsOld {
		return nil
	}
	return w.old.item
}

func (w *writing) returnedOfUpdate(asked types.ReturnValue) Item {
	switch {
	case asked == types.ReturnValueAllOld:
		return w.old.item
	case asked == types.ReturnValueAllNew:
		return w.new.item
	case asked == types.ReturnValueUpdatedOld && w.update != nil:
		return noneIfEmpty(w.update.Updated(w.old.item))
	case asked == types.ReturnValueUpdatedNew && w.update != nil:
		return noneIfEmpty(w.update.Updated(w.new.item))
	}
	return nil
}

func noneIfEmpty(item Item) Item {
	if len(item) == 0 {
		return nil
	}
	return item
}

func newWriteConstraints(table *string, returned types.ReturnValue, capacity types.ReturnConsumedCapacity,
	metrics types.ReturnItemCollectionMetrics, onFailure types.ReturnValuesOnConditionCheckFailure,
) *constraints {
	c := &constraints{}
	c.tableName(table)
	enum(c, returned, "returnValues", returnValues)
	c.consumedCapacity(capacity)
	enum(c, metrics, "returnItemCollectionMetrics", returnMetrics)
	enum(c, onFailure, "returnValuesOnConditionCheckFailure", returnValuesOnFailure)
	return c
}

// onlyOldValues refuses what PutItem and DeleteItem cannot return.
func onlyOldValues(returned types.ReturnValue) error {
	if slices.Contains([]types.ReturnValue{"", types.ReturnValueNone, types.ReturnValueAllOld}, returned) {
		return nil
	}
	return invalidf("Return values set to invalid value")
}

// parseWrite checks the constraints of a request and parses what it writes.
func parseWrite(c *constraints, e *expressions, onFailure types.ReturnValuesOnConditionCheckFailure, parse func(*expr.Scope) (*writing, error)) (*writing, error) {
	if err := c.err(); err != nil {
		return nil, err
	}
	scope, err := e.scope()
	if err != nil {
		return nil, err
	}
	w, err := parse(scope)
	if err != nil {
		return nil, err
	}
	w.onFailure = onFailure
	return w, unused(scope)
}

// writeOne has a single write staged and committed.
func (db *DB) writeOne(ctx context.Context, w *writing, metrics types.ReturnItemCollectionMetrics) (*types.ItemCollectionMetrics, error) {
	db.prepare(w)
	err := db.write(ctx, codec.SizeOf(w.key), func(tx *writeTx) ([]mutation, error) { return w.stage(tx, nil) })
	if err != nil {
		return nil, err
	}
	return db.collection(ctx, metrics, w)
}
