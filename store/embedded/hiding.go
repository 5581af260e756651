package embedded

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store/embedded/stream"
	"stockroom/store/row"
)

// Hiding is an engine that hides items from queries, scans and streams. Hidden items do not
// appear in counts, pages or LastEvaluatedKey. Other operations are not affected.
type Hiding struct {
	*DB
	hidden func(key Item) bool
}

func (db *DB) Hiding(hidden func(key Item) bool) Hiding { return Hiding{db, hidden} }

func (h Hiding) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	return h.queryExcept(ctx, in, h.hidden)
}

func (h Hiding) QueryRows(ctx context.Context, in *dynamodb.QueryInput) ([]row.Row, *dynamodb.QueryOutput, error) {
	q, err := newQuery(in)
	if err != nil {
		return nil, nil, err
	}
	q.hidden, q.asRows = h.hidden, true
	out, err := h.runQuery(ctx, q, in)
	return q.rows, out, err
}

func (h Hiding) Scan(ctx context.Context, in *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return h.scanExcept(ctx, in, h.hidden)
}

func (h Hiding) GetRecords(ctx context.Context, in *stream.GetRecordsInput) (*stream.GetRecordsOutput, error) {
	return h.recordsExcept(ctx, in, h.hidden)
}
