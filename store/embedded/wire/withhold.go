package wire

import (
	"context"
	"reflect"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Secrets describes the items that clients must not see.
type Secrets struct {
	Table    string                                          // the table that contains the items
	IsSecret func(item map[string]types.AttributeValue) bool // whether the item with this primary key is secret
}

// withholding is an engine that rejects reads and writes of secret items. It rejects writes
// because their conditions and returned values could reveal attributes. It also rejects
// changes of the table with secret items, because a new index could reveal them.
type withholding struct {
	Engine
	secrets Secrets
}

var errWithheld = &serviceError{code: "AccessDeniedException", message: "Items with passwords, sessions or keys cannot be accessed through this API."}

var errWithheldTable = &serviceError{code: "AccessDeniedException", message: "Stockroom's table cannot be deleted through this API, and its tags and settings, except the stream, cannot be changed."}

func (w withholding) check(keys ...map[string]types.AttributeValue) error {
	for _, key := range keys {
		if key != nil && w.secrets.IsSecret(key) {
			return errWithheld
		}
	}
	return nil
}

func (w withholding) checkTable(name *string) error {
	if aws.ToString(name) == w.secrets.Table {
		return errWithheldTable
	}
	return nil
}

// checkARN is like checkTable for the ARN of a table.
func (w withholding) checkARN(arn *string) error {
	if strings.HasSuffix(aws.ToString(arn), "/"+w.secrets.Table) {
		return errWithheldTable
	}
	return nil
}

// UpdateTable rejects changes of the table with secret items. It accepts changes of the
// table's stream, because the engine hides secret items there.
func (w withholding) UpdateTable(ctx context.Context, in *dynamodb.UpdateTableInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error) {
	onlyStream := dynamodb.UpdateTableInput{TableName: in.TableName, StreamSpecification: in.StreamSpecification}
	if in.StreamSpecification == nil || !reflect.DeepEqual(*in, onlyStream) {
		if err := w.checkTable(in.TableName); err != nil {
			return nil, err
		}
	}
	return w.Engine.UpdateTable(ctx, in, options...)
}

func (w withholding) DeleteTable(ctx context.Context, in *dynamodb.DeleteTableInput, options ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error) {
	if err := w.checkTable(in.TableName); err != nil {
		return nil, err
	}
	return w.Engine.DeleteTable(ctx, in, options...)
}

func (w withholding) UpdateTimeToLive(ctx context.Context, in *dynamodb.UpdateTimeToLiveInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error) {
	if err := w.checkTable(in.TableName); err != nil {
		return nil, err
	}
	return w.Engine.UpdateTimeToLive(ctx, in, options...)
}

func (w withholding) TagResource(ctx context.Context, in *dynamodb.TagResourceInput, options ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error) {
	if err := w.checkARN(in.ResourceArn); err != nil {
		return nil, err
	}
	return w.Engine.TagResource(ctx, in, options...)
}

func (w withholding) UntagResource(ctx context.Context, in *dynamodb.UntagResourceInput, options ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error) {
	if err := w.checkARN(in.ResourceArn); err != nil {
		return nil, err
	}
	return w.Engine.UntagResource(ctx, in, options...)
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
