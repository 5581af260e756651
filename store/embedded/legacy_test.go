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

func compare(operator types.ComparisonOperator, values ...types.AttributeValue) types.Condition {
	return types.Condition{ComparisonOperator: operator, AttributeValueList: values}
}

func list(values ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: values}
}

func stringSet(values ...string) types.AttributeValue {
	return &types.AttributeValueMemberSS{Value: values}
}

// legacyKeyConditions tests queries with KeyConditions. Some of them also contain
// expressions.
func legacyKeyConditions(t *testing.T, db client) {
	for i, sk := range []string{"a1", "a2", "b1", "c1"} {
		put(t, db, with(key("p", sk), "Units", n(i)))
	}
	put(t, db, key("q", "a1"))
	partition := compare(types.ComparisonOperatorEq, s("p"))
	for _, tt := range []struct {
		sort types.Condition
		want []string
	}{
		{types.Condition{}, []string{"a1", "a2", "b1", "c1"}},
		{compare(types.ComparisonOperatorEq, s("b1")), []string{"b1"}},
		{compare(types.ComparisonOperatorLt, s("b1")), []string{"a1", "a2"}},
		{compare(types.ComparisonOperatorLe, s("b1")), []string{"a1", "a2", "b1"}},
		{compare(types.ComparisonOperatorGt, s("b1")), []string{"c1"}},
		{compare(types.ComparisonOperatorGe, s("b1")), []string{"b1", "c1"}},
		{compare(types.ComparisonOperatorBeginsWith, s("a")), []string{"a1", "a2"}},
		{compare(types.ComparisonOperatorBetween, s("a2"), s("b9")), []string{"a2", "b1"}},
	} {
		conditions := map[string]types.Condition{"PK": partition}
		if tt.sort.ComparisonOperator != "" {
			conditions["SK"] = tt.sort
		}
		out, err := db.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String(shop), KeyConditions: conditions, AttributesToGet: []string{"SK"}})
		if err != nil {
			t.Fatal(err)
		}
		var want []item
		for _, sk := range tt.want {
			want = append(want, item{"SK": s(sk)})
		}
		mustEqual(t, out.Items, want)
	}
	if !isEngine(db) { // Dynoxide rejects KeyConditions together with expressions
		return
	}
	out, err := db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(shop), KeyConditions: map[string]types.Condition{"PK": partition},
		FilterExpression: aws.String("Units > :t"), ProjectionExpression: aws.String("SK"), ExpressionAttributeValues: item{":t": n(1)},
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, out.Items, []item{{"SK": s("b1")}, {"SK": s("c1")}})
	for message, conditions := range map[string]map[string]types.Condition{
		"Conditions can be of length 1 or 2 only":                                                                {},
		"Attempted conditional constraint is not an indexable operation":                                         {"PK": compare(types.ComparisonOperatorNe, s("p"))},
		"One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator": {"PK": compare(types.ComparisonOperatorEq)},
		"Query condition missed key schema element: PK":                                                          {"SK": compare(types.ComparisonOperatorEq, s("a1"))},
	} {
		_, err := db.Query(t.Context(), &dynamodb.QueryInput{TableName: aws.String(shop), KeyConditions: conditions})
		wantInvalid(t, err, message)
	}
	_, err = db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(shop), KeyConditions: map[string]types.Condition{"PK": partition},
		KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("p")},
	})
	wantInvalid(t, err, "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {KeyConditions} Expression parameters: {KeyConditionExpression}")
}

// legacyComparisons contains comparisons. The field want contains the sort keys of the
// items in legacyItems for which the comparison is true.
var legacyComparisons = []struct {
	attribute string
	condition types.Condition
	want      string
}{
	{"Name", compare(types.ComparisonOperatorEq, s("banana")), "b"},
	{"Name", compare(types.ComparisonOperatorEq, n(1)), ""},
	{"Tags", compare(types.ComparisonOperatorEq, stringSet("y", "x")), "a"},
	{"List", compare(types.ComparisonOperatorEq, list(n("1.0"), s("x"))), "a"},
	{"Name", compare(types.ComparisonOperatorNe, s("banana")), "acd"},
	{"Name", compare(types.ComparisonOperatorLt, s("banana")), "a"},
	{"Name", compare(types.ComparisonOperatorLe, s("banana")), "ab"},
	{"Units", compare(types.ComparisonOperatorGt, n(2)), "c"},
	{"Units", compare(types.ComparisonOperatorGe, n("2.0")), "bc"},
	{"Units", compare(types.ComparisonOperatorGe, s("2")), ""},
	{"Units", compare(types.ComparisonOperatorBetween, n(2), n(10)), "bc"},
	{"Units", compare(types.ComparisonOperatorIn, n(1), n(10), n(7)), "ac"},
	{"Units", compare(types.ComparisonOperatorNotNull), "abc"},
	{"Units", compare(types.ComparisonOperatorNull), "d"},
	{"Nothing", compare(types.ComparisonOperatorNotNull), "d"},
	{"Name", compare(types.ComparisonOperatorContains, s("an")), "b"},
	{"Tags", compare(types.ComparisonOperatorContains, s("y")), "a"},
	{"List", compare(types.ComparisonOperatorContains, n(1)), "a"},
	{"Name", compare(types.ComparisonOperatorNotContains, s("an")), "ac"},
	{"Tags", compare(types.ComparisonOperatorNotContains, s("y")), "b"},
	{"Missing", compare(types.ComparisonOperatorNotContains, s("y")), ""},
	{"Name", compare(types.ComparisonOperatorBeginsWith, s("ch")), "c"},
	{"Units", compare(types.ComparisonOperatorBeginsWith, s("1")), ""},
	{"Data", compare(types.ComparisonOperatorBeginsWith, b(1)), "a"},
}

func legacyItems() []item {
	return []item{
		with(key("p", "a"), "Name", s("apple"), "Units", n(1), "Tags", stringSet("x", "y"), "List", list(n(1), s("x")), "Data", b(1, 2)),
		with(key("p", "b"), "Name", s("banana"), "Units", n(2), "Tags", stringSet("x")),
		with(key("p", "c"), "Name", s("cherry"), "Units", n(10)),
		with(key("p", "d"), "Nothing", &types.AttributeValueMemberNULL{Value: true}),
	}
}

func sortKeys(items []item) (joined string) {
	for _, it := range items {
		joined += it["SK"].(*types.AttributeValueMemberS).Value
	}
	return joined
}

func legacyFilters(t *testing.T, db client) {
	put(t, db, legacyItems()...)
	partition := map[string]types.Condition{"PK": compare(types.ComparisonOperatorEq, s("p"))}
	table, total := aws.String(shop), types.ReturnConsumedCapacityTotal
	check := func(filter map[string]types.Condition, operator types.ConditionalOperator, want string) {
		t.Helper()
		q, err := db.Query(t.Context(), &dynamodb.QueryInput{TableName: table, KeyConditions: partition, QueryFilter: filter, ConditionalOperator: operator, ReturnConsumedCapacity: total})
		if err != nil {
			t.Fatalf("%v: %v", filter, err)
		}
		if got := sortKeys(q.Items); got != want || q.ScannedCount != 4 || *q.ConsumedCapacity.CapacityUnits != 0.5 {
			t.Errorf("query with filter %v: got %q of %d for %v units, want %q of 4 for 0.5", filter, got, q.ScannedCount, *q.ConsumedCapacity.CapacityUnits, want)
		}
		sc, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: table, ScanFilter: filter, ConditionalOperator: operator, AttributesToGet: []string{"SK"}, ReturnConsumedCapacity: total})
		if err != nil {
			t.Fatalf("%v: %v", filter, err)
		}
		slices.SortFunc(sc.Items, func(a, b item) int { return strings.Compare(sortKeys([]item{a}), sortKeys([]item{b})) })
		if got := sortKeys(sc.Items); got != want || sc.ScannedCount != 4 || *sc.ConsumedCapacity.CapacityUnits != 0.5 {
			t.Errorf("scan with filter %v: got %q of %d for %v units, want %q of 4 for 0.5", filter, got, sc.ScannedCount, *sc.ConsumedCapacity.CapacityUnits, want)
		}
	}
	for _, c := range legacyComparisons {
		if !isEngine(db) && c.condition.ComparisonOperator == types.ComparisonOperatorNotContains {
			continue // Dynoxide also selects items without the attribute
		}
		check(map[string]types.Condition{c.attribute: c.condition}, "", c.want)
	}
	several := map[string]types.Condition{
		"Name": compare(types.ComparisonOperatorEq, s("apple")), "Units": compare(types.ComparisonOperatorGt, n(2)), "Nothing": compare(types.ComparisonOperatorNotNull),
	}
	check(several, "", "")
	check(several, types.ConditionalOperatorAnd, "")
	check(several, types.ConditionalOperatorOr, "acd")
	check(map[string]types.Condition{}, "", "abcd")
	// The limits of expressions do not apply to legacy parameters.
	many := make(members, 150)
	for i := range many {
		many[i] = n(i + 2)
	}
	check(map[string]types.Condition{"Units": compare(types.ComparisonOperatorIn, many...)}, "", "bc")
}

// legacyConditions tests Expected in each operation that has this parameter.
func legacyConditions(t *testing.T, db client) {
	type expected = map[string]types.ExpectedAttributeValue
	table, total := aws.String(shop), types.ReturnConsumedCapacityTotal
	items := legacyItems()
	put(t, db, items...)
	writes := func(k item, e expected, operator types.ConditionalOperator) []error {
		p, putErr := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: table, Item: k, Expected: e, ConditionalOperator: operator, ReturnConsumedCapacity: total})
		if putErr == nil {
			mustEqual(t, *p.ConsumedCapacity.CapacityUnits, 1.0)
			put(t, db, items...)
		}
		_, updateErr := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{TableName: table, Key: k, Expected: e, ConditionalOperator: operator})
		_, deleteErr := db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: table, Key: k, Expected: e, ConditionalOperator: operator})
		put(t, db, items...)
		return []error{putErr, updateErr, deleteErr}
	}
	check := func(sk string, e expected, operator types.ConditionalOperator, want bool) {
		t.Helper()
		for i, err := range writes(key("p", sk), e, operator) {
			var failed *types.ConditionalCheckFailedException
			if want && err != nil || !want && !errors.As(err, &failed) {
				t.Errorf("write %d of %s with %v: got %v, want success: %v", i, sk, e, err, want)
			}
		}
	}
	for _, c := range legacyComparisons {
		if !isEngine(db) && c.condition.ComparisonOperator == types.ComparisonOperatorNotContains {
			continue // Dynoxide also selects items without the attribute
		}
		for _, sk := range []string{"a", "b", "c", "d"} {
			e := types.ExpectedAttributeValue{ComparisonOperator: c.condition.ComparisonOperator, AttributeValueList: c.condition.AttributeValueList}
			check(sk, expected{c.attribute: e}, "", strings.Contains(c.want, sk))
		}
	}
	check("a", expected{"Name": {Value: s("apple")}}, "", true)
	check("b", expected{"Name": {Value: s("apple")}}, "", false)
	check("a", expected{"Name": {Exists: aws.Bool(true), Value: s("apple")}}, "", true)
	check("a", expected{"Name": {ComparisonOperator: types.ComparisonOperatorNe, Value: s("apple")}}, "", false)
	check("d", expected{"Name": {Exists: aws.Bool(false)}}, "", true)
	check("a", expected{"Name": {Exists: aws.Bool(false)}}, "", false)
	several := expected{"Name": {Value: s("apple")}, "Units": {ComparisonOperator: types.ComparisonOperatorGt, AttributeValueList: members{n(5)}}}
	check("a", several, "", false)
	check("a", several, types.ConditionalOperatorAnd, false)
	check("a", several, types.ConditionalOperatorOr, true)
	check("b", several, types.ConditionalOperatorOr, false)
}

func legacyUpdates(t *testing.T, db client) {
	type updates = map[string]types.AttributeValueUpdate
	update := func(sk string, u updates, mode types.ReturnValue) (*dynamodb.UpdateItemOutput, error) {
		return db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String(shop), Key: key("p", sk), AttributeUpdates: u, ReturnValues: mode, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
	}
	add, del := types.AttributeActionAdd, types.AttributeActionDelete
	put(t, db, with(key("p", "a"), "Name", s("x"), "Units", n(1), "Tags", stringSet("x", "y"), "List", list(n(1)), "Old", s("z")))
	out, err := update("a", updates{
		"Name": {Value: s("y")}, "New": {Action: types.AttributeActionPut, Value: n("2.0")}, "Units": {Action: add, Value: n("2.5")},
		"Tags": {Action: del, Value: stringSet("y", "q")}, "List": {Action: add, Value: list(n(1), s("b"))}, "Old": {Action: del}, "Nothing": {Action: del},
		"Count": {Action: add, Value: n(4)}, "Notes": {Action: add, Value: list(s("first"))},
	}, types.ReturnValueAllNew)
	if err != nil {
		t.Fatal(err)
	}
	want := with(key("p", "a"), "Name", s("y"), "New", n(2), "Units", n("3.5"), "Tags", stringSet("x"), "List", list(n(1), n(1), s("b")), "Count", n(4), "Notes", list(s("first")))
	mustEqual(t, out.Attributes, want)
	mustEqual(t, get(t, db, key("p", "a")), want)
	mustEqual(t, *out.ConsumedCapacity.CapacityUnits, 1.0)
	for mode, changed := range map[types.ReturnValue]item{types.ReturnValueUpdatedOld: {"Units": n("3.5")}, types.ReturnValueUpdatedNew: {"Units": n("4.5")}} {
		out, err := update("a", updates{"Units": {Action: add, Value: n(1)}}, mode)
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, out.Attributes, changed)
		put(t, db, want)
	}
	if _, err := update("a", updates{"Tags": {Action: del, Value: stringSet("x")}}, ""); err != nil {
		t.Fatal(err)
	}
	if _, exists := get(t, db, key("p", "a"))["Tags"]; exists {
		t.Error("got an attribute after its last member was deleted, want none")
	}
	for _, u := range []updates{
		{"Name": {Action: del, Value: stringSet("x")}}, {"Name": {Action: add, Value: n(1)}}, {"Units": {Action: add, Value: stringSet("x")}}, {"Name": {Action: add, Value: list()}},
	} {
		_, err := update("a", u, "")
		wantInvalid(t, err, "Type mismatch for attribute to update")
	}
	_, err = update("a", updates{"SK": {Value: s("b")}}, "")
	wantInvalid(t, err, "One or more parameter values were invalid: Cannot update attribute SK. This attribute is part of the key")
	// Many attributes exceed the limits of expressions.
	many, all := updates{}, key("p", "many")
	for i := range 600 {
		name := fmt.Sprintf("Attribute%d", i)
		many[name] = types.AttributeValueUpdate{Value: n(i)}
		all[name] = n(i)
	}
	if _, err := update("many", many, ""); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, get(t, db, key("p", "many")), all)
	if _, err := update("empty", updates{}, ""); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, get(t, db, key("p", "empty")), key("p", "empty"))
}

// updateOfMissingItem checks that updates that only remove something create no item.
func updateOfMissingItem(t *testing.T, db client) {
	if !isEngine(db) { // Dynoxide creates these items
		return
	}
	table := aws.String(shop)
	for i, in := range []*dynamodb.UpdateItemInput{
		{UpdateExpression: aws.String("REMOVE #a"), ExpressionAttributeNames: map[string]string{"#a": "Name"}},
		{UpdateExpression: aws.String("DELETE #a :v"), ExpressionAttributeNames: map[string]string{"#a": "Name"}, ExpressionAttributeValues: item{":v": stringSet("x")}},
		{AttributeUpdates: map[string]types.AttributeValueUpdate{"Name": {Action: types.AttributeActionDelete}}},
		{AttributeUpdates: map[string]types.AttributeValueUpdate{"Name": {Action: types.AttributeActionDelete, Value: stringSet("x")}}},
	} {
		in.TableName, in.Key, in.ReturnValues = table, key("p", fmt.Sprint(i)), types.ReturnValueAllNew
		out, err := db.UpdateItem(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		mustEqual(t, out.Attributes, item(nil))
		mustEqual(t, get(t, db, in.Key), item(nil))
	}
	in := &dynamodb.UpdateItemInput{TableName: table, Key: key("p", "set"), UpdateExpression: aws.String("SET Units = :v REMOVE Quantity"), ExpressionAttributeValues: item{":v": n(1)}}
	if _, err := db.UpdateItem(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	mustEqual(t, get(t, db, in.Key), with(in.Key, "Units", n(1)))
}

func invalidLegacyParameters(t *testing.T, db client) {
	if !isEngine(db) { // Dynoxide accepts some of these requests
		return
	}
	type (
		conditions = map[string]types.Condition
		expected   = map[string]types.ExpectedAttributeValue
		updates    = map[string]types.AttributeValueUpdate
	)
	const invalid, mixed = "One or more parameter values were invalid: ", "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: "
	table, and := aws.String(shop), types.ConditionalOperatorAnd
	one := compare(types.ComparisonOperatorEq, s("x"))
	for message, filter := range map[string]types.Condition{
		invalid + "Invalid number of argument(s) for the EQ ComparisonOperator":                            compare(types.ComparisonOperatorEq),
		invalid + "Invalid number of argument(s) for the NULL ComparisonOperator":                          compare(types.ComparisonOperatorNull, s("x")),
		invalid + "Invalid number of argument(s) for the IN ComparisonOperator":                            compare(types.ComparisonOperatorIn),
		invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator":                       compare(types.ComparisonOperatorBetween, s("x")),
		invalid + "AttributeValues inside AttributeValueList must be of same type":                         compare(types.ComparisonOperatorIn, s("x"), n(1)),
		invalid + "ComparisonOperator LT is not valid for BOOL AttributeValue type":                        compare(types.ComparisonOperatorLt, &types.AttributeValueMemberBOOL{}),
		invalid + "ComparisonOperator CONTAINS is not valid for L AttributeValue type":                     compare(types.ComparisonOperatorContains, list()),
		invalid + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type":                  compare(types.ComparisonOperatorBeginsWith, n(1)),
		"The BETWEEN condition was provided a range where the lower bound is greater than the upper bound": compare(types.ComparisonOperatorBetween, n(10), n(9)),
		"The parameter cannot be converted to a numeric value: x":                                          compare(types.ComparisonOperatorEq, n("x")),
	} {
		_, err := db.Scan(t.Context(), &dynamodb.ScanInput{TableName: table, ScanFilter: conditions{"Name": filter}})
		wantInvalid(t, err, message)
		_, err = db.Query(t.Context(), &dynamodb.QueryInput{TableName: table, QueryFilter: conditions{"Name": filter}, KeyConditions: conditions{"PK": one}})
		wantInvalid(t, err, message)
		_, err = db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: table, Key: key("p", "a"), Expected: expected{"Name": {
			ComparisonOperator: filter.ComparisonOperator, AttributeValueList: append(members{}, filter.AttributeValueList...),
		}}})
		wantInvalid(t, err, message)
	}
	for message, in := range map[string]*dynamodb.ScanInput{
		"ConditionalOperator cannot be used without Filter or Expected":                         {ConditionalOperator: and},
		"ConditionalOperator can only be used when Filter or Expected has two or more elements": {ConditionalOperator: and, ScanFilter: conditions{"Name": one}},
		mixed + "{ScanFilter} Expression parameters: {ProjectionExpression}":                    {ScanFilter: conditions{"Name": one}, ProjectionExpression: aws.String("SK")},
		mixed + "{AttributesToGet, ScanFilter, ConditionalOperator} Expression parameters: {ProjectionExpression, FilterExpression}": {
			AttributesToGet: []string{"SK"}, ScanFilter: conditions{"Name": one}, ConditionalOperator: and, ProjectionExpression: aws.String("SK"), FilterExpression: aws.String("SK = PK"),
		},
		"Cannot specify the AttributesToGet when choosing to get only the Count": {AttributesToGet: []string{"SK"}, Select: types.SelectCount},
	} {
		in.TableName = table
		_, err := db.Scan(t.Context(), in)
		wantInvalid(t, err, message)
	}
	for message, in := range map[string]*dynamodb.QueryInput{
		"QueryFilter can only contain non-primary key attributes: Primary key attribute: SK":             {KeyConditions: conditions{"PK": one}, QueryFilter: conditions{"SK": one}},
		"ConditionalOperator cannot be used without Filter or Expected":                                  {ConditionalOperator: and},
		"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.": {QueryFilter: conditions{"Name": one}},
		mixed + "{QueryFilter} Expression parameters: {KeyConditionExpression}":                          {QueryFilter: conditions{"Name": one}, KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("p")}},
	} {
		in.TableName = table
		_, err := db.Query(t.Context(), in)
		wantInvalid(t, err, message)
	}
	_, err := db.Query(t.Context(), &dynamodb.QueryInput{TableName: table, KeyConditions: conditions{"PK": one}, QueryFilter: conditions{"Name": {ComparisonOperator: "LIKE"}}})
	wantInvalid(t, err, "1 validation error detected: Value 'LIKE' at 'queryFilter.Name.member.comparisonOperator' failed to satisfy constraint: "+
		"Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]")
	for message, in := range map[string]*dynamodb.UpdateItemInput{
		invalid + "Value and AttributeValueList cannot be used together for Attribute: a":                                                                                      {Expected: expected{"a": {ComparisonOperator: types.ComparisonOperatorEq, Value: s("x"), AttributeValueList: members{s("x")}}}},
		invalid + "Exists and ComparisonOperator cannot be used together for Attribute: a":                                                                                     {Expected: expected{"a": {ComparisonOperator: types.ComparisonOperatorNull, Exists: aws.Bool(false)}}},
		invalid + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a":                                                                      {Expected: expected{"a": {ComparisonOperator: types.ComparisonOperatorEq}}},
		invalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a":                                                                             {Expected: expected{"a": {AttributeValueList: members{s("x")}}}},
		invalid + "Value must be provided when Exists is null for Attribute: a":                                                                                                {Expected: expected{"a": {}}},
		invalid + "Value must be provided when Exists is true for Attribute: a":                                                                                                {Expected: expected{"a": {Exists: aws.Bool(true)}}},
		invalid + "Value cannot be used when Exists is false for Attribute: a":                                                                                                 {Expected: expected{"a": {Exists: aws.Bool(false), Value: s("x")}}},
		invalid + "Only DELETE action is allowed when no attribute value is specified":                                                                                         {AttributeUpdates: updates{"a": {}}},
		invalid + "DELETE action with value is not supported for the type L":                                                                                                   {AttributeUpdates: updates{"a": {Action: types.AttributeActionDelete, Value: list()}}},
		invalid + "ADD action is not supported for the type S":                                                                                                                 {AttributeUpdates: updates{"a": {Action: types.AttributeActionAdd, Value: s("x")}}},
		mixed + "{AttributeUpdates, Expected} Expression parameters: {UpdateExpression, ConditionExpression}":                                                                  {AttributeUpdates: updates{}, Expected: expected{}, UpdateExpression: aws.String(""), ConditionExpression: aws.String("")},
		"ConditionalOperator can only be used when Filter or Expected has two or more elements":                                                                                {ConditionalOperator: and, Expected: expected{"a": {Value: s("x")}}},
		"1 validation error detected: Value 'MOVE' at 'attributeUpdates.a.member.action' failed to satisfy constraint: Member must satisfy enum value set: [ADD, DELETE, PUT]": {AttributeUpdates: updates{"a": {Action: "MOVE", Value: s("x")}}},
	} {
		in.TableName, in.Key = table, key("p", "a")
		_, err := db.UpdateItem(t.Context(), in)
		wantInvalid(t, err, message)
	}
	mustEqual(t, get(t, db, key("p", "a")), item(nil))
}
