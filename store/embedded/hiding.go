package embedded

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Hiding is an engine whose queries and scans read as if some items did not exist: the
// items are not in counts, pages or LastEvaluatedKey. Other operations do not differ.
type Hiding struct {
	*DB
	hidden func(key Item) bool
}

// Hiding returns the engine without the items whose primary key hidden returns true
// for.
func (db *DB) Hiding(hidden func(key Item) bool) Hiding { return Hiding{db, hidden} }

// Query is DynamoDB's Query without the hidden items.
func (h Hiding) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return h.queryExcept(ctx, in, h.hidden)
}

// Scan is DynamoDB's Scan without the hidden items.
func (h Hiding) Scan(ctx context.Context, in *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return h.scanExcept(ctx, in, h.hidden)
}
