package embedded

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// Limits of transactions, in items and bytes. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
const (
	maxTransactItems = 100
	maxTransactBytes = 4 << 20
)

// TransactWriteItems commits a transaction. Repeating it with the same
// ClientRequestToken within ten minutes has no effect, even if the store was reopened
// in between.
func (db *DB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, _ ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	writes, bytes, err := newTransactWrite(in)
	if err != nil {
		return nil, err
	}
	db.prepare(writes...)
	token := newToken(in)
	replayed := false
	err = db.write(ctx, bytes, func(tx *writeTx) ([]mutation, error) {
		var err error
		if replayed, err = token.alreadyApplied(tx); err != nil {
			return nil, err
		}
		if replayed {
			return nil, stageReplay(tx, writes)
		}
		mutations, err := stageTransaction(tx, writes)
		if err != nil {
			return nil, err
		}
		return token.record(tx, mutations)
	})
	if err != nil {
		return nil, err
	}
	out := &dynamodb.TransactWriteItemsOutput{}
	consumed := make(map[string]*units)
	for _, w := range writes {
		addConsumed(consumed, w, 2)
	}
	if replayed {
		out.ConsumedCapacity = reportAll(consumed, in.ReturnConsumedCapacity, capacityRead)
		return out, nil
	}
	out.ConsumedCapacity = reportAll(consumed, in.ReturnConsumedCapacity, capacityWrite)
	out.ItemCollectionMetrics = db.collections(ctx, in.ReturnItemCollectionMetrics, writes...)
	return out, nil
}

// TransactLarge commits a transaction of an import. Unlike TransactWriteItems, it accepts
// any number of actions, and no ClientRequestToken. Larger transactions take less time per
// item, but block other writers for longer.
func (db *DB) TransactLarge(ctx context.Context, items []types.TransactWriteItem) error {
	writes, bytes, err := newActions(items)
	if err != nil {
		return err
	}
	db.prepare(writes...)
	return db.submit(ctx, &request{
		stage: func(tx *writeTx) ([]mutation, error) { return stageTransaction(tx, writes) },
		bulk:  true,
		bytes: bytes,
		done:  make(chan error, 1),
	})
}

func newTransactWrite(in *dynamodb.TransactWriteItemsInput) (writes []*itemWrite, bytes int, err error) {
	var c constraints
	c.transactItems(in.TransactItems != nil, len(in.TransactItems))
	c.consumedCapacity(in.ReturnConsumedCapacity)
	enum(&c, in.ReturnItemCollectionMetrics, "returnItemCollectionMetrics", returnMetrics)
	if token := aws.ToString(in.ClientRequestToken); len(token) > maxTokenLen {
		c.check(false, token, "clientRequestToken", "Member must have length less than or equal to 36")
	}
	if err := c.err(); err != nil {
		return nil, 0, err
	}
	writes, bytes, err = newActions(in.TransactItems)
	if err == nil && bytes > maxTransactBytes {
		err = invalidf("Total size of items in the transaction exceeds 4 MB")
	}
	return writes, bytes, err
}

func newActions(items []types.TransactWriteItem) (writes []*itemWrite, bytes int, err error) {
	writes = make([]*itemWrite, len(items))
	var known knownCondition
	for i := range items {
		if writes[i], err = newAction(&items[i], &known); err != nil {
			return nil, 0, err
		}
		bytes += codec.SizeOf(writes[i].key)
	}
	return writes, bytes, nil
}

func (c *constraints) transactItems(set bool, count int) {
	c.notNull(set, "transactItems")
	c.check(!set || count >= 1, "[]", "transactItems", "Member must have length greater than or equal to 1")
	c.check(count <= maxTransactItems, "[...]", "transactItems", "Member must have length less than or equal to 100")
}

// knownCondition is a condition without values that was parsed for an earlier action.
// Keeping it saves time in imports, where most actions have the same condition.
type knownCondition struct {
	source string
	names  map[string]string
	parsed *expr.Condition // nil if there is none
}

// of returns the parsed condition if the action has the same one, or nil.
func (k *knownCondition) of(source *string, names map[string]string, values Item) *expr.Condition {
	if k.parsed == nil || source == nil || values != nil || *source != k.source || !maps.Equal(names, k.names) {
		return nil
	}
	return k.parsed
}

// learn keeps the parsed condition of an action. It ignores conditions with values.
func (k *knownCondition) learn(w *itemWrite, source *string, names map[string]string, values Item) {
	if w.condition != nil && values == nil {
		*k = knownCondition{*source, names, w.condition}
	}
}

func newAction(item *types.TransactWriteItem, known *knownCondition) (*itemWrite, error) {
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
		return newTransactPut(item.Put, known)
	case item.Update != nil:
		return newTransactUpdate(item.Update)
	case item.Delete != nil:
		return newTransactDelete(item.Delete)
	}
	return newTransactCheck(item.ConditionCheck)
}

func newTransactPut(put *types.Put, known *knownCondition) (*itemWrite, error) {
	var c constraints
	c.tableName(put.TableName)
	c.notNull(put.Item != nil, "item")
	names, values := put.ExpressionAttributeNames, put.ExpressionAttributeValues
	if condition := known.of(put.ConditionExpression, names, values); condition != nil && c.err() == nil {
		w, err := newPut(*put.TableName, put.Item, nil, nil)
		if err == nil {
			w.condition, w.onFailure = condition, put.ReturnValuesOnConditionCheckFailure
		}
		return w, err
	}
	e := conditionExpressions(names, values, put.ConditionExpression)
	w, err := parseWrite(&c, &e, put.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*itemWrite, error) {
		return newPut(*put.TableName, put.Item, scope, put.ConditionExpression)
	})
	if err == nil {
		known.learn(w, put.ConditionExpression, names, values)
	}
	return w, err
}

func newTransactUpdate(update *types.Update) (*itemWrite, error) {
	var c constraints
	c.tableName(update.TableName)
	c.notNull(update.Key != nil, "key")
	c.notNull(update.UpdateExpression != nil, "updateExpression")
	e := updateExpressions(update.ExpressionAttributeNames, update.ExpressionAttributeValues, update.UpdateExpression, update.ConditionExpression)
	return parseWrite(&c, &e, update.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*itemWrite, error) {
		return newUpdate(*update.TableName, update.Key, scope, update.ConditionExpression, update.UpdateExpression)
	})
}

func newTransactDelete(del *types.Delete) (*itemWrite, error) {
	var c constraints
	c.tableName(del.TableName)
	c.notNull(del.Key != nil, "key")
	e := conditionExpressions(del.ExpressionAttributeNames, del.ExpressionAttributeValues, del.ConditionExpression)
	return parseWrite(&c, &e, del.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*itemWrite, error) {
		return newDelete(*del.TableName, del.Key, scope, del.ConditionExpression)
	})
}

func newTransactCheck(check *types.ConditionCheck) (*itemWrite, error) {
	var c constraints
	c.tableName(check.TableName)
	c.notNull(check.Key != nil, "key")
	c.notNull(check.ConditionExpression != nil, "conditionExpression")
	e := conditionExpressions(check.ExpressionAttributeNames, check.ExpressionAttributeValues, check.ConditionExpression)
	return parseWrite(&c, &e, check.ReturnValuesOnConditionCheckFailure, func(scope *expr.Scope) (*itemWrite, error) {
		return newCheck(*check.TableName, check.Key, scope, check.ConditionExpression)
	})
}

// stageTransaction stages all writes. If a condition fails or an item is invalid, it
// returns a TransactionCanceledException with a reason for each action. It returns other
// errors, such as that of a missing table, unchanged.
func stageTransaction(tx *writeTx, writes []*itemWrite) ([]mutation, error) {
	seen := make(map[string]bool, len(writes))
	cancel := newCancellation(len(writes))
	for i, w := range writes {
		if err := w.locate(tx); err != nil {
			if err = cancel.add(i, err); err != nil {
				return nil, err
			}
			continue
		}
		id := w.table + "\x00" + string(w.tableKey)
		if seen[id] {
			return nil, errDuplicateItem()
		}
		seen[id] = true
	}
	var mutations []mutation
	for i, w := range writes {
		if w.tableKey == nil {
			continue
		}
		staged, err := w.stageLocated(tx, mutations)
		if err == nil {
			mutations = staged
		} else if err = cancel.add(i, err); err != nil {
			return nil, err
		}
	}
	return mutations, cancel.err()
}

// stageReplay computes the capacity that a repeated transaction consumes. DynamoDB charges
// for reading its items.
func stageReplay(tx *writeTx, writes []*itemWrite) error {
	for _, w := range writes {
		if err := w.locate(tx); err != nil {
			return err
		}
		t, err := tx.catalog.table(w.table)
		if err != nil {
			return err
		}
		body, _, err := tx.get(t.items, w.tableKey)
		if err != nil {
			return err
		}
		w.consumed = units{owner: t, table: readUnits(codec.SizeOfStored(body), true)}
	}
	return nil
}

func errDuplicateItem() error {
	return invalidf("Transaction request cannot include multiple operations on one item")
}

// cancellation collects the reasons why a transaction is cancelled.
type cancellation struct {
	reasons []types.CancellationReason
	any     bool
}

func newCancellation(actions int) *cancellation {
	r := &cancellation{reasons: make([]types.CancellationReason, actions)}
	for i := range r.reasons {
		r.reasons[i].Code = aws.String("None")
	}
	return r
}

// add records why an action failed. If the error makes the whole request fail, add returns
// the error.
func (r *cancellation) add(action int, err error) error {
	reason := &r.reasons[action]
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		*reason = types.CancellationReason{Code: aws.String("ConditionalCheckFailed"), Message: failed.Message, Item: failed.Item}
	} else if cancel, ok := isInvalid(err); ok {
		*reason = types.CancellationReason{Code: aws.String("ValidationError"), Message: &cancel.Message}
	} else {
		return err
	}
	r.any = true
	return nil
}

// err returns a TransactionCanceledException if any action failed, or nil.
func (r *cancellation) err() error {
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
