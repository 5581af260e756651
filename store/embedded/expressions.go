package embedded

import (
	"slices"
	"strings"

	"stockroom/store/embedded/expr"
)

// parameter is a parameter of a request, by the name that messages call it.
type parameter struct {
	name  string
	given bool
}

// expressions are those parameters of a request that hold expressions, and what
// they share.
type expressions struct {
	names      map[string]string
	values     Item
	parameters []parameter
	// legacy are the parameters that expressions took the place of. They are
	// not offered: what they do, expressions do.
	legacy []parameter
}

// scope checks what can be checked before the first expression is parsed.
func (e *expressions) scope() (*expr.Scope, error) {
	expressing := slices.ContainsFunc(e.parameters, isGiven)
	switch inOldWays := slices.ContainsFunc(e.legacy, isGiven); {
	case expressing && inOldWays:
		return nil, invalidf("Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {%s} Expression parameters: {%s}", given(e.legacy), given(e.parameters))
	case inOldWays:
		return nil, invalidf("The legacy parameters {%s} are not offered: use expressions in their place", given(e.legacy))
	case e.names != nil && !expressing:
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

func isGiven(p parameter) bool { return p.given }

// given names those parameters that are.
func given(parameters []parameter) string {
	var names []string
	for _, p := range parameters {
		if p.given {
			names = append(names, p.name)
		}
	}
	return strings.Join(names, ", ")
}

// checkValuesUsable refuses values where no expression could use them. A
// projection has none.
func (e *expressions) checkValuesUsable() error {
	var absent []string
	for _, p := range e.parameters {
		if p.name == "ProjectionExpression" {
			continue
		}
		if p.given {
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

// conditional are the expressions of a write whose only one is a condition.
func conditional(names map[string]string, values Item, condition *string) expressions {
	return expressions{names: names, values: values, parameters: []parameter{{"ConditionExpression", condition != nil}}}
}

// updating are the expressions of an update.
func updating(names map[string]string, values Item, update, condition *string) expressions {
	return expressions{names: names, values: values, parameters: []parameter{
		{"UpdateExpression", update != nil}, {"ConditionExpression", condition != nil},
	}}
}

// unused refuses names and values that no expression used.
func unused(scope *expr.Scope) error {
	if err := scope.Unused(); err != nil {
		return invalid(err)
	}
	return nil
}
