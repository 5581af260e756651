package embedded

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/codec"
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
	return out, nil
}

func newTransactWrite(in *dynamodb.TransactWriteItemsInput) (writes []*writing, bytes int, err error) {
	var c constraints
	c.transactItems(in.TransactItems != nil, len(in.TransactItems))
	c.consumedCapacity(in.ReturnConsumedCapacity)
	enum(&c, in.ReturnItemCollectionMetrics, "returnItemCollectionMetrics")
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
	if err := c.err(); err != nil {
		return nil, err
	}
	scope, err := scopeOf(put.ExpressionAttributeNames, put.ExpressionAttributeValues, put.ConditionExpression)
	if err != nil {
		return nil, err
	}
	w, err := newPut(*put.TableName, put.Item, scope, put.ConditionExpression)
	if err != nil {
		return nil, err
	}
	w.onFailure = put.ReturnValuesOnConditionCheckFailure
	return w, unused(scope)
}

func newTransactUpdate(update *types.Update) (*writing, error) {
	var c constraints
	c.tableName(update.TableName)
	c.present(update.Key != nil, "key")
	c.present(update.UpdateExpression != nil, "updateExpression")
	if err := c.err(); err != nil {
		return nil, err
	}
	scope, err := scopeOf(update.ExpressionAttributeNames, update.ExpressionAttributeValues, update.UpdateExpression)
	if err != nil {
		return nil, err
	}
	w, _, err := newUpdate(*update.TableName, update.Key, scope, update.ConditionExpression, update.UpdateExpression)
	if err != nil {
		return nil, err
	}
	w.onFailure = update.ReturnValuesOnConditionCheckFailure
	return w, unused(scope)
}

func newTransactDelete(del *types.Delete) (*writing, error) {
	var c constraints
	c.tableName(del.TableName)
	c.present(del.Key != nil, "key")
	if err := c.err(); err != nil {
		return nil, err
	}
	scope, err := scopeOf(del.ExpressionAttributeNames, del.ExpressionAttributeValues, del.ConditionExpression)
	if err != nil {
		return nil, err
	}
	w, err := newDelete(*del.TableName, del.Key, scope, del.ConditionExpression)
	if err != nil {
		return nil, err
	}
	w.onFailure = del.ReturnValuesOnConditionCheckFailure
	return w, unused(scope)
}

func newTransactCheck(check *types.ConditionCheck) (*writing, error) {
	var c constraints
	c.tableName(check.TableName)
	c.present(check.Key != nil, "key")
	c.present(check.ConditionExpression != nil, "conditionExpression")
	if err := c.err(); err != nil {
		return nil, err
	}
	scope, err := scopeOf(check.ExpressionAttributeNames, check.ExpressionAttributeValues, check.ConditionExpression)
	if err != nil {
		return nil, err
	}
	w, err := newCheck(*check.TableName, check.Key, scope, check.ConditionExpression)
	if err != nil {
		return nil, err
	}
	w.onFailure = check.ReturnValuesOnConditionCheckFailure
	return w, unused(scope)
}

// stageTransaction stages all writes or refuses all, with a reason for each.
func stageTransaction(tx *writeTx, writes []*writing) ([]mutation, error) {
	reasons := make([]types.CancellationReason, len(writes))
	cancelled := false
	refuse := func(i int, err error) error {
		reason, ok := cancellationReason(err)
		if !ok {
			return err
		}
		reasons[i] = reason
		cancelled = true
		return nil
	}
	seen := make(map[string]bool, len(writes))
	for i, w := range writes {
		reasons[i].Code = aws.String("None")
		if err := w.locate(tx); err != nil {
			if err = refuse(i, err); err != nil {
				return nil, err
			}
			continue
		}
		place := w.table + "\x00" + string(w.stored)
		if seen[place] {
			return nil, invalidf("Transaction request cannot include multiple operations on one item")
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
		} else if err = refuse(i, err); err != nil {
			return nil, err
		}
	}
	if cancelled {
		return nil, cancelledBecause(reasons)
	}
	return mutations, nil
}

// cancellationReason turns the refusal of an action into its reason; other
// errors are not about one action.
func cancellationReason(err error) (types.CancellationReason, bool) {
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return types.CancellationReason{Code: aws.String("ConditionalCheckFailed"), Message: failed.Message, Item: failed.Item}, true
	}
	if refused, ok := isInvalid(err); ok {
		return types.CancellationReason{Code: aws.String("ValidationError"), Message: &refused.Message}, true
	}
	return types.CancellationReason{}, false
}

func cancelledBecause(reasons []types.CancellationReason) error {
	codes := make([]string, len(reasons))
	for i, reason := range reasons {
		codes[i] = *reason.Code
	}
	message := "Transaction cancelled, please refer cancellation reasons for specific reasons [" + strings.Join(codes, ", ") + "]"
	return &types.TransactionCanceledException{Message: &message, CancellationReasons: reasons}
}

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
	shape, err := projected(get.ExpressionAttributeNames, get.ProjectionExpression)
	if err != nil {
		return nil, "", err
	}
	getting, err := newGetting(get.Key, shape)
	return getting, *get.TableName, err
}

// fetchTogether reads items of one moment; tables is filled in.
func fetchTogether(r *readTx, names []string, gets []*getting, tables []*table) error {
	seen := make(map[string]bool, len(gets))
	bytes := 0
	for i, get := range gets {
		var err error
		if tables[i], err = r.catalog.table(names[i]); err != nil {
			return err
		}
		if err := get.locate(tables[i]); err != nil {
			return err
		}
		place := names[i] + "\x00" + string(get.stored)
		if seen[place] {
			return invalidf("Transaction request cannot include multiple operations on one item")
		}
		seen[place] = true
		if err := get.fetch(r, tables[i]); err != nil {
			return err
		}
		if bytes += get.size; bytes > maxTransactBytes {
			return invalidf("Total size of items in the transaction exceeds 4 MB")
		}
	}
	return nil
}
