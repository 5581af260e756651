package embedded_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestChanges_CountsWrites makes several kinds of writes, with and without a context from
// Uncounted, and Load only without it. Only writes without such a context must increase
// Changes, and only if they change something.
func TestChanges_CountsWrites(t *testing.T) {
	db := openShop(t)
	name := shopTable().TableName
	writes := map[string]func(context.Context) error{
		"PutItem": func(ctx context.Context) error {
			_, err := db.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: with(key("a", "1"))})
			return err
		},
		"UpdateItem": func(ctx context.Context) error {
			_, err := db.UpdateItem(ctx, &dynamodb.UpdateItemInput{
				TableName: name, Key: key("a", "2"), UpdateExpression: aws.String("ADD Pieces :n"), ExpressionAttributeValues: item{":n": n(1)},
			})
			return err
		},
		"BatchWriteItem": func(ctx context.Context) error {
			_, err := db.BatchWriteItem(ctx, &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{
				*name: {{PutRequest: &types.PutRequest{Item: key("a", "3")}}},
			}})
			return err
		},
		"TransactWriteItems": func(ctx context.Context) error {
			_, err := db.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
				{Put: &types.Put{TableName: name, Item: key("a", "4")}},
			}})
			return err
		},
		"Load": func(ctx context.Context) error {
			load := db.StartLoad(*name)
			if err := load.Add(key("a", "5")); err != nil {
				return err
			}
			_, _, err := load.Commit(ctx)
			return err
		},
	}
	for operation, write := range writes {
		before := db.Changes()
		if err := write(t.Context()); err != nil {
			t.Fatalf("%s: %v", operation, err)
		}
		if got := db.Changes(); got <= before {
			t.Errorf("%s: got no change, want one", operation)
		}
		if operation == "Load" {
			continue // a second load of the same item would change nothing
		}
		before = db.Changes()
		if err := write(db.Uncounted(t.Context())); err != nil {
			t.Fatalf("%s, uncounted: %v", operation, err)
		}
		if got := db.Changes(); got != before {
			t.Errorf("%s, uncounted: got %d changes, want none", operation, got-before)
		}
	}
	before := db.Changes()
	if _, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: name, Item: key("a", "1"), ConditionExpression: aws.String("attribute_not_exists(PK)")}); err == nil {
		t.Error("got no error of a condition that fails")
	}
	if got := db.Changes(); got != before {
		t.Errorf("failed condition: got %d changes, want none", got-before)
	}
}
