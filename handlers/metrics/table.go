package metrics

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"stockroom/store"
	"stockroom/store/row"
	"stockroom/store/table"
)

// Table returns a database that sends requests to db, and counts them by operation and
// outcome. It also measures their duration, and counts retries and consumed capacity.
func (m *Metrics) Table(db store.DB) store.DB {
	counted := &countedDB{DB: db, metrics: m}
	loader, loads := db.(table.BulkLoader)
	large, isLarge := db.(table.LargeTransactor)
	rows, readsRows := db.(table.RowReader)
	changes, countsChanges := db.(table.ChangeCounter)
	if !loads || !isLarge || !readsRows || !countsChanges { // Amazon DynamoDB, which has none of these operations
		return counted
	}
	return struct {
		*countedDB
		table.BulkLoader
		table.ChangeCounter
		countedLarge
		countedRows
	}{counted, loader, changes, countedLarge{large, m}, countedRows{rows, m}}
}

// countedRows counts reads that return rows of the embedded engine, together with reads
// that return items.
type countedRows struct {
	db      table.RowReader
	metrics *Metrics
}

func (r countedRows) QueryRows(ctx context.Context, in *dynamodb.QueryInput) (found []row.Row, out *dynamodb.QueryOutput, err error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	out, err = send(r.metrics, "Query", reads, func() (*dynamodb.QueryOutput, error) {
		found, out, err = r.db.QueryRows(ctx, &request)
		return out, err
	}, ofQuery)
	return found, out, err
}

func (r countedRows) GetRow(ctx context.Context, in *dynamodb.GetItemInput) (found row.Row, out *dynamodb.GetItemOutput, err error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	out, err = send(r.metrics, "GetItem", reads, func() (*dynamodb.GetItemOutput, error) {
		found, out, err = r.db.GetRow(ctx, &request)
		return out, err
	}, ofGetItem)
	return found, out, err
}

func (r countedRows) BatchGetRows(ctx context.Context, in *dynamodb.BatchGetItemInput) (found map[string][]row.Row, out *dynamodb.BatchGetItemOutput, err error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	out, err = send(r.metrics, "BatchGetItem", reads, func() (*dynamodb.BatchGetItemOutput, error) {
		found, out, err = r.db.BatchGetRows(ctx, &request)
		return out, err
	}, ofBatchGetItem)
	return found, out, err
}

func ofQuery(out *dynamodb.QueryOutput) response {
	return response{out.ResultMetadata, one(out.ConsumedCapacity)}
}

func ofGetItem(out *dynamodb.GetItemOutput) response {
	return response{out.ResultMetadata, one(out.ConsumedCapacity)}
}

func ofBatchGetItem(out *dynamodb.BatchGetItemOutput) response {
	return response{out.ResultMetadata, out.ConsumedCapacity}
}

// countedLarge counts large transactions of the embedded engine, together with other
// transactions.
type countedLarge struct {
	db      table.LargeTransactor
	metrics *Metrics
}

func (l countedLarge) TransactLarge(ctx context.Context, items []types.TransactWriteItem) error {
	_, err := send(l.metrics, "TransactWriteItems", writes,
		func() (*response, error) { return &response{}, l.db.TransactLarge(ctx, items) },
		func(none *response) response { return *none })
	return err
}

// countedDB counts the requests that read or write items.
type countedDB struct {
	store.DB
	metrics *Metrics
}

// withIndexes makes responses contain the consumed capacity of the table and of each
// index.
const withIndexes = types.ReturnConsumedCapacityIndexes

func (db *countedDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	return send(db.metrics, "GetItem", reads, func() (*dynamodb.GetItemOutput, error) { return db.DB.GetItem(ctx, &request, options...) }, ofGetItem)
}

func (db *countedDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	return send(db.metrics, "Query", reads, func() (*dynamodb.QueryOutput, error) { return db.DB.Query(ctx, &request, options...) }, ofQuery)
}

func (db *countedDB) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	return send(db.metrics, "Scan", reads, func() (*dynamodb.ScanOutput, error) { return db.DB.Scan(ctx, &request, options...) },
		func(out *dynamodb.ScanOutput) response {
			return response{out.ResultMetadata, one(out.ConsumedCapacity)}
		})
}

func (db *countedDB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	return send(db.metrics, "BatchGetItem", reads, func() (*dynamodb.BatchGetItemOutput, error) { return db.DB.BatchGetItem(ctx, &request, options...) }, ofBatchGetItem)
}

func (db *countedDB) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	return send(db.metrics, "BatchWriteItem", writes, func() (*dynamodb.BatchWriteItemOutput, error) { return db.DB.BatchWriteItem(ctx, &request, options...) },
		func(out *dynamodb.BatchWriteItemOutput) response {
			return response{out.ResultMetadata, out.ConsumedCapacity}
		})
}

func (db *countedDB) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	return send(db.metrics, "UpdateItem", writes, func() (*dynamodb.UpdateItemOutput, error) { return db.DB.UpdateItem(ctx, &request, options...) },
		func(out *dynamodb.UpdateItemOutput) response {
			return response{out.ResultMetadata, one(out.ConsumedCapacity)}
		})
}

func (db *countedDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	request := *in
	request.ReturnConsumedCapacity = withIndexes
	return send(db.metrics, "TransactWriteItems", writes, func() (*dynamodb.TransactWriteItemsOutput, error) {
		return db.DB.TransactWriteItems(ctx, &request, options...)
	},
		func(out *dynamodb.TransactWriteItemsOutput) response {
			return response{out.ResultMetadata, out.ConsumedCapacity}
		})
}

func one(c *types.ConsumedCapacity) []types.ConsumedCapacity {
	if c == nil {
		return nil
	}
	return []types.ConsumedCapacity{*c}
}

// Names of the metrics of consumed capacity.
const (
	reads  = `stockroom_table_read_units_total{index=%q}`
	writes = `stockroom_table_write_units_total{index=%q}`
)

// response contains the values of a response that metrics need.
type response struct {
	metadata middleware.Metadata
	capacity []types.ConsumedCapacity
}

// send sends a request to the table and counts it. The argument units is one of the
// constants reads and writes. After a success, send calls describe to get the consumed
// capacity.
func send[Out any](m *Metrics, operation, units string, request func() (*Out, error), describe func(*Out) response) (*Out, error) {
	began := time.Now()
	out, err := request()
	m.count(`stockroom_table_requests_total{operation=%q,outcome=%q}`, operation, outcome(err)).Inc()
	m.observe("stockroom_table_request_duration_seconds", "operation", operation, time.Since(began))
	if err != nil {
		return out, err
	}
	r := describe(out)
	if tries, ok := retry.GetAttemptResults(r.metadata); ok && len(tries.Results) > 1 {
		m.count(`stockroom_table_retries_total{operation=%q}`, operation).Add(len(tries.Results) - 1)
	}
	for _, consumed := range r.capacity {
		if consumed.Table != nil {
			m.sum(units, "").Add(aws.ToFloat64(consumed.Table.CapacityUnits))
		}
		for index, of := range consumed.GlobalSecondaryIndexes {
			m.sum(units, index).Add(aws.ToFloat64(of.CapacityUnits))
		}
	}
	return out, nil
}

// outcome returns the value of the label "outcome" for a request.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	var cancelled *types.TransactionCanceledException
	var condition *types.ConditionalCheckFailedException
	var api smithy.APIError
	switch {
	case errors.As(err, &cancelled):
		return cancellation(cancelled.CancellationReasons)
	case errors.As(err, &condition):
		return "condition"
	case errors.As(err, new(*types.TransactionConflictException)):
		return "conflict"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "cancelled"
	case errors.As(err, &api) && throttles[api.ErrorCode()]:
		return "throttled"
	}
	return "error"
}

// throttles contains the error codes of throttled requests. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
var throttles = map[string]bool{
	"ProvisionedThroughputExceededException": true, "ThrottlingException": true, "RequestLimitExceeded": true,
	"ProvisionedThroughputExceeded": true, "ThrottlingError": true, // cancellation reasons of a transaction
}

// cancellation returns the outcome of a cancelled transaction: a failed condition, a
// conflict with another transaction, throttling, or "error" for any other reason.
func cancellation(reasons []types.CancellationReason) string {
	found := "error"
	for _, reason := range reasons {
		switch code := aws.ToString(reason.Code); {
		case code == "ConditionalCheckFailed":
			return "condition"
		case code == "TransactionConflict":
			found = "conflict"
		case throttles[code]:
			found = "throttled"
		}
	}
	return found
}
