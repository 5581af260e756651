package embedded_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func putRequest(it item) types.WriteRequest {
	return types.WriteRequest{PutRequest: &types.PutRequest{Item: it}}
}

func writeBatch(t *testing.T, db client, requests ...types.WriteRequest) error {
	t.Helper()
	out, err := db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{shop: requests}})
	if err == nil && len(out.UnprocessedItems) > 0 {
		t.Errorf("got unprocessed items %v, want none", out.UnprocessedItems)
	}
	return err
}

func batchWriteAndGet(t *testing.T, db client) {
	put(t, db, key("a", "old"))
	requests := []types.WriteRequest{{DeleteRequest: &types.DeleteRequest{Key: key("a", "old")}}}
	var keys []item
	for i := range 24 {
		requests = append(requests, putRequest(with(key("a", fmt.Sprint(i)), "Name", s("x"))))
		keys = append(keys, key("a", fmt.Sprint(i)))
	}
	if err := writeBatch(t, db, requests...); err != nil {
		t.Fatal(err)
	}
	out, err := db.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{
		shop: {Keys: append(keys, key("a", "old")), ProjectionExpression: aws.String("SK")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Responses[shop]; len(got) != 24 || len(out.UnprocessedKeys) != 0 {
		t.Fatalf("got %d items and unprocessed keys %v, want 24 and none", len(got), out.UnprocessedKeys)
	}
	for i, got := range out.Responses[shop] {
		mustEqual(t, got, item{"SK": s(fmt.Sprint(i))})
	}
}

func invalidBatches(t *testing.T, db client) {
	many := make([]types.WriteRequest, 26)
	keys := make([]item, 101)
	for i := range keys {
		keys[i] = key("a", fmt.Sprint(i))
		if i < len(many) {
			many[i] = putRequest(keys[i])
		}
	}
	wantInvalid(t, writeBatch(t, db, many...), "1 validation error detected: Value '{Shop=[26 requests]}' at 'requestItems' failed to satisfy constraint: "+
		"Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have length greater than or equal to 1]")
	wantInvalid(t, writeBatch(t, db, many[0], many[0]), "Provided list of item keys contains duplicates")
	wantInvalid(t, writeBatch(t, db), "The batch write request list for a table cannot be null or empty")
	wantInvalid(t, writeBatch(t, db, types.WriteRequest{}), "Supplied WriteRequest is empty, must contain a PutRequest or a DeleteRequest")
	wantInvalid(t, writeBatch(t, db, many[0], putRequest(item{"PK": s("b")})), "One or more parameter values were invalid: Missing the key SK in the item")
	mustEqual(t, get(t, db, keys[0]), item(nil))

	read := func(keys ...item) error {
		_, err := db.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{shop: {Keys: keys}}})
		return err
	}
	wantInvalid(t, read(keys...), "1 validation error detected: Value at 'RequestItems.Shop.member.Keys' failed to satisfy constraint: Member must have length less than or equal to 100")
	wantInvalid(t, read(keys[0], keys[0]), "Provided list of item keys contains duplicates")
	if err := read(keys[:100]...); err != nil {
		t.Error(err)
	}
}

func batchGetSizeLimit(t *testing.T, db client) {
	big := s(strings.Repeat("x", 390<<10))
	var keys []item
	for i := range 50 {
		keys = append(keys, key("big", fmt.Sprint(i)))
		put(t, db, with(keys[i], "Data", big))
	}
	out, err := db.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{shop: {Keys: keys}}})
	if err != nil {
		t.Fatal(err)
	}
	got, rest := len(out.Responses[shop]), out.UnprocessedKeys[shop].Keys
	if got != 42 || len(rest) != 8 {
		t.Errorf("got %d items and %d unprocessed keys, want 42 and 8", got, len(rest))
	}
	mustEqual(t, rest, keys[42:])
}
