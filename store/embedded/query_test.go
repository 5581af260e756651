package embedded_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// fillShop puts 12 orders of customer c#1, every third of them OPEN, and some items
// that queries for these orders must not return.
func fillShop(t *testing.T, db client) {
	t.Helper()
	for i := range 12 {
		it := with(key("c#1", fmt.Sprintf("o#%02d", i)), "Name", s(fmt.Sprint("order ", i)), "Total", n(100-i))
		if i%3 == 0 {
			it = with(it, "Status", s("OPEN"))
		}
		put(t, db, it)
	}
	put(t, db, with(key("c#0", "o#99"), "Status", s("OPEN")), key("c#10", "o#01"), key("c#2", "o#00"), key("c#1", "i#1"), key("c#1", "p#1"))
}

// pages runs a query to its last page. It returns the sort keys and the number of
// requests.
func pages(t *testing.T, db client, in dynamodb.QueryInput) (sortKeys []string, requests int) {
	t.Helper()
	in.TableName = aws.String(shop)
	for {
		out, err := db.Query(t.Context(), &in)
		if err != nil {
			t.Fatal(err)
		}
		requests++
		if out.Count != int32(len(out.Items)) {
			t.Errorf("got Count %d, want %d", out.Count, len(out.Items))
		}
		for _, it := range out.Items {
			sortKeys = append(sortKeys, it["SK"].(*types.AttributeValueMemberS).Value)
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return sortKeys, requests
		}
	}
}

func queryRanges(t *testing.T, db client) {
	fillShop(t, db)
	orders := func(numbers ...int) []string {
		keys := make([]string, len(numbers))
		for i, number := range numbers {
			keys[i] = fmt.Sprintf("o#%02d", number)
		}
		return keys
	}
	for _, c := range []struct {
		condition string
		values    item
		want      []string
	}{
		{"SK = :a", item{":a": s("o#03")}, orders(3)},
		{"SK < :a", item{":a": s("o#02")}, append([]string{"i#1"}, orders(0, 1)...)},
		{"SK <= :a", item{":a": s("o#01")}, append([]string{"i#1"}, orders(0, 1)...)},
		{"SK > :a", item{":a": s("o#10")}, append(orders(11), "p#1")},
		{"SK >= :a", item{":a": s("o#11")}, append(orders(11), "p#1")},
		{"SK BETWEEN :a AND :b", item{":a": s("o#03"), ":b": s("o#05")}, orders(3, 4, 5)},
		{"begins_with(SK, :a)", item{":a": s("o#1")}, orders(10, 11)},
		{"begins_with(SK, :a)", item{":a": s("x")}, nil},
	} {
		in := dynamodb.QueryInput{KeyConditionExpression: aws.String("PK = :p AND " + c.condition), ExpressionAttributeValues: with(c.values, ":p", s("c#1"))}
		got, _ := pages(t, db, in)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.condition, got, c.want)
		}
		in.ScanIndexForward = aws.Bool(false)
		got, _ = pages(t, db, in)
		slices.Reverse(got)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s backward: got %v, want %v", c.condition, got, c.want)
		}
	}
}

func queryPages(t *testing.T, db client) {
	fillShop(t, db)
	for _, c := range []struct {
		index, condition string
		values           item
		count            int
	}{
		{"", "PK = :p AND begins_with(SK, :o)", item{":p": s("c#1"), ":o": s("o#")}, 12},
		{"Dearest", "PK = :p", item{":p": s("c#1")}, 12},
		{"ByStatus", "#s = :p", item{":p": s("OPEN")}, 5},
		{"ByTotal", "#s = :p AND #t > :t", item{":p": s("OPEN"), ":t": n(95)}, 2},
	} {
		for _, forward := range []bool{true, false} {
			in := dynamodb.QueryInput{KeyConditionExpression: &c.condition, ExpressionAttributeValues: c.values, ScanIndexForward: &forward}
			if c.index != "" {
				in.IndexName = &c.index
			}
			in.ExpressionAttributeNames = namesIn(c.condition)
			all, _ := pages(t, db, in)
			if len(all) != c.count {
				t.Errorf("%q: got %d items, want %d: %v", c.index, len(all), c.count, all)
			}
			for _, limit := range []int32{1, 2, 5, 100} {
				in.Limit = &limit
				got, requests := pages(t, db, in)
				if !slices.Equal(got, all) {
					t.Errorf("%q forward %v by %d: got %v, want %v", c.index, forward, limit, got, all)
				}
				// The last page can be empty: DynamoDB does not check whether more items
				// follow a full page.
				if want := len(all)/int(limit) + 1; requests != want {
					t.Errorf("%q by %d: got %d requests, want %d", c.index, limit, requests, want)
				}
			}
		}
	}
}

func namesIn(expression string) map[string]string {
	names := map[string]string{}
	for placeholder, name := range map[string]string{"#s": "Status", "#t": "Total", "#n": "Name"} {
		if strings.Contains(expression, placeholder) {
			names[placeholder] = name
		}
	}
	if len(names) == 0 {
		return nil
	}
	return names
}

func limitAppliesBeforeFilter(t *testing.T, db client) {
	fillShop(t, db)
	out, err := db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(shop), Limit: aws.Int32(7),
		KeyConditionExpression:   aws.String("PK = :p AND begins_with(SK, :o)"),
		FilterExpression:         aws.String("#s = :open"),
		ProjectionExpression:     aws.String("SK"),
		ExpressionAttributeNames: map[string]string{"#s": "Status"}, ExpressionAttributeValues: item{":p": s("c#1"), ":o": s("o#"), ":open": s("OPEN")},
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, out.Items, []item{{"SK": s("o#00")}, {"SK": s("o#03")}, {"SK": s("o#06")}})
	mustEqual(t, []int32{out.Count, out.ScannedCount}, []int32{3, 7})
	mustEqual(t, out.LastEvaluatedKey, key("c#1", "o#06"))
}

func querySelect(t *testing.T, db client) {
	fillShop(t, db)
	for _, c := range []struct {
		index    string
		mode     types.Select
		filter   string
		count    int32
		returned []string // attributes of the first item
	}{
		{"", types.SelectCount, "", 14, nil},
		{"", types.SelectCount, "attribute_exists(#s)", 4, nil},
		{"", types.SelectAllAttributes, "", 14, []string{"PK", "SK"}},
		{"Dearest", "", "", 12, []string{"Name", "PK", "SK", "Total"}},
		{"Dearest", types.SelectAllProjectedAttributes, "", 12, []string{"Name", "PK", "SK", "Total"}},
		{"Dearest", types.SelectAllAttributes, "#t = :t", 1, []string{"Name", "PK", "SK", "Status", "Total"}},
	} {
		in := &dynamodb.QueryInput{
			TableName: aws.String(shop), Select: c.mode, KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("c#1")},
		}
		if c.index != "" {
			in.IndexName = &c.index
		}
		if c.filter != "" {
			in.FilterExpression, in.ExpressionAttributeNames = &c.filter, namesIn(c.filter)
		}
		if c.filter == "#t = :t" {
			// A filter cannot refer to the sort key.
			in.FilterExpression, in.KeyConditionExpression = nil, aws.String("PK = :p AND #t = :t")
			in.ExpressionAttributeValues = item{":p": s("c#1"), ":t": n(100)}
		}
		out, err := db.Query(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if out.Count != c.count || c.mode == types.SelectCount && out.Items != nil {
			t.Errorf("%+v: got Count %d and items %v, want %d", c, out.Count, out.Items, c.count)
		}
		if c.returned != nil {
			var names []string
			for name := range out.Items[0] {
				names = append(names, name)
			}
			slices.Sort(names)
			mustEqual(t, names, c.returned)
		}
	}
}

func queryPageSize(t *testing.T, db client) {
	const size = 300 << 10
	for i := range 7 {
		put(t, db, with(key("big", fmt.Sprint(i)), "Data", s(strings.Repeat("x", size))))
	}
	out, err := db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(shop), KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("big")},
		Select: types.SelectCount, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.Count != 3 || out.LastEvaluatedKey == nil {
		t.Errorf("got %d items and LastEvaluatedKey %v, want 3 and a key", out.Count, out.LastEvaluatedKey)
	}
	if got, want := *out.ConsumedCapacity.CapacityUnits, 113.0; got != want { // 3 × 300 KB and names, in units of 4 KB, at half the cost
		t.Errorf("got %v units, want %v", got, want)
	}
	all, requests := pages(t, db, dynamodb.QueryInput{KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("big")}})
	if len(all) != 7 || requests != 3 {
		t.Errorf("got %d items in %d requests, want 7 in 3", len(all), requests)
	}
}

func invalidQueries(t *testing.T, db client) {
	ofPartition := func(in dynamodb.QueryInput) dynamodb.QueryInput {
		in.TableName = aws.String(shop)
		if in.KeyConditionExpression == nil {
			in.KeyConditionExpression, in.ExpressionAttributeValues = aws.String("PK = :p"), item{":p": s("c#1")}
		}
		return in
	}
	status := dynamodb.QueryInput{
		IndexName: aws.String("ByStatus"), KeyConditionExpression: aws.String("#s = :p"),
		ExpressionAttributeNames: map[string]string{"#s": "Status"}, ExpressionAttributeValues: item{":p": s("OPEN")},
	}
	consistent, unprojected := status, status
	consistent.ConsistentRead = aws.Bool(true)
	unprojected.IndexName, unprojected.Select = aws.String("ByTotal"), types.SelectAllAttributes
	type query = dynamodb.QueryInput
	type errorCase struct {
		message string
		in      query
	}
	cases := []errorCase{
		{"1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1", query{Limit: aws.Int32(0)}},
		{"The table does not have the specified index: Nowhere", query{IndexName: aws.String("Nowhere")}},
		{"Consistent reads are not supported on global secondary indexes", consistent},
		{"One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global secondary index ByTotal because its projection type is not ALL", unprojected},
		{"The provided starting key is invalid", query{ExclusiveStartKey: item{"PK": s("c#1")}}},
		{"Query condition missed key schema element: PK", query{KeyConditionExpression: aws.String("SK = :p"), ExpressionAttributeValues: item{":p": s("x")}}},
		{"Cannot specify the ProjectionExpression when choosing to get only the Count", query{ProjectionExpression: aws.String("PK"), Select: types.SelectCount}},
		{"Filter Expression can only contain non-primary key attributes: Primary key attribute: SK", query{FilterExpression: aws.String("SK = :p")}},
		{"ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName", query{Select: types.SelectAllProjectedAttributes}},
		{"Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {QueryFilter} Expression parameters: {KeyConditionExpression}", query{QueryFilter: map[string]types.Condition{}}},
		{"Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES", query{Select: types.SelectSpecificAttributes}},
	}
	tooLong, longSort := s(strings.Repeat("x", 2049)), s(strings.Repeat("x", 1025))
	const partitionTooLong = "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes"
	const sortTooLong = "One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
	if isEngine(db) { // other engines accept these requests
		for _, value := range []types.AttributeValue{tooLong, s(strings.Repeat("x", 65_300)), s(strings.Repeat("x", 70_000))} {
			cases = append(
				cases,
				errorCase{partitionTooLong, query{KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": value}}},
				errorCase{"The provided starting key is invalid", query{ExclusiveStartKey: item{"PK": value, "SK": s("x")}}},
			)
		}
		for _, condition := range []string{"SK = :s", "begins_with(SK, :s)", "SK BETWEEN :p AND :s", "SK > :s"} {
			cases = append(cases, errorCase{sortTooLong, query{
				KeyConditionExpression: aws.String("PK = :p AND " + condition), ExpressionAttributeValues: item{":p": s("c#1"), ":s": longSort},
			}})
		}
		onIndex := status
		onIndex.ExpressionAttributeValues = item{":p": tooLong}
		cases = append(cases, errorCase{partitionTooLong, onIndex})
		cases = append(
			cases,
			errorCase{"The provided starting key is outside query boundaries based on provided conditions", query{ExclusiveStartKey: key("c#2", "x")}},
			errorCase{"One or more parameter values were invalid: Condition parameter type does not match schema type", query{KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": n(1)}}},
			errorCase{"The provided starting key does not match the range key predicate", query{
				KeyConditionExpression: aws.String("PK = :p AND SK > :s"), ExpressionAttributeValues: item{":p": s("c#1"), ":s": s("m")}, ExclusiveStartKey: key("c#1", "a"),
			}},
		)
	}
	for _, r := range cases {
		in := ofPartition(r.in)
		_, err := db.Query(t.Context(), &in)
		wantInvalid(t, err, r.message)
	}
	_, err := db.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String(shop)})
	wantInvalid(t, err, "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.")
	var missing *types.ResourceNotFoundException
	in := ofPartition(dynamodb.QueryInput{})
	in.TableName = aws.String("Nowhere")
	if _, err := db.Query(t.Context(), &in); !errors.As(err, &missing) {
		t.Errorf("query of missing table: got %v, want ResourceNotFoundException", err)
	}
}
