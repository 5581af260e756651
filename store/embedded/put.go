package embedded

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
)

// PutItem is DynamoDB's PutItem.
func (db *DB) PutItem(ctx context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.present(in.Item != nil, "item")
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := onlyOldValues(in.ReturnValues); err != nil {
		return nil, err
	}
	e := conditional(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ConditionExpression)
	e.legacy = []parameter{{"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""}}
	scope, err := e.scope()
	if err != nil {
		return nil, err
	}
	w, err := newPut(*in.TableName, in.Item, scope, in.ConditionExpression)
	if err != nil {
		return nil, err
	}
	if err := unused(scope); err != nil {
		return nil, err
	}
	w.onFailure = in.ReturnValuesOnConditionCheckFailure
	w.wantsOld = in.ReturnValues == types.ReturnValueAllOld
	if err := db.writeOne(ctx, w); err != nil {
		return nil, err
	}
	metrics, err := db.collection(ctx, in.ReturnItemCollectionMetrics, w)
	if err != nil {
		return nil, err
	}
	out := &dynamodb.PutItemOutput{
		ConsumedCapacity:      w.charged.report(in.ReturnConsumedCapacity, capacityPlain),
		ItemCollectionMetrics: metrics,
	}
	if w.wantsOld {
		out.Attributes = w.old.item
	}
	return out, nil
}

// DeleteItem is DynamoDB's DeleteItem.
func (db *DB) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.present(in.Key != nil, "key")
	if err := c.err(); err != nil {
		return nil, err
	}
	if err := onlyOldValues(in.ReturnValues); err != nil {
		return nil, err
	}
	e := conditional(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ConditionExpression)
	e.legacy = []parameter{{"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""}}
	scope, err := e.scope()
	if err != nil {
		return nil, err
	}
	w, err := newDelete(*in.TableName, in.Key, scope, in.ConditionExpression)
	if err != nil {
		return nil, err
	}
	if err := unused(scope); err != nil {
		return nil, err
	}
	w.onFailure = in.ReturnValuesOnConditionCheckFailure
	w.wantsOld = in.ReturnValues == types.ReturnValueAllOld
	if err := db.writeOne(ctx, w); err != nil {
		return nil, err
	}
	metrics, err := db.collection(ctx, in.ReturnItemCollectionMetrics, w)
	if err != nil {
		return nil, err
	}
	out := &dynamodb.DeleteItemOutput{
		ConsumedCapacity:      w.charged.report(in.ReturnConsumedCapacity, capacityPlain),
		ItemCollectionMetrics: metrics,
	}
	if w.wantsOld {
		out.Attributes = w.old.item
	}
	return out, nil
}

// UpdateItem is DynamoDB's UpdateItem.
func (db *DB) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.present(in.Key != nil, "key")
	if err := c.err(); err != nil {
		return nil, err
	}
	e := updating(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.UpdateExpression, in.ConditionExpression)
	e.legacy = []parameter{
		{"AttributeUpdates", in.AttributeUpdates != nil}, {"Expected", in.Expected != nil}, {"ConditionalOperator", in.ConditionalOperator != ""},
	}
	scope, err := e.scope()
	if err != nil {
		return nil, err
	}
	w, update, err := newUpdate(*in.TableName, in.Key, scope, in.ConditionExpression, in.UpdateExpression)
	if err != nil {
		return nil, err
	}
	if err := unused(scope); err != nil {
		return nil, err
	}
	w.onFailure = in.ReturnValuesOnConditionCheckFailure
	if err := db.writeOne(ctx, w); err != nil {
		return nil, err
	}
	metrics, err := db.collection(ctx, in.ReturnItemCollectionMetrics, w)
	if err != nil {
		return nil, err
	}
	out := &dynamodb.UpdateItemOutput{
		ConsumedCapacity:      w.charged.report(in.ReturnConsumedCapacity, capacityPlain),
		ItemCollectionMetrics: metrics,
	}
	switch in.ReturnValues {
	case types.ReturnValueAllOld:
		out.Attributes = w.old.item
	case types.ReturnValueAllNew:
		out.Attributes = w.new.item
	case types.ReturnValueUpdatedOld:
		if update != nil {
			out.Attributes = noneIfEmpty(update.Updated(w.old.item))
		}
	case types.ReturnValueUpdatedNew:
		if update != nil {
			out.Attributes = noneIfEmpty(update.Updated(w.new.item))
		}
	}
	return out, nil
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

// writeOne has a single write staged and committed.
func (db *DB) writeOne(ctx context.Context, w *writing) error {
	db.prepare(w)
	return db.write(ctx, codec.SizeOf(w.key), func(tx *writeTx) ([]mutation, error) { return w.stage(tx, nil) })
}
