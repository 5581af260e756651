package wire

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store/embedded/stream"
)

// Engine is the database that a handler serves. Its methods return the SDK's errors. They
// have the signatures of *dynamodb.Client, except the methods for streams.
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

	TagResource(context.Context, *dynamodb.TagResourceInput, ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error)
	UntagResource(context.Context, *dynamodb.UntagResourceInput, ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error)
	ListTagsOfResource(context.Context, *dynamodb.ListTagsOfResourceInput, ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error)

	ListStreams(context.Context, *stream.ListStreamsInput) (*stream.ListStreamsOutput, error)
	DescribeStream(context.Context, *stream.DescribeStreamInput) (*stream.DescribeStreamOutput, error)
	GetShardIterator(context.Context, *stream.GetShardIteratorInput) (*stream.GetShardIteratorOutput, error)
	GetRecords(context.Context, *stream.GetRecordsInput) (*stream.GetRecordsOutput, error)
}

// operation handles a request body and returns the response body.
type operation func(ctx context.Context, body []byte) ([]byte, error)

// operations returns the supported operations by target. A target is the version of the API
// and the name of an operation. The operations of PartiQL and backups are not supported.
func operations(engine Engine) map[string]operation {
	byTarget := make(map[string]operation)
	for name, run := range map[string]operation{
		"CreateTable":        adapt(engine.CreateTable),
		"DescribeTable":      adapt(engine.DescribeTable),
		"ListTables":         adapt(engine.ListTables),
		"DeleteTable":        adapt(engine.DeleteTable),
		"UpdateTable":        adapt(engine.UpdateTable),
		"GetItem":            adapt(engine.GetItem),
		"PutItem":            adapt(engine.PutItem),
		"UpdateItem":         adapt(engine.UpdateItem),
		"DeleteItem":         adapt(engine.DeleteItem),
		"Query":              adapt(engine.Query),
		"Scan":               adapt(engine.Scan),
		"BatchGetItem":       adapt(engine.BatchGetItem),
		"BatchWriteItem":     adapt(engine.BatchWriteItem),
		"TransactGetItems":   adapt(engine.TransactGetItems),
		"TransactWriteItems": adapt(engine.TransactWriteItems),
		"UpdateTimeToLive":   adapt(engine.UpdateTimeToLive),
		"DescribeTimeToLive": adapt(engine.DescribeTimeToLive),
		"TagResource":        adapt(engine.TagResource),
		"UntagResource":      adapt(engine.UntagResource),
		"ListTagsOfResource": adapt(engine.ListTagsOfResource),
	} {
		byTarget[targetPrefix+name] = run
	}
	for name, run := range map[string]operation{
		"ListStreams":      adaptStream(engine.ListStreams),
		"DescribeStream":   adaptStream(engine.DescribeStream),
		"GetShardIterator": adaptStream(engine.GetShardIterator),
		"GetRecords":       adaptStream(engine.GetRecords),
	} {
		byTarget[streamTargetPrefix+name] = run
	}
	return byTarget
}

// adapt converts a method of an engine to an operation.
func adapt[I, O any](call func(context.Context, *I, ...func(*dynamodb.Options)) (*O, error)) operation {
	return adaptStream(func(ctx context.Context, input *I) (*O, error) { return call(ctx, input) })
}

// adaptStream is like adapt for the operations of streams.
func adaptStream[I, O any](call func(context.Context, *I) (*O, error)) operation {
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
