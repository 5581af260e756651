package metrics

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/middleware"

	"stockroom/store"
	"stockroom/store/table"
)

// Table returns a database that passes requests on to db and counts them by operation and
// outcome. It also counts their durations, retries and consumed capacity.
func (m *Metrics) Table(db store.DB) store.DB {
	counted := &countedDB{DB: db, metrics: m}
	if loader, ok := db.(table.BulkLoader); ok {
		return struct {
			*countedDB
			table.BulkLoader
		}{counted, loader}
	}
	return counted
}

// countedDB counts requests that read or write items.
type countedDB struct {
	store.DB
	metrics *Metrics
}

// withIndexes asks the table to report the consumed capacity of itself and of each index.
const withIndexes = types.ReturnConsumedCapacityIndexes

func (db *countedDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	began, request := time.Now(), *in
	request.ReturnConsumedCapacity = withIndexes
	out, err := db.DB.GetItem(ctx, &request, options...)
	c := call{operation: "GetItem", began: began, err: err}
	if err == nil {
		c.metadata, c.capacity = out.ResultMetadata, one(out.ConsumedCapacity)
	}
	db.metrics.tableRequest(c)
	return out, err
}

func (db *countedDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	began, request := time.Now(), *in
	request.ReturnConsumedCapacity = withIndexes
	out, err := db.DB.Query(ctx, &request, options...)
	c := call{operation: "Query", began: began, err: err}
	if err == nil {
		c.metadata, c.capacity = out.ResultMetadata, one(out.ConsumedCapacity)
	}
	db.metrics.tableRequest(c)
	return out, err
}

func (db *countedDB) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	began, request := time.Now(), *in
	request.ReturnConsumedCapacity = withIndexes
	out, err := db.DB.Scan(ctx, &request, options...)
	c := call{operation: "Scan", began: began, err: err}
	if err == nil {
		c.metadata, c.capacity = out.ResultMetadata, one(out.ConsumedCapacity)
	}
	db.metrics.tableRequest(c)
	return out, err
}

func (db *countedDB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	began, request := time.Now(), *in
	request.ReturnConsumedCapacity = withIndexes
	out, err := db.DB.BatchGetItem(ctx, &request, options...)
	c := call{operation: "BatchGetItem", began: began, err: err}
	if err == nil {
		c.metadata, c.capacity = out.ResultMetadata, out.ConsumedCapacity
	}
	db.metrics.tableRequest(c)
	return out, err
}

func (db *countedDB) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	began, request := time.Now(), *in
	request.ReturnConsumedCapacity = withIndexes
	out, err := db.DB.BatchWriteItem(ctx, &request, options...)
	c := call{operation: "BatchWriteItem", began: began, writes: true, err: err}
	if err == nil {
		c.metadata, c.capacity = out.ResultMetadata, out.ConsumedCapacity
	}
	db.metrics.tableRequest(c)
	return out, err
}

func (db *countedDB) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	began, request := time.Now(), *in
	request.ReturnConsumedCapacity = withIndexes
	out, err := db.DB.UpdateItem(ctx, &request, options...)
	c := call{operation: "UpdateItem", began: began, writes: true, err: err}
	if err == nil {
		c.metadata, c.capacity = out.ResultMetadata, one(out.ConsumedCapacity)
	}
	db.metrics.tableRequest(c)
	return out, err
}

func (db *countedDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	began, request := time.Now(), *in
	request.ReturnConsumedCapacity = withIndexes
	out, err := db.DB.TransactWriteItems(ctx, &request, options...)
	c := call{operation: "TransactWriteItems", began: began, writes: true, err: err}
	if err == nil {
		c.metadata, c.capacity = out.ResultMetadata, out.ConsumedCapacity
	}
	db.metrics.tableRequest(c)
	return out, err
}

func one(c *types.ConsumedCapacity) []types.ConsumedCapacity {
	if c == nil {
		return nil
	}
	return []types.ConsumedCapacity{*c}
}

// call is a request to the table that is being counted.
type call struct {
	operation string
	began     time.Time
	writes    bool
	err       error
	metadata  middleware.Metadata // of a response
	capacity  []types.ConsumedCapacity
}

func (m *Metrics) tableRequest(c call) {
	m.count(`stockroom_table_requests_total{operation=%q,outcome=%q}`, c.operation, outcome(c.err)).Inc()
	m.observe("stockroom_table_request_duration_seconds", "operation="+strconv.Quote(c.operation), time.Since(c.began))
	if tries, ok := retry.GetAttemptResults(c.metadata); ok && len(tries.Results) > 1 {
		m.count(`stockroom_table_retries_total{operation=%q}`, c.operation).Add(len(tries.Results) - 1)
	}
	name := `stockroom_table_read_units_total{index=%q}`
	if c.writes {
		name = `stockroom_table_write_units_total{index=%q}`
	}
	for _, consumed := range c.capacity {
		if consumed.Table != nil {
			m.sum(name, "").Add(aws.ToFloat64(consumed.Table.CapacityUnits))
		}
		for index, units := range consumed.GlobalSecondaryIndexes {
			m.sum(name, index).Add(aws.ToFloat64(units.CapacityUnits))
		}
	}
}

// outcome returns the outcome label for the error of a response.
func outcome(err error) string {
	var cancelled *types.TransactionCanceledException
	var condition *types.ConditionalCheckFailedException
	var api smithy.APIError
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &cancelled):
		return cancellation(cancelled.CancellationReasons)
	case errors.As(err, &condition):
		return "condition"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return "cancelled"
	case errors.As(err, &api) && throttles[api.ErrorCode()]:
		return "throttled"
	}
	return "error"
}

// throttles lists the error codes of throttled requests, which may succeed later. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
var throttles = map[string]bool{
	"ProvisionedThroughputExceededException": true, "ThrottlingException": true, "RequestLimitExceeded": true,
	"ProvisionedThroughputExceeded": true, "ThrottlingError": true, // reasons of a cancelled transaction
}

// cancellation returns the outcome of a cancelled transaction: a failed condition, a
// conflict with another transaction, or throttling.
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
