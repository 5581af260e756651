package embedded

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// maxSegments is the maximum value of TotalSegments.
const maxSegments = 1_000_000

// Scan returns items in the order of their stored keys.
func (db *DB) Scan(ctx context.Context, in *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return db.scanExcept(ctx, in, nil)
}

func (db *DB) scanExcept(ctx context.Context, in *dynamodb.ScanInput, hidden func(key Item) bool) (*dynamodb.ScanOutput, error) {
	s, err := newScan(in)
	if err != nil {
		return nil, err
	}
	s.hidden = hidden
	err = db.view(ctx, func(r *readTx) error {
		if err := s.resolve(r.catalog, *in.TableName, in.IndexName, &s.selection); err != nil {
			return err
		}
		if in.ExclusiveStartKey != nil {
			var err error
			if s.after, err = s.startKey(in.ExclusiveStartKey); err != nil {
				return err
			}
			if !s.segment.holds(s.after) {
				return invalidf("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: %d Segment: %d", s.segment.total, s.segment.number)
			}
		}
		return s.read(ctx, r.bolt)
	})
	if err != nil {
		return nil, err
	}
	consumed := s.consumedUnits(s.consistent)
	return &dynamodb.ScanOutput{
		Items: s.items, Count: int32(s.count), ScannedCount: int32(s.scanned), LastEvaluatedKey: s.lastKey,
		ConsumedCapacity: consumed.report(in.ReturnConsumedCapacity, capacityCombined),
	}, nil
}

// scan is a parsed Scan request, with the page that it reads.
type scan struct {
	page
	selection
}

func newScan(in *dynamodb.ScanInput) (*scan, error) {
	var c constraints
	c.tableName(in.TableName)
	if in.IndexName != nil {
		c.name(in.IndexName, "indexName", minNameLen)
	}
	c.limit(in.Limit)
	c.consumedCapacity(in.ReturnConsumedCapacity)
	enum(&c, in.Select, "select", selects)
	enum(&c, in.ConditionalOperator, "conditionalOperator", conditionalOperators)
	c.conditions(in.ScanFilter, "scanFilter")
	if in.TotalSegments != nil {
		c.check(*in.TotalSegments >= 1, *in.TotalSegments, "totalSegments", "Member must have value greater than or equal to 1")
		c.check(*in.TotalSegments <= maxSegments, *in.TotalSegments, "totalSegments", "Member must have value less than or equal to 1000000")
	}
	if in.Segment != nil {
		c.check(*in.Segment >= 0, *in.Segment, "segment", "Member must have value greater than or equal to 0")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	s := &scan{selection: selection{in.Select, consistent(in.ConsistentRead)}}
	s.end = filler
	var err error
	if s.segment, err = segmentOf(in.Segment, in.TotalSegments); err != nil {
		return nil, err
	}
	e := expressions{
		names: in.ExpressionAttributeNames, values: in.ExpressionAttributeValues,
		parameters: []parameter{
			{"ProjectionExpression", in.ProjectionExpression != nil},
			{"FilterExpression", in.FilterExpression != nil},
		},
		legacy: []parameter{
			{attributesToGet, in.AttributesToGet != nil},
			{scanFilter, in.ScanFilter != nil},
			{conditionalOperator, in.ConditionalOperator != ""},
		},
		conditional: in.ConditionalOperator, conditions: len(in.ScanFilter),
	}
	scope, err := e.scope()
	if err != nil {
		return nil, err
	}
	if s.shape, err = parseShape(scope, in.ProjectionExpression, in.FilterExpression); err != nil {
		return nil, err
	}
	if in.AttributesToGet != nil || in.ScanFilter != nil {
		if s.shape, err = parseLegacyShape(in.AttributesToGet, in.ScanFilter, in.ConditionalOperator); err != nil {
			return nil, err
		}
	}
	if err := checkUnused(scope); err != nil {
		return nil, err
	}
	s.limit = int(aws.ToInt32(in.Limit))
	return s, s.checkSelect(&s.page)
}

func segmentOf(number, total *int32) (segment, error) {
	switch {
	case number == nil && total == nil:
		return segment{}, nil
	case total == nil:
		return segment{}, invalidf("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case number == nil:
		return segment{}, invalidf("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	case *number >= *total:
		return segment{}, invalidf("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: %d is not less than TotalSegments: %d", *number, *total)
	}
	return segment{int(*number), int(*total)}, nil
}
