package wire

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Engine is what serves the operations: methods of *dynamodb.Client with their
// own types. Their errors are the SDK's.
type Engine interface {
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	ListTables(context.Context, *dynamodb.ListTablesInput, ...func(*dynamodb.Options)) (*dynamodb.ListTablesOutput, error)
	DeleteTable(context.Context, *dynamodb.DeleteTableInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error)
	UpdateTable(context.Context, *dynamodb.UpdateTableInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error)

	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)

	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	TransactGetItems(context.Context, *dynamodb.TransactGetItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)

	UpdateTimeToLive(context.Context, *dynamodb.UpdateTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error)
	DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error)
}

// operation serves one request body and returns the body of the answer.
type operation func(ctx context.Context, body []byte) ([]byte, error)

// operations is the list of what is served, by name. Everything else that
// DynamoDB has, such as PartiQL, streams and backups, is unknown here.
func operations(engine Engine) map[string]operation {
	return map[string]operation{
		"CreateTable":        serving(engine.CreateTable),
		"DescribeTable":      serving(engine.DescribeTable),
		"ListTables":         serving(engine.ListTables),
		"DeleteTable":        serving(engine.DeleteTable),
		"UpdateTable":        serving(engine.UpdateTable),
		"GetItem":            serving(engine.GetItem),
		"PutItem":            serving(engine.PutItem),
		"UpdateItem":         serving(engine.UpdateItem),
		"DeleteItem":         serving(engine.DeleteItem),
		"Query":              serving(engine.Query),
		"Scan":               serving(engine.Scan),
		"BatchGetItem":       serving(engine.BatchGetItem),
		"BatchWriteItem":     serving(engine.BatchWriteItem),
		"TransactGetItems":   serving(engine.TransactGetItems),
		"TransactWriteItems": serving(engine.TransactWriteItems),
		"UpdateTimeToLive":   serving(engine.UpdateTimeToLive),
		"DescribeTimeToLive": serving(engine.DescribeTimeToLive),
	}
}

// serving makes an operation of a method: it reads the input, calls the method
// and writes the output.
func serving[I, O any](call func(context.Context, *I, ...func(*dynamodb.Options)) (*O, error)) operation {
	return func(ctx context.Context, body []byte) ([]byte, error) {
		input := new(I)
		if err := decode(body, input); err != nil {
			return nil, err
		}
		output, err := call(ctx, input)
		if err != nil {
			return nil, err
		}
		return encode(output), nil
	}
}
