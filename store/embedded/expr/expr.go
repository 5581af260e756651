// Package expr implements DynamoDB's expression language. It parses and evaluates
// condition, filter, key condition, projection and update expressions, with
// DynamoDB's validation and error messages. It works on single items. Package
// embedded handles tables, key schemas and requests.
//
// The language is described in
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.html.
package expr

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is an item: attribute values by name. Values must be normalized by
// NormalizeValue, so that equal numbers are equal strings.
type Item = map[string]types.AttributeValue

// Error means that an expression or value is invalid. Its message is that of
// DynamoDB's ValidationException. All errors of this package are *Error.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func errorf(format string, args ...any) *Error {
	return &Error{fmt.Sprintf(format, args...)}
}

// Names of the parameters that Scope.Condition parses, for error messages.
const (
	ConditionExpression = "ConditionExpression"
	FilterExpression    = "FilterExpression"
)

// Limits of expressions and document paths. See
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html.
const (
	maxBytes       = 4096
	maxOperators   = 300
	maxDepth       = 32
	maxInOperands  = 100
	maxPlaceholder = 255
)
