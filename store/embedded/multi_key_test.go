package embedded_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded"
)

// multiSchema returns a key schema. The partition key attributes come first.
func multiSchema(partition, sort []string) (schema []types.KeySchemaElement) {
	for _, name := range partition {
		schema = append(schema, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: types.KeyTypeHash})
	}
	for _, name := range sort {
		schema = append(schema, types.KeySchemaElement{AttributeName: aws.String(name), KeyType: types.KeyTypeRange})
	}
	return schema
}

// multiTable returns a table with a global index whose partition key and sort key
// have several attributes of several types.
func multiTable(partition, sort []string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{TableName: aws.String(shop), BillingMode: types.BillingModePayPerRequest, KeySchema: multiSchema([]string{"PK"}, []string{"SK"})}
	for _, name := range slices.Concat([]string{"PK", "SK"}, partition, sort) {
		kind := types.ScalarAttributeTypeS
		if strings.HasPrefix(name, "n") {
			kind = types.ScalarAttributeTypeN
		}
		if !slices.ContainsFunc(in.AttributeDefinitions, func(a types.AttributeDefinition) bool { return *a.AttributeName == name }) {
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: kind})
		}
	}
	in.GlobalSecondaryIndexes = []types.GlobalSecondaryIndex{{
		IndexName: aws.String("Multi"), KeySchema: multiSchema(partition, sort), Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
	}}
	return in
}

var multiPartition, multiSort = []string{"h1", "nh2"}, []string{"r1", "nr2", "r3"}

// multiItem returns an item whose attributes have few different values. Some of these items
// lack a key attribute of the index.
func multiItem(i int) item {
	it := with(key("p", fmt.Sprintf("%03d", i)), "h1", s(fmt.Sprint("h", rand.IntN(2))), "nh2", n(rand.IntN(2)),
		"r1", s([]string{"a", "a\x00", "ab", "b"}[rand.IntN(4)]), "nr2", n(rand.IntN(3)-1), "r3", s(fmt.Sprint("x", rand.IntN(12))))
	if rand.IntN(8) == 0 {
		delete(it, slices.Concat(multiPartition, multiSort)[rand.IntN(5)])
	}
	return it
}

func queryMulti(t *testing.T, db *embedded.DB, condition string, values item, limit int, backward bool) (found []item, err error) {
	t.Helper()
	in := &dynamodb.QueryInput{
		TableName: aws.String(shop), IndexName: aws.String("Multi"), KeyConditionExpression: &condition, ExpressionAttributeValues: values,
		Limit: aws.Int32(int32(limit)), ScanIndexForward: aws.Bool(!backward),
	}
	for {
		out, err := db.Query(t.Context(), in)
		if err != nil {
			return nil, err
		}
		found = append(found, out.Items...)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return found, nil
		}
	}
}

// TestMultiKey_Queries queries an index with several key attributes. The results must equal
// those of a simple model, also after a restart, and in an index that was added later.
func TestMultiKey_Queries(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	in := multiTable(multiPartition, multiSort)
	create(t, db, in)
	stored := map[string]item{}
	for range 400 {
		it := multiItem(rand.IntN(150))
		stored[text(it["SK"])] = it
		put(t, db, it)
		if rand.IntN(5) == 0 {
			sk := fmt.Sprintf("%03d", rand.IntN(150))
			delete(stored, sk)
			if _, err := db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: key("p", sk)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	compareMulti(t, db, stored)
	mustEqual(t, problems(t, db), []string(nil))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	compareMulti(t, db, stored)

	update := func(change types.GlobalSecondaryIndexUpdate) {
		t.Helper()
		if _, err := db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{TableName: aws.String(shop), AttributeDefinitions: in.AttributeDefinitions, GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{change}}); err != nil {
			t.Fatal(err)
		}
	}
	update(types.GlobalSecondaryIndexUpdate{Delete: &types.DeleteGlobalSecondaryIndexAction{IndexName: aws.String("Multi")}})
	ix := in.GlobalSecondaryIndexes[0]
	update(types.GlobalSecondaryIndexUpdate{Create: &types.CreateGlobalSecondaryIndexAction{IndexName: ix.IndexName, KeySchema: ix.KeySchema, Projection: ix.Projection}})
	waitActive(t, db)
	compareMulti(t, db, stored)
	mustEqual(t, problems(t, db), []string(nil))
	out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, out.Table.GlobalSecondaryIndexes[0].KeySchema, ix.KeySchema)
}

// compareMulti compares the results of many queries with the stored items that match.
func compareMulti(t *testing.T, db *embedded.DB, stored map[string]item) {
	t.Helper()
	number := func(it item, name string) int { return quantityOf(it[name]) }
	for range 300 {
		of := multiItem(0)
		for _, name := range slices.Concat(multiPartition, multiSort) {
			for of[name] == nil {
				of = multiItem(0)
			}
		}
		if len(of) != 7 {
			continue
		}
		condition, values := "h1 = :h1 AND nh2 = :h2", item{":h1": of["h1"], ":h2": of["nh2"]}
		matches := func(it item) bool { return text(it["h1"]) == text(of["h1"]) && number(it, "nh2") == number(of, "nh2") }
		and := func(expression string, match func(item) bool, more ...any) {
			before := matches
			condition = expression + " AND " + condition // the order of the conditions does not matter
			values = with(values, more...)
			matches = func(it item) bool { return before(it) && match(it) }
		}
		r1, r2, r3 := text(of["r1"]), number(of, "nr2"), text(of["r3"])
		sameR1, sameR2 := func(it item) bool { return text(it["r1"]) == r1 }, func(it item) bool { return number(it, "nr2") == r2 }
		switch rand.IntN(7) {
		case 1:
			and("r1 = :r1", sameR1, ":r1", of["r1"])
		case 2:
			and("begins_with(r1, :r1)", func(it item) bool { return strings.HasPrefix(text(it["r1"]), r1) }, ":r1", of["r1"])
		case 3:
			and("r1 > :r1", func(it item) bool { return text(it["r1"]) > r1 }, ":r1", of["r1"])
		case 4:
			and("r1 = :r1", sameR1, ":r1", of["r1"])
			and("nr2 <= :r2", func(it item) bool { return number(it, "nr2") <= r2 }, ":r2", of["nr2"])
		case 5:
			and("r1 = :r1", sameR1, ":r1", of["r1"])
			and("nr2 = :r2", sameR2, ":r2", of["nr2"])
			and("r3 BETWEEN :r3 AND :to", func(it item) bool { return text(it["r3"]) >= r3 && text(it["r3"]) <= "x8" }, ":r3", s(min(r3, "x8")), ":to", s("x8"))
			r3 = min(r3, "x8")
		case 6:
			and("r1 = :r1", sameR1, ":r1", of["r1"])
			and("nr2 = :r2", sameR2, ":r2", of["nr2"])
			and("r3 = :r3", func(it item) bool { return text(it["r3"]) == r3 }, ":r3", of["r3"])
		}
		var want []item
		for _, it := range stored {
			if len(it) == 7 && matches(it) {
				want = append(want, it)
			}
		}
		backward := rand.IntN(2) == 0
		slices.SortFunc(want, func(a, b item) int {
			order := cmp.Or(strings.Compare(text(a["r1"]), text(b["r1"])), number(a, "nr2")-number(b, "nr2"), strings.Compare(text(a["r3"]), text(b["r3"])), strings.Compare(text(a["SK"]), text(b["SK"])))
			if backward {
				return -order
			}
			return order
		})
		got, err := queryMulti(t, db, condition, values, 1+rand.IntN(5), backward)
		if err != nil || show(got) != show(want) {
			t.Fatalf("%s with %s: got %s, %v; want %s", condition, show(values), show(got), err, show(want))
		}
	}
}

func TestMultiKey_LegacyConditions(t *testing.T) {
	db := open(t, t.TempDir())
	create(t, db, multiTable([]string{"h1", "nh2"}, []string{"r1"}))
	for _, sk := range []string{"a", "b", "c"} {
		put(t, db, with(key("p", sk), "h1", s("h"), "nh2", n(1), "r1", s(sk)))
	}
	conditions := map[string]types.Condition{
		"h1": compare(types.ComparisonOperatorEq, s("h")), "nh2": compare(types.ComparisonOperatorEq, n(1)), "r1": compare(types.ComparisonOperatorGt, s("a")),
	}
	out, err := db.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String(shop), IndexName: aws.String("Multi"), KeyConditions: conditions})
	if err != nil || sortKeys(out.Items) != "bc" {
		t.Errorf("got %v, %v; want the items b and c", out, err)
	}
	_, err = db.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String(shop), KeyConditions: conditions})
	wantInvalid(t, err, "Conditions can be of length 1 or 2 only")
}

func TestMultiKey_InvalidRequests(t *testing.T) {
	db := open(t, t.TempDir())
	create(t, db, multiTable(multiPartition, multiSort))
	const hash = "Query key condition not supported: all HASH key attributes must have equality conditions: nh2"
	const sort = "Query key condition not supported: RANGE key attributes must have equality conditions from left to right, except the last"
	for condition, message := range map[string]string{
		"h1 = :s":                                                    hash,
		"h1 = :s AND nh2 > :n":                                       hash,
		"h1 = :s AND nh2 = :n AND nr2 = :n":                          sort,
		"h1 = :s AND nh2 = :n AND r1 > :s AND nr2 = :n":              sort,
		"h1 = :s AND nh2 = :n AND r1 = :s AND r3 = :s":               sort,
		"h1 = :s AND nh2 = :n AND Else1 = :s":                        "Query condition missed key schema element: h1",
		"h1 = :s AND nh2 = :n AND r1 = :n":                           "One or more parameter values were invalid: Condition parameter type does not match schema type",
		"h1 = :s AND nh2 = :s":                                       "One or more parameter values were invalid: Condition parameter type does not match schema type",
		"h1 = :s AND nh2 = :n AND r1 = :s AND nr2 BETWEEN :s AND :s": "One or more parameter values were invalid: Condition parameter type does not match schema type",
	} {
		values := item{}
		if strings.Contains(condition, ":s") {
			values[":s"] = s("x")
		}
		if strings.Contains(condition, ":n") {
			values[":n"] = n(1)
		}
		_, err := queryMulti(t, db, condition, values, 10, false)
		wantInvalid(t, err, message)
	}
	_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: with(key("a", "b"), "nr2", s("x"))})
	wantInvalid(t, err, "One or more parameter values were invalid: Type mismatch for Index Key nr2 Expected: N Actual: S IndexName: Multi")
	for message, schema := range map[string][]types.KeySchemaElement{
		"Invalid KeySchema: Number of HASH key attributes exceeds the limit of 4":  multiSchema([]string{"a", "b", "c", "d", "e"}, nil),
		"Invalid KeySchema: Number of RANGE key attributes exceeds the limit of 4": multiSchema([]string{"a"}, []string{"b", "c", "d", "e", "f"}),
		"Invalid KeySchema: HASH key attributes must precede RANGE key attributes": append(multiSchema([]string{"a"}, []string{"b"}), multiSchema([]string{"c"}, nil)...),
		"Invalid KeySchema: The first KeySchemaElement is not a HASH key type":     multiSchema(nil, []string{"a", "b"}),
		"Invalid KeySchema: Two KeySchemaElements have the same name: a":           multiSchema([]string{"a", "b"}, []string{"a"}),
	} {
		in := multiTable([]string{"a", "b", "c", "d", "e", "f"}, nil)
		in.TableName, in.GlobalSecondaryIndexes[0].KeySchema = aws.String("Other"), schema
		_, err := db.CreateTable(t.Context(), in)
		wantInvalid(t, err, message)
	}
	in := multiTable([]string{"a"}, nil)
	in.TableName, in.KeySchema = aws.String("Other"), multiSchema([]string{"PK", "SK"}, nil)
	_, err = db.CreateTable(t.Context(), in)
	wantInvalid(t, err, "Invalid KeySchema: The second KeySchemaElement is not a RANGE key type")
}
