package embedded_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func putGetDelete(t *testing.T, db client) {
	first := with(key("o#1", "c#1"), "Status", s("NEW"), "Total", n("10.50"), "Doc", &types.AttributeValueMemberM{Value: item{"a": n(1)}})
	put(t, db, first)
	mustEqual(t, get(t, db, key("o#1", "c#1")), with(first, "Total", n("10.5")))
	mustEqual(t, get(t, db, key("o#1", "c#2")), item(nil))

	out, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(shop), Item: key("o#1", "c#1"), ReturnValues: types.ReturnValueAllOld,
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, out.Attributes, with(first, "Total", n("10.5")))

	deleted, err := db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{
		TableName: aws.String(shop), Key: key("o#1", "c#1"), ReturnValues: types.ReturnValueAllOld,
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, deleted.Attributes, key("o#1", "c#1"))
	mustEqual(t, get(t, db, key("o#1", "c#1")), item(nil))
}

// TestSets_AreSorted checks that the members of sets are in ascending order, however
// they were written.
func TestSets_AreSorted(t *testing.T) {
	db := openShop(t)
	numbers := func(texts ...string) types.AttributeValue { return &types.AttributeValueMemberNS{Value: texts} }
	in := with(key("a", "b"), "Names", stringSet("b", "a"), "Numbers", numbers("10", "9.0", "-1"), "List", list(stringSet("y", "x")))
	put(t, db, in)
	want := with(key("a", "b"), "Names", stringSet("a", "b"), "Numbers", numbers("-1", "9", "10"), "List", list(stringSet("x", "y")))
	mustEqual(t, get(t, db, key("a", "b")), want)
	out, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String(shop), Key: key("a", "b"), ReturnValues: types.ReturnValueUpdatedNew,
		UpdateExpression:         aws.String("ADD #s :names, Numbers :numbers"),
		ExpressionAttributeNames: map[string]string{"#s": "Names"}, ExpressionAttributeValues: item{":names": stringSet("aa", "B"), ":numbers": numbers("0")},
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, out.Attributes, item{"Names": stringSet("B", "a", "aa", "b"), "Numbers": numbers("-1", "0", "9", "10")})
}

func getProjection(t *testing.T, db client) {
	put(t, db, with(key("o#1", "c#1"), "Name", s("x"), "Doc", &types.AttributeValueMemberM{Value: item{"a": n(1), "b": n(2)}}))
	for _, c := range []struct {
		projection string
		want       item
	}{
		{"#n, PK", item{"Name": s("x"), "PK": s("o#1")}},
		{"Doc.b, #n", item{"Name": s("x"), "Doc": &types.AttributeValueMemberM{Value: item{"b": n(2)}}}},
	} {
		out, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{
			TableName: aws.String(shop), Key: key("o#1", "c#1"), ProjectionExpression: &c.projection,
			ExpressionAttributeNames: map[string]string{"#n": "Name"},
		})
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, out.Item, c.want)
	}
}

func writeConditions(t *testing.T, db client) {
	put(t, db, with(key("o#1", "c#1"), "Version", n(1)))
	versionIs := func(v int) (*string, item) {
		return aws.String("Version = :v"), item{":v": n(v)}
	}
	stale, staleValues := versionIs(2)
	current, currentValues := versionIs(1)
	update := func(condition *string, values item) error {
		_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String(shop), Key: key("o#1", "c#1"), ConditionExpression: condition, ExpressionAttributeValues: with(values, ":one", n(1)),
			UpdateExpression: aws.String("SET Version = Version + :one"), ReturnValuesOnConditionCheckFailure: types.ReturnValuesOnConditionCheckFailureAllOld,
		})
		return err
	}
	var failed *types.ConditionalCheckFailedException
	if err := update(stale, staleValues); !errors.As(err, &failed) {
		t.Fatalf("update with stale version: got %v, want ConditionalCheckFailedException", err)
	}
	mustEqual(t, failed.Item, with(key("o#1", "c#1"), "Version", n(1)))
	mustEqual(t, failed.ErrorMessage(), "The conditional request failed")
	_, err := db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: key("o#1", "c#1"), ConditionExpression: stale, ExpressionAttributeValues: staleValues})
	if !errors.As(err, &failed) || failed.Item != nil {
		t.Errorf("delete with stale version: got %v, want ConditionalCheckFailedException without item", err)
	}
	_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: key("o#1", "c#1"), ConditionExpression: aws.String("attribute_not_exists(PK)")})
	if !errors.As(err, &failed) {
		t.Errorf("second creation: got %v, want ConditionalCheckFailedException", err)
	}
	if err := update(current, currentValues); err != nil {
		t.Error(err)
	}
	mustEqual(t, get(t, db, key("o#1", "c#1")), with(key("o#1", "c#1"), "Version", n(2)))
}

func updateReturnValues(t *testing.T, db client) {
	before := with(key("o#1", "c#1"), "Name", s("x"), "Total", n(1))
	after := with(key("o#1", "c#1"), "Total", n(3), "New", s("y"))
	for returnValues, want := range map[types.ReturnValue]item{
		types.ReturnValueNone:       nil,
		types.ReturnValueAllOld:     before,
		types.ReturnValueAllNew:     after,
		types.ReturnValueUpdatedOld: {"Name": s("x"), "Total": n(1)},
		types.ReturnValueUpdatedNew: {"Total": n(3), "New": s("y")},
	} {
		put(t, db, before)
		out, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String(shop), Key: key("o#1", "c#1"), ReturnValues: returnValues,
			UpdateExpression:          aws.String("SET #new = :y ADD #total :two REMOVE #name"),
			ExpressionAttributeNames:  map[string]string{"#new": "New", "#name": "Name", "#total": "Total"},
			ExpressionAttributeValues: item{":y": s("y"), ":two": n(2)},
		})
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, out.Attributes, want)
	}
	if _, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{TableName: aws.String(shop), Key: key("o#2", "c#2")}); err != nil {
		t.Error(err)
	}
	mustEqual(t, get(t, db, key("o#2", "c#2")), key("o#2", "c#2"))
}

func invalidItems(t *testing.T, db client) {
	for _, c := range []struct {
		name    string
		item    item
		message string
	}{
		{"no sort key", item{"PK": s("a")}, "One or more parameter values were invalid: Missing the key SK in the item"},
		{"wrong key type", item{"PK": s("a"), "SK": n(1)}, "One or more parameter values were invalid: Type mismatch for key SK expected: S actual: N"},
		{"empty key", key("", "a"), "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: PK"},
		{"long partition key", key(strings.Repeat("k", 2049), "a"), "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"},
		{"long sort key", key("a", strings.Repeat("k", 1025)), "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"},
		{"wrong index key type", with(key("a", "b"), "Status", n(1)), "One or more parameter values were invalid: Type mismatch for Index Key Status Expected: S Actual: N IndexName: ByStatus"},
		{"empty index key", with(key("a", "b"), "Status", s("")), "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ByStatus, IndexKey: Status"},
		{"too large", with(key("a", "b"), "Big", s(strings.Repeat("x", 400<<10))), "Item size has exceeded the maximum allowed size"},
		{"invalid NULL", with(key("a", "b"), "X", &types.AttributeValueMemberNULL{}), "One or more parameter values were invalid: Null attribute value types must have the value of true"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: c.item})
			wantInvalid(t, err, c.message)
		})
	}
	largest := with(key("a", "b"), "Big", s(strings.Repeat("x", 400<<10-len("PKaSKbBig"))))
	put(t, db, largest)
	_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String(shop), Key: key("a", "b"), UpdateExpression: aws.String("SET More = :x"), ExpressionAttributeValues: item{":x": s("x")},
	})
	wantInvalid(t, err, "Item size to update has exceeded the maximum allowed size")
	mustEqual(t, get(t, db, key("a", "b")), largest)
}

func invalidKeys(t *testing.T, db client) {
	for _, k := range []item{{"PK": s("a")}, {"PK": s("a"), "SK": n(1)}, with(key("a", "b"), "Name", s("x")), {"PK": s("a"), "Name": s("b")}} {
		_, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: k})
		wantInvalid(t, err, "The provided key element does not match the schema")
		_, err = db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: k})
		wantInvalid(t, err, "The provided key element does not match the schema")
	}
	_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String(shop), Key: key("a", "b"), UpdateExpression: aws.String("SET SK = :x"), ExpressionAttributeValues: item{":x": s("x")},
	})
	wantInvalid(t, err, "One or more parameter values were invalid: Cannot update attribute SK. This attribute is part of the key")
}

func invalidRequests(t *testing.T, db client) {
	_, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("a!"), Key: key("a", "b")})
	wantInvalid(t, err, "1 validation error detected: Value 'a!' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
	_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: key("a", "b"), ReturnValues: types.ReturnValueUpdatedNew})
	wantInvalid(t, err, "Return values set to invalid value")
	_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: key("a", "b"), ExpressionAttributeValues: item{":x": s("x")}})
	wantInvalid(t, err, "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null")
	if isEngine(db) { // the SDK's client does not send this request
		_, err = db.GetItem(t.Context(), &dynamodb.GetItemInput{})
		wantInvalid(t, err, "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null; "+
			"Value null at 'key' failed to satisfy constraint: Member must not be null")
	}

	var missing *types.ResourceNotFoundException
	_, err = db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String("Nowhere"), Key: key("a", "b")})
	if !errors.As(err, &missing) || missing.ErrorMessage() != "Requested resource not found" {
		t.Errorf("get from missing table: got %v, want ResourceNotFoundException", err)
	}
	_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("Nowhere"), Item: key("a", "b")})
	if !errors.As(err, &missing) {
		t.Errorf("put into missing table: got %v, want ResourceNotFoundException", err)
	}
}

func TestQuery_KeysOfEveryType(t *testing.T) {
	db := open(t, t.TempDir())
	for kind, values := range map[types.ScalarAttributeType]members{
		types.ScalarAttributeTypeS: {s("\x00a"), s("a"), s("a\x00"), s("b")},
		types.ScalarAttributeTypeN: {n("-1e30"), n(-2), n(0), n("0.5"), n(10)},
		types.ScalarAttributeTypeB: {b(0), b(0, 255), b(1), b(255, 255)},
	} {
		table := aws.String("Keys-" + string(kind))
		create(t, db, &dynamodb.CreateTableInput{
			TableName: table, BillingMode: types.BillingModePayPerRequest,
			KeySchema: []types.KeySchemaElement{
				{AttributeName: aws.String("h"), KeyType: types.KeyTypeHash}, {AttributeName: aws.String("r"), KeyType: types.KeyTypeRange},
			},
			AttributeDefinitions: []types.AttributeDefinition{
				{AttributeName: aws.String("h"), AttributeType: kind}, {AttributeName: aws.String("r"), AttributeType: kind},
			},
		})
		for i := range values {
			_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: table, Item: item{"h": values[1], "r": values[(i*3+1)%len(values)]}})
			if err != nil {
				t.Fatal(err)
			}
		}
		out, err := db.Query(t.Context(), &dynamodb.QueryInput{
			TableName: table, KeyConditionExpression: aws.String("h = :h AND r BETWEEN :a AND :b"),
			ExpressionAttributeValues: item{":h": values[1], ":a": values[0], ":b": values[len(values)-1]},
		})
		if err != nil {
			t.Fatal(err)
		}
		var order members
		for _, it := range out.Items {
			order = append(order, it["r"])
		}
		want := append(members{}, values...)
		if kind == types.ScalarAttributeTypeN {
			want[0] = n("-1" + strings.Repeat("0", 30))
		}
		mustEqual(t, order, want)
	}
}

// TestAttributesToGet reads attributes with the legacy parameter. A name can contain a
// full stop or be a reserved word.
func TestAttributesToGet(t *testing.T) {
	db := openShop(t)
	put(t, db, with(key("a", "b"), "Name", s("n"), "Data.x", s("d"), "Other", n(1)))
	want := item{"Name": s("n"), "Data.x": s("d")}
	attributes := []string{"Name", "Data.x", "Missing"}
	got, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: key("a", "b"), AttributesToGet: attributes})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, got.Item, want)
	batch, err := db.BatchGetItem(t.Context(), &dynamodb.BatchGetItemInput{RequestItems: map[string]types.KeysAndAttributes{shop: {Keys: []item{key("a", "b")}, AttributesToGet: attributes}}})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, batch.Responses[shop], []item{want})
	scanned, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(shop), AttributesToGet: attributes})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, scanned.Items, []item{want})
	_, err = db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: key("a", "b"), AttributesToGet: []string{"Name", "Name"}})
	wantInvalid(t, err, "One or more parameter values were invalid: Duplicate value in attribute name: Name")
	_, err = db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: key("a", "b"), AttributesToGet: []string{"Name"}, ProjectionExpression: aws.String("PK")})
	wantInvalid(t, err, "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}")
}
