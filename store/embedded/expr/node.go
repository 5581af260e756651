package expr

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// operation is what a node does.
type operation uint8

const (
	opPath operation = iota
	opValue

	opAnd
	opOr
	opNot

	opEqual
	opNotEqual
	opLess
	opLessEqual
	opGreater
	opGreaterEqual
	opBetween
	opIn

	opPlus
	opMinus

	opAttributeExists
	opAttributeNotExists
	opAttributeType
	opBeginsWith
	opContains
	opSize
	opIfNotExists
	opListAppend
	opUnknownFunction
)

// operationNames are the names that messages give to operators and functions.
var operationNames = [...]string{
	opAnd:                "AND",
	opOr:                 "OR",
	opNot:                "NOT",
	opEqual:              "=",
	opNotEqual:           "<>",
	opLess:               "<",
	opLessEqual:          "<=",
	opGreater:            ">",
	opGreaterEqual:       ">=",
	opBetween:            "BETWEEN",
	opIn:                 "IN",
	opPlus:               "+",
	opMinus:              "-",
	opAttributeExists:    "attribute_exists",
	opAttributeNotExists: "attribute_not_exists",
	opAttributeType:      "attribute_type",
	opBeginsWith:         "begins_with",
	opContains:           "contains",
	opSize:               "size",
	opIfNotExists:        "if_not_exists",
	opListAppend:         "list_append",
}

func (o operation) String() string { return operationNames[o] }

func (o operation) isFunction() bool { return o >= opAttributeExists }

// isTerm tells paths and values from what is computed.
func (o operation) isTerm() bool { return o == opPath || o == opValue }

func (o operation) isLogic() bool { return o == opAnd || o == opOr || o == opNot }

// operands returns how many operands a function takes.
func (o operation) operands() int {
	switch o {
	case opAttributeExists, opAttributeNotExists, opSize:
		return 1
	}
	return 2
}

// node is one operation of a parsed expression with its operands, which are
// chained by next: an expression then takes one allocation for all its nodes.
type node struct {
	op      operation
	grouped bool // stands in parentheses
	first   *node
	next    *node
	path    path                 // of opPath
	value   types.AttributeValue // of opValue, once it is resolved
}

// second returns the second operand of an operation that has two.
func (n *node) second() *node { return n.first.next }

func (n *node) count() int {
	count := 0
	for operand := n.first; operand != nil; operand = operand.next {
		count++
	}
	return count
}

// walk visits the operands of a node before the node itself, in the order of
// the source, and stops at the first error.
func (n *node) walk(visit func(*node) error) error {
	for operand := n.first; operand != nil; operand = operand.next {
		if err := operand.walk(visit); err != nil {
			return err
		}
	}
	return visit(n)
}

// staticType returns the type that a node has whatever the item holds, or "".
func (n *node) staticType() string {
	switch n.op {
	case opValue:
		return TypeOf(n.value)
	case opSize:
		return "N"
	}
	return ""
}
