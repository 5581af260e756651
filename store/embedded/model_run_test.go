package embedded_test

import (
	"context"
	"errors"
	"maps"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// runQuery runs a query on an engine. It returns the items of all pages.
func runQuery(ctx context.Context, db client, q modelQuery) ([]item, error) {
	in := &dynamodb.QueryInput{
		TableName: aws.String(shop), Limit: aws.Int32(int32(q.limit)), ScanIndexForward: aws.Bool(!q.backward),
		ExpressionAttributeValues: item{":p": s(q.partition)},
	}
	expression := "PK = :p"
	if q.index != "" {
		in.IndexName = &q.index
	}
	if q.index == "ByStatus" || q.index == "ByTotal" {
		expression = "#s = :p"
	}
	switch {
	case q.index == "ByTotal" || q.index == "Dearest":
		expression += " AND #t >= :least"
		in.ExpressionAttributeValues[":least"] = n(q.minimum)
	case q.prefix != "":
		expression += " AND begins_with(SK, :beginning)"
		in.ExpressionAttributeValues[":beginning"] = s(q.prefix)
	case q.to != "":
		expression += " AND SK BETWEEN :from AND :to"
		in.ExpressionAttributeValues[":from"], in.ExpressionAttributeValues[":to"] = s(q.from), s(q.to)
	}
	in.KeyConditionExpression, in.ExpressionAttributeNames = &expression, namesIn(expression)
	var found []item
	for {
		out, err := db.Query(ctx, in)
		if err != nil {
			return nil, err
		}
		found = append(found, out.Items...)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return found, nil
		}
	}
}

// write makes the changes, in one transaction if there are several. It returns which
// conditions failed.
func write(ctx context.Context, db client, changes []change) (failed []bool, err error) {
	failed = make([]bool, len(changes))
	if len(changes) == 1 {
		err := writeAlone(ctx, db, changes[0])
		var conditionFailed *types.ConditionalCheckFailedException
		if errors.As(err, &conditionFailed) {
			failed[0], err = true, nil
		}
		return failed, err
	}
	actions := make([]types.TransactWriteItem, len(changes))
	for i, c := range changes {
		actions[i] = c.action()
	}
	_, err = db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return failed, err
	}
	for i, reason := range cancelled.CancellationReasons {
		failed[i] = aws.ToString(reason.Code) == "ConditionalCheckFailed"
	}
	return failed, nil
}

// expression returns the condition of a change, and the names and values for both
// the condition and the update.
func (c *change) expression() (condition *string, names map[string]string, values item) {
	all := c.update
	values = maps.Clone(c.values)
	if c.condition != nil {
		condition = &c.condition.expression
		all += *condition
		if values == nil {
			values = item{}
		}
		maps.Copy(values, c.condition.values)
	}
	if len(values) == 0 {
		values = nil
	}
	return condition, namesIn(all), values
}

func writeAlone(ctx context.Context, db client, c change) error {
	condition, names, values := c.expression()
	var err error
	switch c.kind {
	case putChange:
		_, err = db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: aws.String(shop), Item: c.put, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		})
	case deleteChange:
		_, err = db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: aws.String(shop), Key: c.key, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		})
	case updateChange:
		_, err = db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
			TableName: aws.String(shop), Key: c.key, UpdateExpression: &c.update,
			ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		})
	}
	return err
}

func (c *change) action() types.TransactWriteItem {
	condition, names, values := c.expression()
	table := aws.String(shop)
	switch c.kind {
	case putChange:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: table, Item: c.put, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		}}
	case deleteChange:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: table, Key: c.key, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		}}
	case updateChange:
		return types.TransactWriteItem{Update: &types.Update{
			TableName: table, Key: c.key, UpdateExpression: &c.update,
			ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		}}
	}
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: table, Key: c.key, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}}
}
