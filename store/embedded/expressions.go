package embedded

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/expr"
)

// parameter is a request parameter, with its name for error messages.
type parameter struct {
	name string
	set  bool
}

// expressions contains the parameters of a request from which expressions are parsed.
type expressions struct {
	names      map[string]string
	values     Item
	parameters []parameter
	legacy     []parameter // legacy parameters that cannot be combined with expressions
	// conditional says how several conditions of legacy parameters are combined.
	conditional types.ConditionalOperator
	conditions  int
}

// scope makes DynamoDB's checks before parsing, and returns the scope for parsing.
func (e *expressions) scope() (*expr.Scope, error) {
	hasExpressions := slices.ContainsFunc(e.parameters, isSet)
	switch hasLegacy := slices.ContainsFunc(e.legacy, isSet); {
	case hasExpressions && hasLegacy:
		return nil, invalidf("Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {%s} Expression parameters: {%s}", setNames(e.legacy), setNames(e.parameters))
	case e.conditional != "" && e.conditions == 0:
		return nil, invalidf("ConditionalOperator cannot be used without Filter or Expected")
	case e.conditional != "" && e.conditions == 1:
		return nil, invalidf("ConditionalOperator can only be used when Filter or Expected has two or more elements")
	case e.names != nil && !hasExpressions:
		return nil, invalidf("ExpressionAttributeNames can only be specified when using expressions")
	}
	if e.values != nil {
		if err := e.checkValuesUsable(); err != nil {
			return nil, err
		}
	}
	scope, err := expr.NewScope(e.names, e.values)
	if err != nil {
		return nil, invalid(err)
	}
	return scope, nil
}

func isSet(p parameter) bool { return p.set }

func setNames(parameters []parameter) string {
	var names []string
	for _, p := range parameters {
		if p.set {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, ", ")
}

// checkValuesUsable returns an error if the request has values but no expression that
// can use them. A projection cannot use values.
func (e *expressions) checkValuesUsable() error {
	var absent []string
	for _, p := range e.parameters {
		if p.name == "ProjectionExpression" {
			continue
		}
		if p.set {
			return nil
		}
		absent = append(absent, p.name)
	}
	are := " are null"
	if len(absent) == 1 {
		are = " is null"
	}
	return invalidf("ExpressionAttributeValues can only be specified when using expressions: %s", strings.Join(absent, " and ")+are)
}

// conditionExpressions returns the expressions of a put, a delete or a condition
// check.
func conditionExpressions(names map[string]string, values Item, condition *string) expressions {
	return expressions{names: names, values: values, parameters: []parameter{{"ConditionExpression", condition != nil}}}
}

func updateExpressions(names map[string]string, values Item, update, condition *string) expressions {
	return expressions{names: names, values: values, parameters: []parameter{
		{"UpdateExpression", update != nil}, {"ConditionExpression", condition != nil},
	}}
}

func checkUnused(scope *expr.Scope) error {
	if err := scope.Unused(); err != nil {
		return invalid(err)
	}
	return nil
}
