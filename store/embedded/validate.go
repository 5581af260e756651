package embedded

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/expr"
)

// constraints collects what is wrong with a request before any table is
// looked at. DynamoDB reports all of it at once.
type constraints struct{ broken []string }

// check notes that the value of a member, or null, fails a constraint.
func (c *constraints) check(ok bool, value any, member, constraint string) {
	if ok {
		return
	}
	shown := "null"
	if value != nil {
		shown = fmt.Sprintf("'%v'", value)
	}
	c.broken = append(c.broken, fmt.Sprintf("Value %s at '%s' failed to satisfy constraint: %s", shown, member, constraint))
}

func (c *constraints) err() error {
	switch len(c.broken) {
	case 0:
		return nil
	case 1:
		return invalidf("1 validation error detected: %s", c.broken[0])
	}
	return invalidf("%d validation errors detected: %s", len(c.broken), strings.Join(c.broken, "; "))
}

func (c *constraints) present(isPresent bool, member string) {
	c.check(isPresent, nil, member, "Member must not be null")
}

func (c *constraints) tableName(name *string) { c.name(name, "tableName") }

// name checks the name of a table or an index.
func (c *constraints) name(name *string, member string) {
	if name == nil {
		c.present(false, member)
		return
	}
	c.check(len(*name) >= 3, *name, member, "Member must have length greater than or equal to 3")
	c.check(len(*name) <= 255, *name, member, "Member must have length less than or equal to 255")
	c.check(!strings.ContainsFunc(*name, isNoNameRune), *name, member, "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+")
}

func isNoNameRune(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '.' && r != '-'
}

// enum checks a member that is empty or one of the values that its type has.
func enum[E interface {
	~string
	Values() []E
}](c *constraints, value E, member string,
) {
	if value == "" || slices.Contains(value.Values(), value) {
		return
	}
	c.check(false, value, member, fmt.Sprintf("Member must satisfy enum value set: %s", strings.ReplaceAll(fmt.Sprint(value.Values()), " ", ", ")))
}

func (c *constraints) consumedCapacity(asked types.ReturnConsumedCapacity) {
	enum(c, asked, "returnConsumedCapacity")
}

func (c *constraints) limit(limit *int32) {
	if limit != nil {
		c.check(*limit >= 1, *limit, "limit", "Member must have value greater than or equal to 1")
	}
}

// legacy is a parameter that expressions took the place of. Those are not
// offered: what they do, expressions do.
type legacy struct {
	name  string
	given bool
}

func refuseLegacy(parameters ...legacy) error {
	for _, parameter := range parameters {
		if parameter.given {
			return invalidf("The legacy parameter %s is not offered: use an expression in its place", parameter.name)
		}
	}
	return nil
}

// refuseUnscoped refuses names or values of a request without an expression
// that could use them.
func refuseUnscoped(names map[string]string, values Item, parameters string) error {
	if names != nil {
		return invalidf("ExpressionAttributeNames can only be specified when using expressions%s", parameters)
	}
	if values != nil {
		return invalidf("ExpressionAttributeValues can only be specified when using expressions%s", parameters)
	}
	return nil
}

// conditionOf parses the condition of a write, nil if there is none.
func conditionOf(scope *expr.Scope, source *string) (*expr.Condition, error) {
	if source == nil {
		return nil, nil
	}
	condition, err := scope.Condition(expr.ConditionExpression, *source)
	if err != nil {
		return nil, invalid(err)
	}
	return condition, nil
}

// scopeOf checks the names and values of a request's expressions. Without any
// expression there must be none.
func scopeOf(names map[string]string, values Item, expressions ...*string) (*expr.Scope, error) {
	given := false
	for _, expression := range expressions {
		given = given || expression != nil
	}
	if !given {
		if err := refuseUnscoped(names, values, ""); err != nil {
			return nil, err
		}
	}
	scope, err := expr.NewScope(names, values)
	if err != nil {
		return nil, invalid(err)
	}
	return scope, nil
}

// unused refuses names and values that no expression used.
func unused(scope *expr.Scope) error {
	if err := scope.Unused(); err != nil {
		return invalid(err)
	}
	return nil
}

// consistent tells whether a strongly consistent read is asked for. All reads
// are; it decides on the charge, and on refusal by global indexes.
func consistent(asked *bool) bool { return aws.ToBool(asked) }
