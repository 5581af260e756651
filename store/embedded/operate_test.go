package embedded_test

import (
	"context"
	"errors"
	"maps"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ask asks an engine a question, page by page to the end.
func ask(ctx context.Context, db client, q question) ([]item, error) {
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
		in.ExpressionAttributeValues[":least"] = n(q.least)
	case q.beginning != "":
		expression += " AND begins_with(SK, :beginning)"
		in.ExpressionAttributeValues[":beginning"] = s(q.beginning)
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

// write makes changes, several as a transaction, and tells which were refused.
func write(ctx context.Context, db client, changes []change) (refused []bool, err error) {
	refused = make([]bool, len(changes))
	if len(changes) == 1 {
		err := writeAlone(ctx, db, changes[0])
		var failed *types.ConditionalCheckFailedException
		if errors.As(err, &failed) {
			refused[0], err = true, nil
		}
		return refused, err
	}
	actions := make([]types.TransactWriteItem, len(changes))
	for i, c := range changes {
		actions[i] = c.action()
	}
	_, err = db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: actions})
	var cancelled *types.TransactionCanceledException
	if !errors.As(err, &cancelled) {
		return refused, err
	}
	for i, reason := range cancelled.CancellationReasons {
		refused[i] = aws.ToString(reason.Code) == "ConditionalCheckFailed"
	}
	return refused, nil
}

// expression is the condition of a change, and what its placeholders stand for
// in condition and update.
func (c *change) expression() (condition *string, names map[string]string, values item) {
	all := c.update
	values = maps.Clone(c.values)
	if c.only != nil {
		condition = &c.only.expression
		all += *condition
		if values == nil {
			values = item{}
		}
		maps.Copy(values, c.only.values)
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
	case putting:
		_, err = db.PutItem(ctx, &dynamodb.PutItemInput{
			TableName: aws.String(shop), Item: c.put, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		})
	case deleting:
		_, err = db.DeleteItem(ctx, &dynamodb.DeleteItemInput{
			TableName: aws.String(shop), Key: c.key, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		})
	case updating:
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
	case putting:
		return types.TransactWriteItem{Put: &types.Put{
			TableName: table, Item: c.put, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		}}
	case deleting:
		return types.TransactWriteItem{Delete: &types.Delete{
			TableName: table, Key: c.key, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		}}
	case updating:
		return types.TransactWriteItem{Update: &types.Update{
			TableName: table, Key: c.key, UpdateExpression: &c.update,
			ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
		}}
	}
	return types.TransactWriteItem{ConditionCheck: &types.ConditionCheck{
		TableName: table, Key: c.key, ConditionExpression: condition, ExpressionAttributeNames: names, ExpressionAttributeValues: values,
	}}
}
