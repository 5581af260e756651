package embedded

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// The limits of DynamoDB's transactions.
const (
	maxTransactItems = 100
	maxTransactBytes = 4 << 20
)

// TransactWriteItems is DynamoDB's TransactWriteItems. A repetition under the
// same ClientRequestToken within ten minutes changes nothing, also when the
// store was closed and opened in between.
func (db *DB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	writes, bytes, err := newTransactWrite(in)
	if err != nil {
		return nil, err
	}
	db.prepare(writes...)
	token := newToken(in)
	repeated := false
	err = db.write(ctx, bytes, func(tx *writeTx) ([]mutation, error) {
		var err error
		if repeated, err = token.seen(tx); repeated || err != nil {
			return nil, err
		}
		mutations, err := stageTransaction(tx, writes)
		if err != nil {
			return nil, err
		}
		return token.note(tx, mutations)
	})
	if err != nil {
		return nil, err
	}
	out := &dynamodb.TransactWriteItemsOutput{}
	if repeated {
		return out, nil
	}
	charged := make(map[string]*units)
	for _, w := range writes {
		addCharge(charged, w, 2)
	}
	out.ConsumedCapacity = reportAll(charged, in.ReturnConsumedCapacity, capacityWrite)
	out.ItemCollectionMetrics, err = db.collections(ctx, in.ReturnItemCollectionMetrics, writes...)
	return out, err
}

func newTransactWrite(in *dynamodb.TransactWriteItemsInput) (writes []*writing, bytes int, err error) {
	var c constraints
	c.transactItems(in.TransactItems != nil, len(in.TransactItems))
	c.consumedCapacity(in.ReturnConsumedCapacity)
	enum(&c, in.ReturnItemCollectionMetrics, "returnItemCollectionMetrics", returnMetrics)
	if token := aws.ToString(in.ClientRequestToken); len(token) > maxToken {
		c.check(false, token, "clientRequestToken", "Member must have length less than or equal to 36")
	}
	if err := c.err(); err != nil {
		return nil, 0, err
	}
	for i := range in.TransactItems {
		w, err := newAction(&in.TransactItems[i])
		if err != nil {
			return nil, 0, err
		}
		bytes += codec.SizeOf(w.key)
		writes = append(writes, w)
	}
	if bytes > maxTransactBytes {
		return nil, 0, invalidf("Total size of items in the transaction exceeds 4 MB")
	}
	return writes, bytes, nil
}

func (c *constraints) transactItems(present bool, count int) {
	c.present(present, "transactItems")
	c.check(!present || count >= 1, "[]", "transactItems", "Member must have length greater than or equal to 1")
	c.check(count <= maxTransactItems, "[...]", "transactItems", "Member must have length less than or equal to 100")
}

// newAction parses one action of a transaction.
func newAction(item *types.TransactWriteItem) (*writing, error) {
	kinds := 0
	for _, is := range []bool{item.ConditionCheck != nil, item.Put != nil, item.Delete != nil, item.Update != nil} {
		if is {
			kinds++
		}
	}
	if kinds != 1 {
		return nil, invalidf("TransactItems can only contain one of Check, Put, Update or Delete")
	}
	switch {
	case item.Put != nil:
		return newTransactPut(item.Put)
	case item.Update != nil:
		return newTransactUpdate(item.Update)
	case item.Delete != nil:
		return newTransactDelete(item.Delete)
	}
	return newTransactCheck(item.ConditionCheck)
}

func newTransactPut(put *types.Put) (*writing, error) {
	var c constraints
	c.tableName(put.TableName)
	c.present(put.Item != nil, "item")
	e := conditional(put.ExpressionAttributeNames, put.ExpressionAttributeValues, put.ConditionExpression)
	return parseWrite(&c, &e, put.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*writing, error) {
		return newPut(*put.TableName, put.Item, scope, put.ConditionExpression)
	})
}

func newTransactUpdate(update *types.Update) (*writing, error) {
	var c constraints
	c.tableName(update.TableName)
	c.present(update.Key != nil, "key")
	c.present(update.UpdateExpression != nil, "updateExpression")
	e := updating(update.ExpressionAttributeNames, update.ExpressionAttributeValues, update.UpdateExpression, update.ConditionExpression)
	return parseWrite(&c, &e, update.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*writing, error) {
		return newUpdate(*update.TableName, update.Key, scope, update.ConditionExpression, update.UpdateExpression)
	})
}

func newTransactDelete(del *types.Delete) (*writing, error) {
	var c constraints
	c.tableName(del.TableName)
	c.present(del.Key != nil, "key")
	e := conditional(del.ExpressionAttributeNames, del.ExpressionAttributeValues, del.ConditionExpression)
	return parseWrite(&c, &e, del.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*writing, error) {
		return newDelete(*del.TableName, del.Key, scope, del.ConditionExpression)
	})
}

func newTransactCheck(check *types.ConditionCheck) (*writing, error) {
	var c constraints
	c.tableName(check.TableName)
	c.present(check.Key != nil, "key")
	c.present(check.ConditionExpression != nil, "conditionExpression")
	e := conditional(check.ExpressionAttributeNames, check.ExpressionAttributeValues, check.ConditionExpression)
	return parseWrite(&c, &e, check.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*writing, error) {
		return newCheck(*check.TableName, check.Key, scope, check.ConditionExpression)
	})
}

// stageTransaction stages all writes or refuses all, with a reason for each.
func stageTransaction(tx *writeTx, writes []*writing) ([]mutation, error) {
	seen := make(map[string]bool, len(writes))
	refused := newRefusals(len(writes))
	for i, w := range writes {
		if err := w.locate(tx); err != nil {
			if err = refused.add(i, err); err != nil {
				return nil, err
			}
			continue
		}
		place := w.table + "\x00" + string(w.stored)
		if seen[place] {
			return nil, errTwice()
		}
		seen[place] = true
	}
	var mutations []mutation
	for i, w := range writes {
		if w.stored == nil {
			continue
		}
		staged, err := w.stageLocated(tx, mutations)
		if err == nil {
			mutations = staged
		} else if err = refused.add(i, err); err != nil {
			return nil, err
		}
	}
	return mutations, refused.err()
}

func errTwice() error {
	return invalidf("Transaction request cannot include multiple operations on one item")
}

// refusals collects why actions of a transaction are refused.
type refusals struct {
	reasons []types.CancellationReason
	any     bool
}

func newRefusals(actions int) *refusals {
	r := &refusals{reasons: make([]types.CancellationReason, actions)}
	for i := range r.reasons {
		r.reasons[i].Code = aws.String("None")
	}
	return r
}

// add notes why an action is refused. An error that is not about the action is
// returned: it is that of the whole transaction.
func (r *refusals) add(action int, err error) error {
	reason := &r.reasons[action]
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		*reason = types.CancellationReason{Code: aws.String("ConditionalCheckFailed"), Message: failed.Message, Item: failed.Item}
	} else if refused, ok := isInvalid(err); ok {
		*reason = types.CancellationReason{Code: aws.String("ValidationError"), Message: &refused.Message}
	} else {
		return err
	}
	r.any = true
	return nil
}

// err is what cancels the transaction, nil if no action was refused.
func (r *refusals) err() error {
	if !r.any {
		return nil
	}
	codes := make([]string, len(r.reasons))
	for i, reason := range r.reasons {
		codes[i] = *reason.Code
	}
	message := "Transaction cancelled, please refer cancellation reasons for specific reasons [" + strings.Join(codes, ", ") + "]"
	return &types.TransactionCanceledException{Message: &message, CancellationReasons: r.reasons}
}
