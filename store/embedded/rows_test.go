package embedded_test

import (
	"context"
	"fmt"
	"reflect"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded"
	"stockroom/store/row"
)

// rowReader is the part of the engine that returns rows.
type rowReader interface {
	client
	QueryRows(context.Context, *dynamodb.QueryInput) ([]row.Row, *dynamodb.QueryOutput, error)
	GetRow(context.Context, *dynamodb.GetItemInput) (row.Row, *dynamodb.GetItemOutput, error)
	BatchGetRows(context.Context, *dynamodb.BatchGetItemInput) (map[string][]row.Row, *dynamodb.BatchGetItemOutput, error)
}

var _ rowReader = embedded.Hiding{}

// bothWays makes each Query, GetItem and BatchGetItem twice, for items and for rows.
// The test fails if the results differ.
type bothWays struct {
	rowReader
	t testing.TB
}

func (b bothWays) Query(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	b.t.Helper()
	items, err := b.rowReader.Query(ctx, in)
	rows, out, rowErr := b.QueryRows(ctx, in)
	if out != nil && items != nil && items.Items != nil {
		out.Items = make([]item, len(rows))
		for i, r := range rows {
			out.Items[i] = r.Item()
		}
	}
	compareWays(b.t, in, items, out, err, rowErr)
	return out, rowErr
}

func (b bothWays) GetItem(ctx context.Context, in *dynamodb.GetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	b.t.Helper()
	items, err := b.rowReader.GetItem(ctx, in)
	found, out, rowErr := b.GetRow(ctx, in)
	if found != nil {
		out.Item = found.Item()
	}
	compareWays(b.t, in, items, out, err, rowErr)
	return out, rowErr
}

func (b bothWays) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	b.t.Helper()
	items, err := b.rowReader.BatchGetItem(ctx, in)
	found, out, rowErr := b.BatchGetRows(ctx, in)
	if out != nil {
		out.Responses = make(map[string][]item, len(found))
		for name, rows := range found {
			var of []item
			for _, r := range rows {
				of = append(of, r.Item())
			}
			out.Responses[name] = of
		}
	}
	compareWays(b.t, in, items, out, err, rowErr)
	return out, rowErr
}

func compareWays[Out any](t testing.TB, in any, items, rows *Out, err, rowErr error) {
	t.Helper()
	if fmt.Sprint(err) != fmt.Sprint(rowErr) {
		t.Errorf("%+v: got error %v for rows, want %v", in, rowErr, err)
	}
	if !reflect.DeepEqual(items, rows) {
		t.Errorf("%+v: got %+v as rows, want %+v", in, rows, items)
	}
}

func TestHiding_HidesRows(t *testing.T) {
	db := openShop(t)
	for i := range 4 {
		put(t, db, item{"PK": s("a"), "SK": s(strconv.Itoa(i))})
	}
	hiding := db.Hiding(func(key item) bool { return text(key["SK"]) == "1" })
	out, err := bothWays{hiding, t}.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(shop), KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("a")},
	})
	if err != nil || len(out.Items) != 3 || out.Count != 3 {
		t.Errorf("got %d rows, count %d, error %v; want 3", len(out.Items), out.Count, err)
	}
}

func TestRows_HaveAllTypes(t *testing.T) {
	db := openShop(t)
	put(t, db, item{
		"PK": s("a"), "SK": s("b"), "N": n(-1.5), "B": b(0, 255), "T": &types.AttributeValueMemberBOOL{Value: true}, "F": &types.AttributeValueMemberBOOL{},
		"Null": &types.AttributeValueMemberNULL{Value: true}, "SS": &types.AttributeValueMemberSS{Value: []string{"x", "y"}},
		"NS": &types.AttributeValueMemberNS{Value: []string{"1", "2"}}, "BS": &types.AttributeValueMemberBS{Value: [][]byte{{1}, {2}}},
		"L": &types.AttributeValueMemberL{Value: members{s("x"), &types.AttributeValueMemberL{Value: members{n(1), &types.AttributeValueMemberM{Value: item{"Deep": s("z")}}}}, n(2)}},
		"M": &types.AttributeValueMemberM{Value: item{"X": s("x"), "Y": &types.AttributeValueMemberM{Value: item{}}, "Z": &types.AttributeValueMemberL{Value: members{}}}},
	})
	reader := bothWays{db, t}
	for _, in := range []dynamodb.QueryInput{
		{},
		{ProjectionExpression: aws.String("M, SK, L, absent")},
		{ProjectionExpression: aws.String("M.X, L[1], SS")},
		{FilterExpression: aws.String("N < :n"), ExpressionAttributeValues: item{":n": n(0)}},
		{FilterExpression: aws.String("N > :n"), ExpressionAttributeValues: item{":n": n(0)}},
		{ProjectionExpression: aws.String("B"), FilterExpression: aws.String("N < :n"), ExpressionAttributeValues: item{":n": n(0)}},
		{Select: types.SelectCount},
		{ProjectionExpression: aws.String("absent")},
	} {
		in.TableName, in.KeyConditionExpression = aws.String(shop), aws.String("PK = :p")
		if in.ExpressionAttributeValues == nil {
			in.ExpressionAttributeValues = item{}
		}
		in.ExpressionAttributeValues[":p"] = s("a")
		if _, err := reader.Query(t.Context(), &in); err != nil {
			t.Error(err)
		}
	}
	for _, projection := range []*string{nil, aws.String("M, SS"), aws.String("M.X"), aws.String("absent")} {
		out, err := reader.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: key("a", "b"), ProjectionExpression: projection})
		if err != nil || out.Item == nil {
			t.Errorf("got item %v, error %v, want an item", out.Item, err)
		}
		batch, err := reader.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
			shop: {Keys: []item{key("a", "b"), key("a", "absent")}, ProjectionExpression: projection},
		}})
		if err != nil || len(batch.Responses[shop]) != 1 {
			t.Errorf("got %v, error %v, want an item", batch, err)
		}
	}
}
