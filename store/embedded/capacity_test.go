package embedded_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// ofSize returns an item with the given size by DynamoDB's rules.
func ofSize(k item, bytes int) item {
	used := len("PKSKData") + len(k["PK"].(*types.AttributeValueMemberS).Value) + len(k["SK"].(*types.AttributeValueMemberS).Value)
	return with(k, "Data", s(strings.Repeat("x", bytes-used)))
}

func readCapacity(t *testing.T, db client) {
	put(t, db, ofSize(key("a", "1"), 4096), ofSize(key("a", "2"), 4097), key("b", "b"))
	for _, c := range []struct {
		k          item
		consistent bool
		units      float64
	}{
		{key("a", "1"), false, 0.5},
		{key("a", "1"), true, 1},
		{key("a", "2"), false, 1},
		{key("a", "2"), true, 2},
		{key("a", "none"), false, 0.5},
	} {
		in := &dynamodb.GetItemInput{
			TableName: aws.String(shop), Key: c.k, ConsistentRead: &c.consistent, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		}
		if isEngine(db) { // other engines charge for projected items by their size after the projection
			in.ProjectionExpression = aws.String("PK")
		}
		out, err := db.GetItem(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if got := *out.ConsumedCapacity.CapacityUnits; got != c.units {
			t.Errorf("%v, consistent %v: got %v units, want %v", show(c.k), c.consistent, got, c.units)
		}
	}
	// A query rounds up the total size of its items. A batch rounds up the size of each
	// item.
	q, err := db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(shop), KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("a")},
		ConsistentRead: aws.Bool(true), ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, *q.ConsumedCapacity.CapacityUnits, 3.0)
	b, err := db.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		RequestItems:           map[string]types.KeysAndAttributes{shop: {Keys: []item{key("a", "1"), key("a", "2"), key("b", "b")}, ConsistentRead: aws.Bool(true)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, *b.ConsumedCapacity[0].CapacityUnits, 4.0)
}

func writeCapacity(t *testing.T, db client) {
	write := func(it item) *types.ConsumedCapacity {
		t.Helper()
		out, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: it, ReturnConsumedCapacity: types.ReturnConsumedCapacityIndexes})
		if err != nil {
			t.Fatal(err)
		}
		return out.ConsumedCapacity
	}
	units := func(c *types.ConsumedCapacity, index string) float64 {
		if of, ok := c.GlobalSecondaryIndexes[index]; ok {
			return *of.CapacityUnits
		}
		if of, ok := c.LocalSecondaryIndexes[index]; ok {
			return *of.CapacityUnits
		}
		return 0
	}
	big := ofSize(key("a", "1"), 2500)
	for _, c := range []struct {
		name                                     string
		item                                     item
		table, byStatus, byTotal, dearest, total float64
	}{
		{"not in any index", big, 3, 0, 0, 0, 3},
		{"entering indexes", with(big, "Status", s("OPEN"), "Total", n(1)), 3, 3, 1, 1, 8},
		{"unchanged", with(big, "Status", s("OPEN"), "Total", n(1)), 3, 0, 0, 0, 3},
		{"other attribute changed", with(big, "Status", s("OPEN"), "Total", n(1), "More", s("x")), 3, 3, 0, 0, 6},
		{"moving in indexes", with(big, "Status", s("SHIPPED"), "Total", n(1)), 3, 6, 2, 0, 11},
		{"shrinking out of indexes", key("a", "1"), 3, 3, 1, 1, 8},
	} {
		got := write(c.item)
		mustEqual(t, []float64{*got.Table.CapacityUnits, units(got, "ByStatus"), units(got, "ByTotal"), units(got, "Dearest"), *got.CapacityUnits},
			[]float64{c.table, c.byStatus, c.byTotal, c.dearest, c.total})
		if t.Failed() {
			t.Fatal(c.name)
		}
	}
	out, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
		ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		TransactItems:          []types.TransactWriteItem{putOf(ofSize(key("t", "1"), 1025), ""), putOf(key("t", "2"), "")},
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, *out.ConsumedCapacity[0].CapacityUnits, 6.0)
}
