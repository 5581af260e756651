package embedded_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

func openOrders(t *testing.T, db client, index string) []item {
	t.Helper()
	out, err := db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(shop), IndexName: &index, KeyConditionExpression: aws.String("#s = :s"),
		ExpressionAttributeNames: map[string]string{"#s": "Status"}, ExpressionAttributeValues: item{":s": s("OPEN")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items
}

func indexUpdates(t *testing.T, db client) {
	order := with(key("o#1", "c#1"), "Status", s("OPEN"), "Total", n(5), "Name", s("x"))
	put(t, db, order)
	mustEqual(t, openOrders(t, db, "ByStatus"), []item{order})
	mustEqual(t, openOrders(t, db, "ByTotal"), []item{with(key("o#1", "c#1"), "Status", s("OPEN"), "Total", n(5))})

	set := func(expression string, values item) {
		t.Helper()
		_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String(shop), Key: key("o#1", "c#1"), UpdateExpression: &expression,
			ExpressionAttributeNames: namesIn(expression), ExpressionAttributeValues: values,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	set("SET #n = :n", item{":n": s("y")})
	mustEqual(t, openOrders(t, db, "ByStatus"), []item{with(order, "Name", s("y"))})
	set("SET #s = :s", item{":s": s("SHIPPED")})
	mustEqual(t, openOrders(t, db, "ByStatus"), []item{})
	set("SET #s = :s REMOVE #t", item{":s": s("OPEN")})
	sparse := with(key("o#1", "c#1"), "Status", s("OPEN"), "Name", s("y"))
	mustEqual(t, openOrders(t, db, "ByStatus"), []item{sparse})
	mustEqual(t, openOrders(t, db, "ByTotal"), []item{})
	put(t, db, key("o#1", "c#1"))
	mustEqual(t, openOrders(t, db, "ByStatus"), []item{})
	put(t, db, order)
	if _, err := db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: key("o#1", "c#1")}); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, openOrders(t, db, "ByStatus"), []item{})
	mustEqual(t, openOrders(t, db, "ByTotal"), []item{})
}

func equalIndexKeys(t *testing.T, db client) {
	for i := range 5 {
		put(t, db, with(key(fmt.Sprint("o#", i), "same"), "Status", s("OPEN"), "Total", n(7)))
	}
	for _, index := range []string{"ByStatus", "ByTotal"} {
		in := dynamodb.QueryInput{
			IndexName: &index, Limit: aws.Int32(2), KeyConditionExpression: aws.String("#s = :s"),
			ExpressionAttributeNames: map[string]string{"#s": "Status"}, ExpressionAttributeValues: item{":s": s("OPEN")},
		}
		if got, requests := pages(t, db, in); len(got) != 5 || requests != 3 {
			t.Errorf("%s: got %d items in %d requests, want 5 in 3", index, len(got), requests)
		}
	}
}

// addIndex returns a request that creates an index on Name.
func addIndex(projection types.ProjectionType) *dynamodb.UpdateTableInput {
	return &dynamodb.UpdateTableInput{
		TableName:            aws.String(shop),
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("Name"), AttributeType: types.ScalarAttributeTypeS}},
		GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
			IndexName: aws.String("ByName"), Projection: &types.Projection{ProjectionType: projection},
			KeySchema: []types.KeySchemaElement{{AttributeName: aws.String("Name"), KeyType: types.KeyTypeHash}},
		}}},
	}
}

func waitActive(t *testing.T, db client) {
	t.Helper()
	waitFor(t, "active index", func() bool {
		out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
		if err != nil {
			t.Fatal(err)
		}
		return !slices.ContainsFunc(out.Table.GlobalSecondaryIndexes, func(ix types.GlobalSecondaryIndexDescription) bool {
			return ix.IndexStatus != types.IndexStatusActive
		})
	})
}

func TestUpdateTable_BackfillsIndex(t *testing.T) {
	for _, projection := range []types.ProjectionType{types.ProjectionTypeAll, types.ProjectionTypeKeysOnly} {
		t.Run(string(projection), func(t *testing.T) {
			db := openShop(t)
			const count = 4500 // large enough for several chunks
			for i := 0; i < count; i += 25 {
				var batch []types.WriteRequest
				for j := i; j < i+25; j++ {
					batch = append(batch, putRequest(with(key("a", fmt.Sprintf("%05d", j)), "Name", s(fmt.Sprint("name ", j%9)))))
				}
				if err := writeBatch(t, db, batch...); err != nil {
					t.Fatal(err)
				}
			}
			put(t, db, with(key("a", "no string"), "Name", n(1)), with(key("a", "empty"), "Name", s("")))
			if _, err := db.UpdateTable(t.Context(), addIndex(projection)); err != nil {
				t.Fatal(err)
			}
			// Change items during the backfill.
			put(t, db, with(key("a", "00000"), "Name", s("changed")), with(key("a", "04499"), "Name", s("changed")), with(key("b", "b"), "Name", s("name 0")))
			for _, k := range []item{key("a", "04498"), key("a", "no string")} {
				if _, err := db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: k}); err != nil {
					t.Fatal(err)
				}
			}
			waitActive(t, db)
			byName := func(name string) int {
				got, _ := pages(t, db, dynamodb.QueryInput{
					IndexName: aws.String("ByName"), KeyConditionExpression: aws.String("#n = :n"),
					ExpressionAttributeNames: map[string]string{"#n": "Name"}, ExpressionAttributeValues: item{":n": s(name)},
				})
				return len(got)
			}
			mustEqual(t, []int{byName("changed"), byName("name 0"), byName("name 7"), byName("name 8")}, []int{2, 500, 499, 499})
			out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
			if err != nil {
				t.Fatal(err)
			}
			for _, ix := range out.Table.GlobalSecondaryIndexes {
				if *ix.IndexName == "ByName" && *ix.ItemCount != count {
					t.Errorf("got ItemCount %d, want %d", *ix.ItemCount, count)
				}
			}
			_, err = db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String(shop), GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{
				{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("ByName")}},
			}})
			if err != nil {
				t.Fatal(err)
			}
			put(t, db, with(key("a", "00001"), "Name", n(2)))
		})
	}
}

// TestUpdateTable_OneIndexAtATime sends requests that create or delete several indexes,
// change one index twice, or create an index whose name is in use. The engine must reject
// them, as DynamoDB does, and the store must stay intact.
func TestUpdateTable_OneIndexAtATime(t *testing.T) {
	db := openShop(t)
	put(t, db, with(key("a", "a"), "Name", s("x")))
	if _, err := db.UpdateTable(t.Context(), addIndex(types.ProjectionTypeAll)); err != nil {
		t.Fatal(err)
	}
	waitActive(t, db)
	create := addIndex(types.ProjectionTypeAll).GlobalSecondaryIndexUpdates[0]
	other := create
	other.Create = &types.CreateGlobalSecondaryIndexAction{IndexName: aws.String("ByNameAgain"), Projection: create.Create.Projection, KeySchema: create.Create.KeySchema}
	remove := func(name string) types.GlobalSecondaryIndexUpdate {
		return types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String(name)}}
	}
	throughput := types.GlobalSecondaryIndexUpdate{Update: &types.UpdateGlobalSecondaryIndexAction{
		IndexName: aws.String("ByName"), ProvisionedThroughput: &types.ProvisionedThroughput{ReadCapacityUnits: aws.Int64(1), WriteCapacityUnits: aws.Int64(1)},
	}}
	for name, tt := range map[string]struct {
		code    string
		updates []types.GlobalSecondaryIndexUpdate
	}{
		"delete and create":    {"LimitExceededException", []types.GlobalSecondaryIndexUpdate{remove("ByName"), create}},
		"two deletes":          {"LimitExceededException", []types.GlobalSecondaryIndexUpdate{remove("ByName"), remove("ByStatus")}},
		"delete and another":   {"LimitExceededException", []types.GlobalSecondaryIndexUpdate{remove("ByName"), other}},
		"two updates":          {"ValidationException", []types.GlobalSecondaryIndexUpdate{throughput, throughput}},
		"update and delete":    {"ValidationException", []types.GlobalSecondaryIndexUpdate{throughput, remove("ByName")}},
		"create existing name": {"ValidationException", []types.GlobalSecondaryIndexUpdate{create}},
	} {
		in := addIndex(types.ProjectionTypeAll)
		in.GlobalSecondaryIndexUpdates = tt.updates
		_, err := db.UpdateTable(t.Context(), in)
		var api smithy.APIError
		if !errors.As(err, &api) || api.ErrorCode() != tt.code {
			t.Errorf("%s: got %v, want %s", name, err, tt.code)
		}
	}
	put(t, db, with(key("a", "b"), "Name", s("y")))
	if found := problems(t, db); len(found) > 0 {
		t.Errorf("got problems %q, want none", found)
	}
}
