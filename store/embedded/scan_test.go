package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func scanAll(t *testing.T, db client, in dynamodb.ScanInput) []string {
	t.Helper()
	in.TableName = aws.String(shop)
	var found []string
	for {
		out, err := db.Scan(t.Context(), &in)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range out.Items {
			found = append(found, show(it))
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return found
		}
	}
}

func scanReturnsEachItemOnce(t *testing.T, db client) {
	fillShop(t, db)
	all := scanAll(t, db, dynamodb.ScanInput{})
	slices.Sort(all)
	if len(all) != 17 || len(slices.Compact(slices.Clone(all))) != 17 {
		t.Fatalf("got %d items, want 17 distinct: %v", len(all), all)
	}
	for _, limit := range []int32{1, 4, 17, 100} {
		got := scanAll(t, db, dynamodb.ScanInput{Limit: &limit})
		slices.Sort(got)
		mustEqual(t, got, all)
	}
	for _, segments := range []int32{1, 2, 5} {
		var got []string
		for segment := range segments {
			got = append(got, scanAll(t, db, dynamodb.ScanInput{Segment: &segment, TotalSegments: &segments, Limit: aws.Int32(2)})...)
		}
		slices.Sort(got)
		mustEqual(t, got, all)
	}
	mustEqual(t, len(scanAll(t, db, dynamodb.ScanInput{IndexName: aws.String("ByStatus"), Limit: aws.Int32(2)})), 5)
	filtered := scanAll(t, db, dynamodb.ScanInput{
		FilterExpression: aws.String("#t < :t"), ExpressionAttributeNames: map[string]string{"#t": "Total"}, ExpressionAttributeValues: item{":t": n(91)},
		ProjectionExpression: aws.String("SK"),
	})
	slices.Sort(filtered)
	mustEqual(t, filtered, []string{`map[SK:"o#10"]`, `map[SK:"o#11"]`})
}

func invalidScans(t *testing.T, db client) {
	put(t, db, key("a", "a"))
	for message, in := range map[string]dynamodb.ScanInput{
		"The TotalSegments parameter is required but was not present in the request when Segment parameter is present":                              {Segment: aws.Int32(0)},
		"The Segment parameter is required but was not present in the request when parameter TotalSegments is present":                              {TotalSegments: aws.Int32(2)},
		"The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: 2 is not less than TotalSegments: 2":           {Segment: aws.Int32(2), TotalSegments: aws.Int32(2)},
		"1 validation error detected: Value '0' at 'totalSegments' failed to satisfy constraint: Member must have value greater than or equal to 1": {Segment: aws.Int32(0), TotalSegments: aws.Int32(0)},
		"1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1":         {Limit: aws.Int32(0)},
		"The table does not have the specified index: Nowhere":                                                                                      {IndexName: aws.String("Nowhere")},
		"Consistent reads are not supported on global secondary indexes":                                                                            {IndexName: aws.String("ByStatus"), ConsistentRead: aws.Bool(true)},
		"The provided starting key is invalid": {ExclusiveStartKey: item{"PK": s("a")}},
		"ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null":                                                                                               {ExpressionAttributeValues: item{":x": s("x")}},
		"1 validation error detected: Value 'SOME' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]": {Select: "SOME"},
	} {
		in.TableName = aws.String(shop)
		_, err := db.Scan(t.Context(), &in)
		wantInvalid(t, err, message)
	}
}

func itemCollectionMetrics(t *testing.T, db client) {
	out, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(shop), Item: key("a", "a"), ReturnItemCollectionMetrics: types.ReturnItemCollectionMetricsSize,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := types.ItemCollectionMetrics{ItemCollectionKey: item{"PK": s("a")}, SizeEstimateRangeGB: []float64{0, 1}}
	if !isEngine(db) { // other engines estimate differently, and do not estimate for transactions
		mustEqual(t, out.ItemCollectionMetrics.ItemCollectionKey, want.ItemCollectionKey)
		return
	}
	mustEqual(t, *out.ItemCollectionMetrics, want)
	transaction, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		TransactItems: []types.TransactWriteItem{putOf(key("a", "b"), ""), putOf(key("a", "c"), "")}, ReturnItemCollectionMetrics: types.ReturnItemCollectionMetricsSize,
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, transaction.ItemCollectionMetrics, map[string][]types.ItemCollectionMetrics{shop: {want}})
}

// TestItemCollectionMetrics_AfterCommit cancels the context of writes after their commit.
// The writes must not return an error, because the items are written.
func TestItemCollectionMetrics_AfterCommit(t *testing.T) {
	db := openShop(t)
	const mode = types.ReturnItemCollectionMetricsSize
	for name, write := range map[string]func(context.Context, item) error{
		"put": func(ctx context.Context, it item) error {
			_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String(shop), Item: it, ReturnItemCollectionMetrics: mode})
			return err
		},
		"batch": func(ctx context.Context, it item) error {
			_, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{
				RequestItems: map[string][]types.WriteRequest{shop: {putRequest(it)}}, ReturnItemCollectionMetrics: mode,
			})
			return err
		},
		"transaction": func(ctx context.Context, it item) error {
			_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{
				TransactItems: []types.TransactWriteItem{putOf(it, "")}, ReturnItemCollectionMetrics: mode,
			})
			return err
		},
	} {
		want := key(name, "1")
		if err := write(&endingContext{Context: t.Context(), calls: 1}, want); err != nil {
			t.Errorf("%s: got %v, want no error", name, err)
		}
		mustEqual(t, get(t, db, want), want)
	}
}

// TestScan_EndsWithContext scans one of a million segments, which contains no item, and
// cancels the context during the scan. The scan must not read the rest of the table.
func TestScan_EndsWithContext(t *testing.T) {
	db := openShop(t)
	for i := 0; i < 5000; i += 25 {
		var batch []types.WriteRequest
		for j := i; j < i+25; j++ {
			batch = append(batch, putRequest(key("a", fmt.Sprintf("%05d", j))))
		}
		if err := writeBatch(t, db, batch...); err != nil {
			t.Fatal(err)
		}
	}
	in := dynamodb.ScanInput{TableName: aws.String(shop), Segment: aws.Int32(7), TotalSegments: aws.Int32(1_000_000)}
	if out, err := db.Scan(t.Context(), &in); err != nil || out.Count > 0 || out.LastEvaluatedKey != nil {
		t.Fatalf("got %+v, %v; want an empty segment", out, err)
	}
	ctx := &endingContext{Context: t.Context(), calls: 3}
	if _, err := db.Scan(ctx, &in); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// endingContext is a context that ends after its method Err was called a number of times.
type endingContext struct {
	context.Context
	calls int
}

func (c *endingContext) Err() error {
	if c.calls--; c.calls < 0 {
		return context.Canceled
	}
	return nil
}
