// Package expr is DynamoDB's expression language: it parses and evaluates
// condition, filter, key condition, projection and update expressions over
// attribute values, and refuses what DynamoDB refuses, in DynamoDB's words.
//
// It knows single items only. Tables, key schemas, storage, requests and the
// size of an item belong to the engine.
package expr

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Item is one item: its attributes by name. Values are expected as
// NormalizeValue leaves them, so that equal numbers have equal texts.
type Item = map[string]types.AttributeValue

// Error says why an expression is refused, in the words of DynamoDB's
// ValidationException. Every error of this package is an *Error.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func errorf(format string, args ...any) *Error {
	return &Error{fmt.Sprintf(format, args...)}
}

// The parameters of a request that hold a condition; they name it in messages.
const (
	ConditionExpression = "ConditionExpression"
	FilterExpression    = "FilterExpression"
)

// Limits that DynamoDB documents for every expression.
const (
	maxBytes       = 4096
	maxOperators   = 300
	maxDepth       = 32
	maxInOperands  = 100
	maxPlaceholder = 255
)
