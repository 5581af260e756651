package wire

import (
	"context"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Secrets tells which items are withheld from clients.
type Secrets struct {
	TypeAttribute string                                          // the attribute with an item's type
	Types         []string                                        // the types of the items
	IsSecret      func(item map[string]types.AttributeValue) bool // by the primary key
}

// withholding is an engine without its secret items. It refuses requests for their
// keys, also writes, because conditions and returned values reveal attributes.
// Queries and scans leave them out by a filter, which also holds for counts and for
// projections.
type withholding struct {
	Engine
	secrets Secrets
}

var errWithheld = &serviceError{code: "AccessDeniedException", message: "Items with passwords, sessions and keys cannot be accessed here."}

func (w withholding) check(keys ...map[string]types.AttributeValue) error {
	for _, key := range keys {
		if key != nil && w.secrets.IsSecret(key) {
			return errWithheld
		}
	}
	return nil
}

// filter adds the condition that an item is not secret to a filter expression.
func (w withholding) filter(expression **string, names *map[string]string, values *map[string]types.AttributeValue) {
	const name, value = "#stockroomType", ":stockroomType"
	copied := map[string]string{name: w.secrets.TypeAttribute}
	for n, attribute := range *names {
		copied[n] = attribute
	}
	given := map[string]types.AttributeValue{}
	for n, v := range *values {
		given[n] = v
	}
	list := make([]string, len(w.secrets.Types))
	for i, t := range w.secrets.Types {
		list[i] = fmt.Sprint(value, i)
		given[list[i]] = &types.AttributeValueMemberS{Value: t}
	}
	condition := "NOT (" + name + " IN (" + strings.Join(list, ", ") + "))"
	if filter := aws.ToString(*expression); filter != "" {
		condition = "(" + filter + ") AND " + condition
	}
	*expression, *names, *values = &condition, copied, given
}

func (w withholding) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	w.filter(&in.FilterExpression, &in.ExpressionAttributeNames, &in.ExpressionAttributeValues)
	return w.Engine.Query(ctx, in, options...)
}

func (w withholding) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	w.filter(&in.FilterExpression, &in.ExpressionAttributeNames, &in.ExpressionAttributeValues)
	return w.Engine.Scan(ctx, in, options...)
}

func (w withholding) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if err := w.check(in.Key); err != nil {
		return nil, err
	}
	return w.Engine.GetItem(ctx, in, options...)
}

func (w withholding) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	if err := w.check(in.Item); err != nil {
		return nil, err
	}
	return w.Engine.PutItem(ctx, in, options...)
}

func (w withholding) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if err := w.check(in.Key); err != nil {
		return nil, err
	}
	return w.Engine.UpdateItem(ctx, in, options...)
}

func (w withholding) DeleteItem(ctx context.Context, in *dynamodb.DeleteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	if err := w.check(in.Key); err != nil {
		return nil, err
	}
	return w.Engine.DeleteItem(ctx, in, options...)
}

func (w withholding) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	for _, request := range in.RequestItems {
		if err := w.check(request.Keys...); err != nil {
			return nil, err
		}
	}
	return w.Engine.BatchGetItem(ctx, in, options...)
}

func (w withholding) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	for _, requests := range in.RequestItems {
		for _, request := range requests {
			if request.PutRequest != nil && w.check(request.PutRequest.Item) != nil || request.DeleteRequest != nil && w.check(request.DeleteRequest.Key) != nil {
				return nil, errWithheld
			}
		}
	}
	return w.Engine.BatchWriteItem(ctx, in, options...)
}

func (w withholding) TransactGetItems(ctx context.Context, in *dynamodb.TransactGetItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error) {
	for _, item := range in.TransactItems {
		if item.Get != nil && w.check(item.Get.Key) != nil {
			return nil, errWithheld
		}
	}
	return w.Engine.TransactGetItems(ctx, in, options...)
}

func (w withholding) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	for _, item := range in.TransactItems {
		var keys []map[string]types.AttributeValue
		if item.Put != nil {
			keys = append(keys, item.Put.Item)
		}
		if item.Update != nil {
			keys = append(keys, item.Update.Key)
		}
		if item.Delete != nil {
			keys = append(keys, item.Delete.Key)
		}
		if item.ConditionCheck != nil {
			keys = append(keys, item.ConditionCheck.Key)
		}
		if err := w.check(keys...); err != nil {
			return nil, err
		}
	}
	return w.Engine.TransactWriteItems(ctx, in, options...)
}
