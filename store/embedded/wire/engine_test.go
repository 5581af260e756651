package wire_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"

	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

type item = map[string]types.AttributeValue

func str(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
func num(n int) types.AttributeValue    { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }

func newClient(t *testing.T) *dynamodb.Client {
	t.Helper()
	server := httptest.NewServer(wire.Handler(storetest.Embedded(t, storetest.NewClock())))
	t.Cleanup(server.Close)
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: aws.String(server.URL),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("any", "any", ""),
		Retryer:      aws.NopRetryer{},
	})
}

// createTable creates the table for the tests, with a composite key, a global index
// and a local index.
func createTable(t *testing.T, client *dynamodb.Client) {
	t.Helper()
	key := func(hash, sort string) []types.KeySchemaElement {
		return []types.KeySchemaElement{
			{AttributeName: aws.String(hash), KeyType: types.KeyTypeHash},
			{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange},
		}
	}
	var attributes []types.AttributeDefinition
	for name, kind := range map[string]types.ScalarAttributeType{"pk": "S", "sk": "S", "city": "S", "amount": "N"} {
		attributes = append(attributes, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind})
	}
	all := &types.Projection{ProjectionType: types.ProjectionTypeAll}
	out, err := client.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName: aws.String("orders"), AttributeDefinitions: attributes, KeySchema: key("pk", "sk"), BillingMode: types.BillingModePayPerRequest,
		GlobalSecondaryIndexes: []types.GlobalSecondaryIndex{{IndexName: aws.String("byCity"), KeySchema: key("city", "amount"), Projection: all}},
		LocalSecondaryIndexes:  []types.LocalSecondaryIndex{{IndexName: aws.String("byTotal"), KeySchema: key("pk", "amount"), Projection: all}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := aws.ToString(out.TableDescription.TableName); got != "orders" {
		t.Fatalf("got table name %q, want orders", got)
	}
	if err := dynamodb.NewTableExistsWaiter(client).Wait(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String("orders")}, 1e9); err != nil {
		t.Fatal(err)
	}
}

func order(i int) item {
	return item{"pk": str("ORDER"), "sk": str(fmt.Sprintf("O#%03d", i)), "city": str("Bonn"), "amount": num(100 - i), "tags": &types.AttributeValueMemberSS{Value: []string{"new"}}}
}

func TestHandler_ItemOperations(t *testing.T) {
	ctx := t.Context()
	client := newClient(t)
	createTable(t, client)
	table := aws.String("orders")

	put(t, client, order(1))
	batch := make([]types.WriteRequest, 0, 25)
	for i := range 25 {
		batch = append(batch, types.WriteRequest{PutRequest: &types.PutRequest{Item: order(i + 2)}})
	}
	if out, err := client.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{"orders": batch}}); err != nil || len(out.UnprocessedItems) > 0 {
		t.Fatalf("got %v, error %v; want no unprocessed items", out, err)
	}
	updated, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: table, Key: item{"pk": str("ORDER"), "sk": str("O#001")}, ReturnValues: types.ReturnValueAllNew,
		UpdateExpression: aws.String("SET amount = amount + :n ADD tags :t"), ConditionExpression: aws.String("city = :c"),
		ExpressionAttributeValues: item{":n": num(1000), ":t": &types.AttributeValueMemberSS{Value: []string{"big"}}, ":c": str("Bonn")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := updated.Attributes["amount"].(*types.AttributeValueMemberN).Value; got != "1099" {
		t.Errorf("got amount %s, want 1099", got)
	}
	got, err := client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: item{"pk": str("ORDER"), "sk": str("O#001")}, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal})
	if err != nil || len(got.Item) != 5 || got.ConsumedCapacity == nil {
		t.Errorf("got %v, error %v; want 5 attributes and consumed capacity", got, err)
	}

	for index, condition := range map[string]string{"byCity": "city = :p AND amount > :n", "byTotal": "pk = :p AND amount > :n"} {
		partition := map[string]string{"byCity": "Bonn", "byTotal": "ORDER"}[index]
		out, err := client.Query(ctx, &dynamodb.QueryInput{
			TableName: table, IndexName: aws.String(index), KeyConditionExpression: aws.String(condition), ScanIndexForward: aws.Bool(false), Limit: aws.Int32(3),
			ExpressionAttributeValues: item{":p": str(partition), ":n": num(90)}, ProjectionExpression: aws.String("sk"),
		})
		if err != nil {
			t.Fatal(err)
		}
		var keys []string
		for _, i := range out.Items {
			keys = append(keys, i["sk"].(*types.AttributeValueMemberS).Value)
		}
		if want := []string{"O#001", "O#002", "O#003"}; !slices.Equal(keys, want) || out.LastEvaluatedKey == nil {
			t.Errorf("%s: got %v and LastEvaluatedKey %v, want %v and a key", index, keys, out.LastEvaluatedKey, want)
		}
	}

	if _, err := client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: table, Item: order(90)}},
		{Delete: &types.Delete{TableName: table, Key: item{"pk": str("ORDER"), "sk": str("O#001")}}},
	}}); err != nil {
		t.Fatal(err)
	}
	both, err := client.TransactGetItems(ctx, &dynamodb.TransactGetItemsInput{TransactItems: []types.TransactGetItem{
		{Get: &types.Get{TableName: table, Key: item{"pk": str("ORDER"), "sk": str("O#090")}}},
		{Get: &types.Get{TableName: table, Key: item{"pk": str("ORDER"), "sk": str("O#001")}}},
	}})
	if err != nil || len(both.Responses) != 2 || both.Responses[0].Item == nil || both.Responses[1].Item != nil {
		t.Errorf("got %v, error %v; want one item of two", both, err)
	}
	if n := scanSegments(t, client, 4); n != 26 {
		t.Errorf("parallel scan: got %d items, want 26", n)
	}
}

func put(t *testing.T, client *dynamodb.Client, i item) {
	t.Helper()
	if _, err := client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("orders"), Item: i}); err != nil {
		t.Fatal(err)
	}
}

// scanSegments scans the table in segments, one after the other, and returns the number of
// items.
func scanSegments(t *testing.T, client *dynamodb.Client, segments int32) int {
	t.Helper()
	found := 0
	for segment := range segments {
		out, err := client.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String("orders"), Segment: aws.Int32(segment), TotalSegments: aws.Int32(segments)})
		if err != nil {
			t.Fatal(err)
		}
		found += len(out.Items)
	}
	return found
}

func TestHandler_TableOperations(t *testing.T) {
	ctx := t.Context()
	client := newClient(t)
	createTable(t, client)
	table := aws.String("orders")
	tables, err := client.ListTables(ctx, &dynamodb.ListTablesInput{})
	if err != nil || !slices.Equal(tables.TableNames, []string{"orders"}) {
		t.Errorf("got tables %v, error %v; want orders", tables, err)
	}
	if _, err := client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName: table, TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("ttl"), Enabled: aws.Bool(true)},
	}); err != nil {
		t.Fatal(err)
	}
	ttl, err := client.DescribeTimeToLive(ctx, &dynamodb.DescribeTimeToLiveInput{TableName: table})
	if err != nil || aws.ToString(ttl.TimeToLiveDescription.AttributeName) != "ttl" {
		t.Errorf("got time to live %v, error %v; want attribute ttl", ttl, err)
	}
	if _, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: table, DeletionProtectionEnabled: aws.Bool(true)}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: table}); err == nil {
		t.Error("DeleteTable of a protected table: got no error, want one")
	}
	if _, err := client.UpdateTable(ctx, &dynamodb.UpdateTableInput{TableName: table, DeletionProtectionEnabled: aws.Bool(false)}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.DeleteTable(ctx, &dynamodb.DeleteTableInput{TableName: table}); err != nil {
		t.Fatal(err)
	}
	if err := dynamodb.NewTableNotExistsWaiter(client).Wait(ctx, &dynamodb.DescribeTableInput{TableName: table}, 1e9); err != nil {
		t.Error(err)
	}
}

func TestHandler_LegacyParameters(t *testing.T) {
	client := newClient(t)
	createTable(t, client)
	put(t, client, order(1))
	put(t, client, order(2))
	table := aws.String("orders")
	is := func(value types.AttributeValue) types.Condition {
		return types.Condition{ComparisonOperator: types.ComparisonOperatorEq, AttributeValueList: []types.AttributeValue{value}}
	}
	updated, err := client.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: table, Key: item{"pk": str("ORDER"), "sk": str("O#001")}, ReturnValues: types.ReturnValueUpdatedNew,
		AttributeUpdates: map[string]types.AttributeValueUpdate{"amount": {Action: types.AttributeActionAdd, Value: num(1)}, "city": {Action: types.AttributeActionDelete}},
		Expected:         map[string]types.ExpectedAttributeValue{"city": {Exists: aws.Bool(true), Value: str("Bonn")}, "closed": {Exists: aws.Bool(false)}},
	})
	if err != nil || len(updated.Attributes) != 1 {
		t.Fatalf("got %v, error %v; want one changed attribute", updated, err)
	}
	found, err := client.Query(t.Context(), &dynamodb.QueryInput{
		TableName: table, KeyConditions: map[string]types.Condition{"pk": is(str("ORDER"))}, QueryFilter: map[string]types.Condition{"amount": is(num(100))},
	})
	if err != nil || found.Count != 1 || found.ScannedCount != 2 {
		t.Errorf("got %v, error %v; want 1 of 2 items", found, err)
	}
	scanned, err := client.Scan(t.Context(), &dynamodb.ScanInput{
		TableName: table, ScanFilter: map[string]types.Condition{"amount": is(num(0)), "city": is(str("Bonn"))}, ConditionalOperator: types.ConditionalOperatorOr,
	})
	if err != nil || scanned.Count != 1 {
		t.Errorf("got %v, error %v; want 1 item", scanned, err)
	}
}

// TestHandler_ErrorsInSDK checks that the SDK's client returns the same errors as
// the engine.
func TestHandler_ErrorsInSDK(t *testing.T) {
	ctx := t.Context()
	client := newClient(t)
	createTable(t, client)
	put(t, client, order(1))
	table := aws.String("orders")

	_, err := client.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: table, Item: order(1), ConditionExpression: aws.String("attribute_not_exists(pk)"),
		ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
	})
	if failed := new(types.ConditionalCheckFailedException); !errors.As(err, &failed) || failed.ErrorMessage() != "The conditional request failed" || len(failed.Item) != 5 {
		t.Errorf("got %v, want ConditionalCheckFailedException with the item", err)
	}
	_, err = client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: table, Item: order(2)}},
		{Put: &types.Put{TableName: table, Item: order(1), ConditionExpression: aws.String("attribute_not_exists(pk)")}},
	}})
	if cancelled := new(types.TransactionCanceledException); !errors.As(err, &cancelled) || len(cancelled.CancellationReasons) != 2 ||
		aws.ToString(cancelled.CancellationReasons[0].Code) != "None" || aws.ToString(cancelled.CancellationReasons[1].Code) != "ConditionalCheckFailed" {
		t.Errorf("got %v, want TransactionCanceledException with reasons None and ConditionalCheckFailed", err)
	}
	_, err = client.GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("nothing"), Key: item{"pk": str("a")}})
	if missing := new(types.ResourceNotFoundException); !errors.As(err, &missing) {
		t.Errorf("got %v, want ResourceNotFoundException", err)
	}
	_, err = client.ExecuteStatement(ctx, &dynamodb.ExecuteStatementInput{Statement: aws.String("SELECT * FROM orders")})
	checkCode(t, err, "UnknownOperationException", "The embedded engine does not have the operation ExecuteStatement")
	_, err = client.Query(ctx, &dynamodb.QueryInput{TableName: table, KeyConditionExpression: aws.String("sk = :s"), ExpressionAttributeValues: item{":s": str("a")}})
	checkCode(t, err, "ValidationException", "Query condition missed key schema element: pk")

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := client.ListTables(cancelled, &dynamodb.ListTablesInput{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func checkCode(t *testing.T, err error, code, message string) {
	t.Helper()
	if api := smithy.APIError(nil); !errors.As(err, &api) || api.ErrorCode() != code || message != "" && api.ErrorMessage() != message {
		t.Errorf("got %v, want %s: %s", err, code, message)
	}
}
