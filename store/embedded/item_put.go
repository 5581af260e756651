package embedded

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

func (db *DB) PutItem(ctx context.Context, in *dynamodb.PutItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.notNull(in.Item != nil, "item")
	e := conditionExpressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ConditionExpression)
	expected := expectation{in.Expected, in.ConditionalOperator}
	c.expectation(expected)
	e.expect(expected)
	w, err := parseWrite(c, &e, in.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*itemWrite, error) {
		if err := checkReturnValues(in.ReturnValues); err != nil {
			return nil, err
		}
		w, err := newPut(*in.TableName, in.Item, scope, in.ConditionExpression)
		if err != nil {
			return nil, err
		}
		return w, w.expect(expected)
	})
	if err != nil {
		return nil, err
	}
	w.needsOldItem = in.ReturnValues == types.ReturnValueAllOld
	metrics, err := db.writeOne(ctx, w, in.ReturnItemCollectionMetrics)
	if err != nil {
		return nil, err
	}
	return &dynamodb.PutItemOutput{
		Attributes:            w.oldItem(),
		ConsumedCapacity:      w.consumed.report(in.ReturnConsumedCapacity, capacityCombined),
		ItemCollectionMetrics: metrics,
	}, nil
}

func (db *DB) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.notNull(in.Key != nil, "key")
	e := conditionExpressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ConditionExpression)
	expected := expectation{in.Expected, in.ConditionalOperator}
	c.expectation(expected)
	e.expect(expected)
	w, err := parseWrite(c, &e, in.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*itemWrite, error) {
		if err := checkReturnValues(in.ReturnValues); err != nil {
			return nil, err
		}
		w, err := newDelete(*in.TableName, in.Key, scope, in.ConditionExpression)
		if err != nil {
			return nil, err
		}
		return w, w.expect(expected)
	})
	if err != nil {
		return nil, err
	}
	w.needsOldItem = in.ReturnValues == types.ReturnValueAllOld
	metrics, err := db.writeOne(ctx, w, in.ReturnItemCollectionMetrics)
	if err != nil {
		return nil, err
	}
	return &dynamodb.DeleteItemOutput{
		Attributes:            w.oldItem(),
		ConsumedCapacity:      w.consumed.report(in.ReturnConsumedCapacity, capacityCombined),
		ItemCollectionMetrics: metrics,
	}, nil
}

func (db *DB) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	c := newWriteConstraints(in.TableName, in.ReturnValues, in.ReturnConsumedCapacity, in.ReturnItemCollectionMetrics, in.ReturnValuesOnConditionCheckFailure)
	c.notNull(in.Key != nil, "key")
	e := updateExpressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.UpdateExpression, in.ConditionExpression)
	expected := expectation{in.Expected, in.ConditionalOperator}
	c.expectation(expected)
	c.attributeUpdates(in.AttributeUpdates)
	e.legacy = append(make([]parameter, 0, 3), parameter{attributeUpdates, in.AttributeUpdates != nil})
	e.expect(expected)
	w, err := parseWrite(c, &e, in.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*itemWrite, error) {
		w, err := newUpdate(*in.TableName, in.Key, scope, in.ConditionExpression, in.UpdateExpression)
		if err != nil {
			return nil, err
		}
		if in.AttributeUpdates != nil {
			if w.update, err = parseAttributeUpdates(in.AttributeUpdates); err != nil {
				return nil, err
			}
		}
		return w, w.expect(expected)
	})
	if err != nil {
		return nil, err
	}
	metrics, err := db.writeOne(ctx, w, in.ReturnItemCollectionMetrics)
	if err != nil {
		return nil, err
	}
	return &dynamodb.UpdateItemOutput{
		Attributes:            w.updateResult(in.ReturnValues),
		ConsumedCapacity:      w.consumed.report(in.ReturnConsumedCapacity, capacityCombined),
		ItemCollectionMetrics: metrics,
	}, nil
}

// expect sets the condition of the legacy parameter Expected, if the request has it.
func (w *itemWrite) expect(expected expectation) error {
	if expected.expected == nil {
		return nil
	}
	var err error
	w.condition, err = expected.parse()
	return err
}

// oldItem returns the item before the write if the request asks for it, otherwise
// nil.
func (w *itemWrite) oldItem() Item {
	if !w.needsOldItem {
		return nil
	}
	return w.old.item
}

func (w *itemWrite) updateResult(mode types.ReturnValue) Item {
	switch {
	case mode == types.ReturnValueAllOld:
		return w.old.item
	case mode == types.ReturnValueAllNew:
		return w.new.item
	case mode == types.ReturnValueUpdatedOld && w.update != nil:
		return nilIfEmpty(w.update.Updated(w.old.item))
	case mode == types.ReturnValueUpdatedNew && w.update != nil:
		return nilIfEmpty(w.update.Updated(w.new.item))
	}
	return nil
}

func nilIfEmpty(item Item) Item {
	if len(item) == 0 {
		return nil
	}
	return item
}

func newWriteConstraints(table *string, returnValue types.ReturnValue, capacity types.ReturnConsumedCapacity,
	metrics types.ReturnItemCollectionMetrics, onFailure types.ReturnValuesOnConditionCheckFailure,
) *constraints {
	c := &constraints{}
	c.tableName(table)
	enum(c, returnValue, "returnValues", returnValues)
	c.consumedCapacity(capacity)
	enum(c, metrics, "returnItemCollectionMetrics", returnMetrics)
	enum(c, onFailure, "returnValuesOnConditionCheckFailure", returnValuesOnFailure)
	return c
}

// checkReturnValues returns an error for values of ReturnValues other than NONE and
// ALL_OLD. PutItem and DeleteItem support only these.
func checkReturnValues(returnValue types.ReturnValue) error {
	if slices.Contains([]types.ReturnValue{"", types.ReturnValueNone, types.ReturnValueAllOld}, returnValue) {
		return nil
	}
	return invalidf("Return values set to invalid value")
}

func parseWrite(c *constraints, e *expressions, onFailure types.ReturnValuesOnConditionCheckFailure, parse func(*expr.Scope) (*itemWrite, error)) (*itemWrite, error) {
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
	return w, checkUnused(scope)
}

func (db *DB) writeOne(ctx context.Context, w *itemWrite, metrics types.ReturnItemCollectionMetrics) (*types.ItemCollectionMetrics, error) {
	db.prepare(w)
	err := db.write(ctx, codec.SizeOf(w.key), func(tx *writeTx) ([]mutation, error) { return w.stage(tx, nil) })
	if err != nil {
		return nil, err
	}
	return db.collection(ctx, metrics, w), nil
}
