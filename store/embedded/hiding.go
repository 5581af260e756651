package embedded

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// Hiding is an engine that hides items from queries and scans. Hidden items do not
// appear in counts, pages or LastEvaluatedKey. Other operations are not affected.
type Hiding struct {
	*DB
	hidden func(key Item) bool
}

func (db *DB) Hiding(hidden func(key Item) bool) Hiding { return Hiding{db, hidden} }

func (h Hiding) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return h.queryExcept(ctx, in, h.hidden)
}

func (h Hiding) Scan(ctx context.Context, in *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return h.scanExcept(ctx, in, h.hidden)
}
