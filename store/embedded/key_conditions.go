package embedded

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/expr"
)

// keyComparisons are the comparison operators of the legacy parameter KeyConditions, as
// expressions. Each :0 and :1 is a value.
var keyComparisons = map[types.ComparisonOperator]string{
	types.ComparisonOperatorEq:         "# = :0",
	types.ComparisonOperatorLe:         "# <= :0",
	types.ComparisonOperatorLt:         "# < :0",
	types.ComparisonOperatorGe:         "# >= :0",
	types.ComparisonOperatorGt:         "# > :0",
	types.ComparisonOperatorBeginsWith: "begins_with(#, :0)",
	types.ComparisonOperatorBetween:    "# BETWEEN :0 AND :1",
}

// parseKeyConditions translates KeyConditions to a key condition expression.
func parseKeyConditions(conditions map[string]types.Condition) (*expr.KeyCondition, error) {
	if len(conditions) != 1 && len(conditions) != 2 {
		return nil, invalidf("Conditions can be of length 1 or 2 only")
	}
	names, values := map[string]string{}, Item{}
	var terms []string
	for i, name := range slices.Sorted(maps.Keys(conditions)) {
		condition := conditions[name]
		comparison, known := keyComparisons[condition.ComparisonOperator]
		if !known {
			return nil, invalidf("Attempted conditional constraint is not an indexable operation")
		}
		if len(condition.AttributeValueList) != strings.Count(comparison, ":") {
			return nil, invalidParameter("Invalid number of argument(s) for the %s ComparisonOperator", condition.ComparisonOperator)
		}
		placeholder := fmt.Sprintf("#k%d", i)
		names[placeholder] = name
		term := strings.ReplaceAll(comparison, "#", placeholder)
		for j, value := range condition.AttributeValueList {
			used := fmt.Sprintf(":v%d%d", i, j)
			values[used] = value
			term = strings.ReplaceAll(term, fmt.Sprintf(":%d", j), used)
		}
		terms = append(terms, term)
	}
	scope, err := expr.NewScope(names, values)
	if err != nil {
		return nil, invalid(err)
	}
	condition, err := scope.KeyCondition(strings.Join(terms, " AND "))
	if err != nil {
		return nil, invalid(err)
	}
	return condition, nil
}
