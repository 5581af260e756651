package embedded_test

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// TestKeyConditions queries with the legacy parameter, also together with expressions.
func TestKeyConditions(t *testing.T) {
	db := openShop(t)
	for i, sk := range []string{"a1", "a2", "b1", "c1"} {
		put(t, db, with(key("p", sk), "Units", n(i)))
	}
	put(t, db, key("q", "a1"))
	condition := func(operator types.ComparisonOperator, values ...types.AttributeValue) types.Condition {
		return types.Condition{ComparisonOperator: operator, AttributeValueList: values}
	}
	partition := condition(types.ComparisonOperatorEq, s("p"))
	for _, tt := range []struct {
		sort types.Condition
		want []string
	}{
		{types.Condition{}, []string{"a1", "a2", "b1", "c1"}},
		{condition(types.ComparisonOperatorEq, s("b1")), []string{"b1"}},
		{condition(types.ComparisonOperatorLt, s("b1")), []string{"a1", "a2"}},
		{condition(types.ComparisonOperatorLe, s("b1")), []string{"a1", "a2", "b1"}},
		{condition(types.ComparisonOperatorGt, s("b1")), []string{"c1"}},
		{condition(types.ComparisonOperatorGe, s("b1")), []string{"b1", "c1"}},
		{condition(types.ComparisonOperatorBeginsWith, s("a")), []string{"a1", "a2"}},
		{condition(types.ComparisonOperatorBetween, s("a2"), s("b9")), []string{"a2", "b1"}},
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
		"Attempted conditional constraint is not an indexable operation":                                         {"PK": condition(types.ComparisonOperatorNe, s("p"))},
		"One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator": {"PK": condition(types.ComparisonOperatorEq)},
		"Query condition missed key schema element: PK":                                                          {"SK": condition(types.ComparisonOperatorEq, s("a1"))},
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
