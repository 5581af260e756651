package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"stockroom/store/embedded"
)

// client contains the methods that both the engine and the SDK's client have.
type client interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	TransactGetItems(context.Context, *dynamodb.TransactGetItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	ListTables(context.Context, *dynamodb.ListTablesInput, ...func(*dynamodb.Options)) (*dynamodb.ListTablesOutput, error)
	DeleteTable(context.Context, *dynamodb.DeleteTableInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteTableOutput, error)
	UpdateTable(context.Context, *dynamodb.UpdateTableInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTableOutput, error)
	UpdateTimeToLive(context.Context, *dynamodb.UpdateTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error)
	DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error)
	TagResource(context.Context, *dynamodb.TagResourceInput, ...func(*dynamodb.Options)) (*dynamodb.TagResourceOutput, error)
	UntagResource(context.Context, *dynamodb.UntagResourceInput, ...func(*dynamodb.Options)) (*dynamodb.UntagResourceOutput, error)
	ListTagsOfResource(context.Context, *dynamodb.ListTagsOfResourceInput, ...func(*dynamodb.Options)) (*dynamodb.ListTagsOfResourceOutput, error)
}

var (
	_ client = (*dynamodb.Client)(nil)
	_ client = (*embedded.DB)(nil)
)

type (
	item    = map[string]types.AttributeValue
	members = []types.AttributeValue
)

func s(v string) types.AttributeValue { return &types.AttributeValueMemberS{Value: v} }
func n(v any) types.AttributeValue    { return &types.AttributeValueMemberN{Value: fmt.Sprint(v)} }
func b(v ...byte) types.AttributeValue {
	return &types.AttributeValueMemberB{Value: v}
}

// testClock is a clock that moves only when advance is called.
type testClock struct{ nanos atomic.Int64 }

func newTestClock() *testClock {
	c := &testClock{}
	c.nanos.Store(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC).UnixNano())
	return c
}

func (c *testClock) now() time.Time          { return time.Unix(0, c.nanos.Load()) }
func (c *testClock) advance(d time.Duration) { c.nanos.Add(int64(d)) }

func open(t testing.TB, dir string) *embedded.DB {
	t.Helper()
	return openAt(t, dir, newTestClock())
}

func openAt(t testing.TB, dir string, clock *testClock) *embedded.DB {
	t.Helper()
	db, err := embedded.Open(dir, clock.now, embedded.Options{SweepEvery: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil && !errors.Is(err, embedded.ErrClosed) {
			t.Error(err)
		}
	})
	return db
}

// shop is the name of a table with two global indexes and a local index. Each index has a
// different projection type.
const shop = "Shop"

func shopTable() *dynamodb.CreateTableInput {
	key := func(partition, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: &partition, KeyType: types.KeyTypeHash},
			{AttributeName: &sort, KeyType: types.KeyTypeRange},
		}
	}
	return &dynamodb.CreateTableInput{
		TableName:   aws.String(shop),
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   key("PK", "SK"),
		AttributeDefinitions: []types.AttributeDefinition{
			{AttributeName: aws.String("PK"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("SK"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("Status"), AttributeType: types.ScalarAttributeTypeS},
			{AttributeName: aws.String("Total"), AttributeType: types.ScalarAttributeTypeN},
		},
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{
			{IndexName: aws.String("ByStatus"), KeySchema: key("Status", "SK"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll}},
			{IndexName: aws.String("ByTotal"), KeySchema: key("Status", "Total"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly}},
		},
		LocalSecondaryIndexes: []types.LocalSecondaryIndex{
			{IndexName: aws.String("Dearest"), KeySchema: key("PK", "Total"), Projection: &types.Projection{ProjectionType: types.ProjectionTypeInclude, NonKeyAttributes: []string{"Name"}}},
		},
	}
}

// openShop opens a new store with the shop table.
func openShop(t testing.TB) *embedded.DB {
	t.Helper()
	db := open(t, t.TempDir())
	create(t, db, shopTable())
	return db
}

func create(t testing.TB, db client, in *dynamodb.CreateTableInput) {
	t.Helper()
	if _, err := db.CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, db client, items ...item) {
	t.Helper()
	for _, it := range items {
		if _, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: it}); err != nil {
			t.Fatal(err)
		}
	}
}

func key(pk, sk string) item { return item{"PK": s(pk), "SK": s(sk)} }

// with returns a copy of base with additional attributes. The other arguments are the
// name and the value of each of these attributes, in turn.
func with(base item, more ...any) item {
	all := item{}
	for name, value := range base {
		all[name] = value
	}
	for i := 0; i < len(more); i += 2 {
		all[more[i].(string)] = more[i+1].(types.AttributeValue)
	}
	return all
}

func get(t testing.TB, db client, k item) item {
	t.Helper()
	out, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: k, ConsistentRead: aws.Bool(true)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Item
}

func mustEqual(t testing.TB, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", show(got), show(want))
	}
}

// show formats items for messages.
func show(v any) string {
	switch v := v.(type) {
	case item:
		shown := map[string]string{}
		for name, value := range v {
			shown[name] = show(value)
		}
		return fmt.Sprint(shown)
	case []item:
		shown := ""
		for _, it := range v {
			shown += "\n\t" + show(it)
		}
		return shown
	case *types.AttributeValueMemberS:
		return fmt.Sprintf("%q", v.Value)
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return fmt.Sprintf("%+v", v)
}

// wantInvalid checks that err is a ValidationException. An error of the engine must
// have the given message.
func wantInvalid(t testing.TB, err error, message string) {
	t.Helper()
	var remote *smithy.OperationError
	var api smithy.APIError
	if !errors.As(err, &api) || api.ErrorCode() != "ValidationException" || api.ErrorMessage() != message && !errors.As(err, &remote) {
		t.Errorf("got %v, want ValidationException: %s", err, message)
	}
}

// isEngine reports whether db is the embedded engine. Some tests expect other results from
// other engines.
func isEngine(db client) bool {
	if both, ok := db.(bothWays); ok {
		return isEngine(both.rowReader)
	}
	_, is := db.(*embedded.DB)
	return is
}
