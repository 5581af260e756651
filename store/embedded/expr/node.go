package expr

import "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

// operation is the kind of a node.
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

// isTerm reports whether a node is a path or a value.
func (o operation) isTerm() bool { return o == opPath || o == opValue }

func (o operation) isLogic() bool { return o == opAnd || o == opOr || o == opNot }

// operands returns the number of operands of a function.
func (o operation) operands() int {
	switch o {
	case opAttributeExists, opAttributeNotExists, opSize:
		return 1
	}
	return 2
}

// node is an operation in a parsed expression. Its operands are linked through the field
// next. Slices of operands would need an allocation for each node.
type node struct {
	op            operation
	parenthesized bool // written in parentheses
	first         *node
	next          *node
	path          path                 // path of an opPath
	value         types.AttributeValue // value of an opValue; set by resolve
}

func (n *node) second() *node { return n.first.next }

func (n *node) count() int {
	count := 0
	for operand := n.first; operand != nil; operand = operand.next {
		count++
	}
	return count
}

// walk visits all nodes in source order: the operands of a node, and then the node. It
// stops at the first error.
func (n *node) walk(visit func(*node) error) error {
	for operand := n.first; operand != nil; operand = operand.next {
		if err := operand.walk(visit); err != nil {
			return err
		}
	}
	return visit(n)
}

// staticType returns the type of a node's value, or "" if the type depends on the item.
func (n *node) staticType() string {
	switch n.op {
	case opValue:
		return TypeOf(n.value)
	case opSize:
		return "N"
	}
	return ""
}
