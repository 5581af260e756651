package embedded

import (
	"fmt"
	"slices"
	"strings"

	"stockroom/store/embedded/expr"
)

// parameter is a request parameter, with its name for error messages.
type parameter struct {
	name string
	set  bool
}

// expressions contains the parameters of a request that are about expressions.
type expressions struct {
	names      map[string]string
	values     Item
	parameters []parameter
	// legacy contains parameters that expressions have replaced in DynamoDB. The engine
	// does not support them, except for AttributesToGet and KeyConditions.
	legacy []parameter
}

// scope makes DynamoDB's checks before parsing, and returns the scope for parsing.
func (e *expressions) scope() (*expr.Scope, error) {
	hasExpressions := slices.ContainsFunc(e.parameters, isSet)
	switch hasLegacy := slices.ContainsFunc(e.legacy, isSet); {
	case hasExpressions && hasLegacy:
		return nil, invalidf("Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {%s} Expression parameters: {%s}", setNames(e.legacy), setNames(e.parameters))
	case slices.ContainsFunc(e.legacy, isUnsupported):
		unsupported := slices.DeleteFunc(slices.Clone(e.legacy), func(p parameter) bool { return !isUnsupported(p) })
		return nil, invalidf("The legacy parameters {%s} are not supported: use expressions instead", setNames(unsupported))
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

func isUnsupported(p parameter) bool { return p.set && p.name != attributesToGet }

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

// updateExpressions returns the expressions of an update.
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

// attributesToGet is the legacy parameter for a projection of top-level attributes.
const attributesToGet = "AttributesToGet"

// parseAttributes returns the projection of AttributesToGet.
func parseAttributes(attributes []string) (*expr.Projection, error) {
	if len(attributes) == 0 {
		return nil, invalidf("1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1")
	}
	names := make(map[string]string, len(attributes))
	used := make([]string, len(attributes))
	for i, name := range attributes {
		if slices.Contains(attributes[:i], name) {
			return nil, invalidParameter("Duplicate value in attribute name: %s", name)
		}
		used[i] = fmt.Sprintf("#a%d", i)
		names[used[i]] = name
	}
	scope, err := expr.NewScope(names, nil)
	if err != nil {
		return nil, invalid(err)
	}
	projection, err := scope.Projection(strings.Join(used, ","))
	if err != nil {
		return nil, invalid(err)
	}
	return projection, nil
}
