package embedded

import (
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/expr"
)

// Names of legacy parameters. DynamoDB has replaced these parameters with expressions. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LegacyConditionalParameters.html.
const (
	attributesToGet     = "AttributesToGet"
	attributeUpdates    = "AttributeUpdates"
	expectedParameter   = "Expected"
	keyConditions       = "KeyConditions"
	queryFilter         = "QueryFilter"
	scanFilter          = "ScanFilter"
	conditionalOperator = "ConditionalOperator"
)

// operands describes the values that a comparison operator accepts: their number and types.
type operands struct {
	least, most int
	types       string // DynamoDB types, separated by spaces; "" means all
}

var comparisonOperands = map[types.ComparisonOperator]operands{
	types.ComparisonOperatorNull:        {},
	types.ComparisonOperatorNotNull:     {},
	types.ComparisonOperatorEq:          {1, 1, ""},
	types.ComparisonOperatorNe:          {1, 1, ""},
	types.ComparisonOperatorLe:          {1, 1, "S N B"},
	types.ComparisonOperatorLt:          {1, 1, "S N B"},
	types.ComparisonOperatorGe:          {1, 1, "S N B"},
	types.ComparisonOperatorGt:          {1, 1, "S N B"},
	types.ComparisonOperatorContains:    {1, 1, "S N B"},
	types.ComparisonOperatorNotContains: {1, 1, "S N B"},
	types.ComparisonOperatorBeginsWith:  {1, 1, "S B"},
	types.ComparisonOperatorIn:          {1, 1 << 20, "S N B"},
	types.ComparisonOperatorBetween:     {2, 2, "S N B"},
}

// keyOperators are the comparison operators that KeyConditions supports.
var keyOperators = []types.ComparisonOperator{
	types.ComparisonOperatorEq, types.ComparisonOperatorLe, types.ComparisonOperatorLt, types.ComparisonOperatorGe,
	types.ComparisonOperatorGt, types.ComparisonOperatorBeginsWith, types.ComparisonOperatorBetween,
}

// newComparison checks a comparison, and normalizes its values.
func newComparison(attribute string, operator types.ComparisonOperator, values []types.AttributeValue) (expr.Comparison, error) {
	c := expr.Comparison{Attribute: attribute, Operator: operator, Values: make([]types.AttributeValue, len(values))}
	for i, value := range values {
		var err error
		if c.Values[i], err = expr.NormalizeValue(value); err != nil {
			return c, invalid(err)
		}
	}
	accepted := comparisonOperands[operator]
	if len(values) < accepted.least || len(values) > accepted.most {
		return c, invalidParameter("Invalid number of argument(s) for the %s ComparisonOperator", operator)
	}
	for _, value := range values {
		if expr.TypeOf(value) != expr.TypeOf(values[0]) {
			return c, invalidParameter("AttributeValues inside AttributeValueList must be of same type")
		}
	}
	for _, value := range values {
		if kind := expr.TypeOf(value); accepted.types != "" && !slices.Contains(strings.Fields(accepted.types), kind) {
			return c, invalidParameter("ComparisonOperator %s is not valid for %s AttributeValue type", operator, kind)
		}
	}
	if operator == types.ComparisonOperatorBetween {
		if order, ok := expr.OrderValues(c.Values[0], c.Values[1]); ok && order > 0 {
			return c, invalidf("The BETWEEN condition was provided a range where the lower bound is greater than the upper bound")
		}
	}
	return c, nil
}

// conditions checks the operators of a filter or of KeyConditions.
func (c *constraints) conditions(conditions map[string]types.Condition, member string) {
	if conditions == nil { // most requests have no conditions
		return
	}
	for _, attribute := range slices.Sorted(maps.Keys(conditions)) {
		at := member + "." + attribute + ".member.comparisonOperator"
		operator := conditions[attribute].ComparisonOperator
		c.notNull(operator != "", at)
		enum(c, operator, at, comparisonOperators)
	}
}

func newComparisons(conditions map[string]types.Condition) ([]expr.Comparison, error) {
	var comparisons []expr.Comparison
	for _, attribute := range slices.Sorted(maps.Keys(conditions)) {
		condition := conditions[attribute]
		comparison, err := newComparison(attribute, condition.ComparisonOperator, condition.AttributeValueList)
		if err != nil {
			return nil, err
		}
		comparisons = append(comparisons, comparison)
	}
	return comparisons, nil
}

// parseLegacyFilter returns the condition of QueryFilter or ScanFilter, or nil.
func parseLegacyFilter(conditions map[string]types.Condition, operator types.ConditionalOperator) (*expr.Condition, error) {
	comparisons, err := newComparisons(conditions)
	return expr.NewCondition(operator == types.ConditionalOperatorOr, comparisons), err
}

// parseLegacyShape parses AttributesToGet, which may be nil, and a filter.
func parseLegacyShape(attributes []string, filter map[string]types.Condition, operator types.ConditionalOperator) (shape, error) {
	condition, err := parseLegacyFilter(filter, operator)
	if err != nil {
		return shape{}, err
	}
	var projection *expr.Projection
	if attributes != nil {
		if projection, err = parseAttributes(attributes); err != nil {
			return shape{}, err
		}
	}
	parsed := newShape(projection, condition)
	parsed.legacy = true
	return parsed, nil
}

func parseKeyConditions(conditions map[string]types.Condition) (*expr.KeyCondition, error) {
	comparisons, err := newComparisons(conditions)
	if err != nil {
		return nil, err
	}
	if len(conditions) == 0 {
		return nil, errConditionCount()
	}
	for _, comparison := range comparisons {
		if !slices.Contains(keyOperators, comparison.Operator) {
			return nil, invalidf("Attempted conditional constraint is not an indexable operation")
		}
	}
	return expr.NewKeyCondition(comparisons), nil
}

// errConditionCount returns the error for a wrong number of KeyConditions. For keys with
// several attributes, DynamoDB returns other errors.
func errConditionCount() error { return invalidf("Conditions can be of length 1 or 2 only") }

// expectation contains the legacy parameters for the condition of a write: Expected and
// ConditionalOperator.
type expectation struct {
	expected map[string]types.ExpectedAttributeValue
	operator types.ConditionalOperator
}

// expect adds the legacy parameters of an expectation to the parameters of a write.
func (e *expressions) expect(x expectation) {
	e.legacy = append(e.legacy, parameter{expectedParameter, x.expected != nil}, parameter{conditionalOperator, x.operator != ""})
	e.conditional, e.conditions = x.operator, len(x.expected)
}

func (c *constraints) expectation(e expectation) {
	enum(c, e.operator, "conditionalOperator", conditionalOperators)
	if e.expected == nil { // most writes have no legacy condition
		return
	}
	for _, attribute := range slices.Sorted(maps.Keys(e.expected)) {
		enum(c, e.expected[attribute].ComparisonOperator, "expected."+attribute+".member.comparisonOperator", comparisonOperators)
	}
}

// parse returns the condition, or nil if there is none.
func (e expectation) parse() (*expr.Condition, error) {
	var comparisons []expr.Comparison
	for _, attribute := range slices.Sorted(maps.Keys(e.expected)) {
		comparison, err := expectedComparison(attribute, e.expected[attribute])
		if err != nil {
			return nil, err
		}
		comparisons = append(comparisons, comparison)
	}
	return expr.NewCondition(e.operator == types.ConditionalOperatorOr, comparisons), nil
}

func expectedComparison(attribute string, expected types.ExpectedAttributeValue) (expr.Comparison, error) {
	fail := func(format string, args ...any) (expr.Comparison, error) {
		return expr.Comparison{}, invalidParameter(format+" for Attribute: "+attribute, args...)
	}
	operator, values := expected.ComparisonOperator, expected.AttributeValueList
	if expected.Value != nil {
		if values != nil {
			return fail("Value and AttributeValueList cannot be used together")
		}
		values = []types.AttributeValue{expected.Value}
	}
	takesValues := operator != types.ComparisonOperatorNull && operator != types.ComparisonOperatorNotNull
	switch exists := expected.Exists == nil || *expected.Exists; {
	case operator != "" && expected.Exists != nil:
		return fail("Exists and ComparisonOperator cannot be used together")
	case operator != "" && takesValues && values == nil:
		return fail("Value or AttributeValueList must be used with ComparisonOperator: %s", operator)
	case operator != "":
		return newComparison(attribute, operator, values)
	case expected.AttributeValueList != nil:
		return fail("AttributeValueList can only be used with a ComparisonOperator")
	case exists && values == nil:
		given := "null"
		if expected.Exists != nil {
			given = "true"
		}
		return fail("Value must be provided when Exists is %s", given)
	case !exists && values != nil:
		return fail("Value cannot be used when Exists is false")
	case !exists:
		return newComparison(attribute, types.ComparisonOperatorNull, nil)
	}
	return newComparison(attribute, types.ComparisonOperatorEq, values)
}

func (c *constraints) attributeUpdates(updates map[string]types.AttributeValueUpdate) {
	if updates == nil { // most updates have no legacy parameters
		return
	}
	for _, attribute := range slices.Sorted(maps.Keys(updates)) {
		enum(c, updates[attribute].Action, "attributeUpdates."+attribute+".member.action", attributeActions)
	}
}

// parseAttributeUpdates returns the update of AttributeUpdates, or nil if there is
// none.
func parseAttributeUpdates(updates map[string]types.AttributeValueUpdate) (*expr.Update, error) {
	var parsed []expr.AttributeUpdate
	for _, attribute := range slices.Sorted(maps.Keys(updates)) {
		update := expr.AttributeUpdate{Attribute: attribute, Action: updates[attribute].Action}
		if value := updates[attribute].Value; value != nil {
			var err error
			if update.Value, err = expr.NormalizeValue(value); err != nil {
				return nil, invalid(err)
			}
		}
		kind := expr.TypeOf(update.Value)
		switch {
		case update.Value == nil && update.Action != types.AttributeActionDelete:
			return nil, invalidParameter("Only DELETE action is allowed when no attribute value is specified")
		case update.Value != nil && update.Action == types.AttributeActionDelete && !slices.Contains([]string{"SS", "NS", "BS"}, kind):
			return nil, invalidParameter("DELETE action with value is not supported for the type %s", kind)
		case update.Action == types.AttributeActionAdd && !slices.Contains([]string{"L", "SS", "NS", "BS", "N"}, kind):
			return nil, invalidParameter("ADD action is not supported for the type %s", kind)
		}
		parsed = append(parsed, update)
	}
	if parsed == nil {
		return nil, nil
	}
	return expr.NewUpdate(parsed), nil
}

func parseAttributes(attributes []string) (*expr.Projection, error) {
	if len(attributes) == 0 {
		return nil, invalidf("1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1")
	}
	seen := make(map[string]bool, len(attributes))
	for _, name := range attributes {
		if seen[name] {
			return nil, invalidParameter("Duplicate value in attribute name: %s", name)
		}
		seen[name] = true
	}
	return expr.NewProjection(attributes), nil
}
