package store

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sync/errgroup"
)

// scanSegments is how many workers share a scan of the whole table.
const scanSegments = 4

// Everything goes through the whole table, in no particular order, and hands
// on what it meets: to several callers of visit at once, each with some of the
// items. It reads, and costs, as much as the table holds: it is for exports
// and for keys that move, never for a page. What changes meanwhile may be met
// as it was or as it is.
func (s *Store) Everything(ctx context.Context, visit func([]Item) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for segment := range int32(scanSegments) {
		group.Go(func() error { return s.segment(ctx, segment, visit) })
	}
	return group.Wait()
}

func (s *Store) segment(ctx context.Context, segment int32, visit func([]Item) error) error {
	in := &dynamodb.ScanInput{TableName: &s.table, Segment: &segment, TotalSegments: aws.Int32(scanSegments)}
	for {
		out, err := s.db.Scan(ctx, in)
		if err != nil {
			return s.failure(err)
		}
		if err := visit(out.Items); err != nil {
			return err
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			return ctx.Err()
		}
	}
}

// Everything is what an administrator may take away.
func (a Access) Everything(ctx context.Context, visit func([]Item) error) error {
	if err := a.may(Administer); err != nil {
		return err
	}
	return a.Store.Everything(ctx, visit)
}
