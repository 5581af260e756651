package expr

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Legacy parameters are converted to parsed expressions. Converting them to text would
// apply the limits of expressions, which legacy parameters do not have.

// Comparison is a condition of a legacy parameter on one attribute. The caller has
// normalized the values and checked that their number is right for the operator.
type Comparison struct {
	Attribute string
	Operator  types.ComparisonOperator
	Values    []types.AttributeValue
}

// NewCondition returns a condition that requires all comparisons or, if the argument any is
// true, at least one of them. It returns nil if there are no comparisons.
func NewCondition(any bool, comparisons []Comparison) *Condition {
	op := opAnd
	if any {
		op = opOr
	}
	var root *node
	for _, c := range comparisons {
		root = join(op, root, c.node())
	}
	if root == nil {
		return nil
	}
	return &Condition{root}
}

// NewKeyCondition returns a key condition that requires all comparisons. There must be at
// least one comparison.
func NewKeyCondition(comparisons []Comparison) *KeyCondition {
	return &KeyCondition{NewCondition(false, comparisons).root}
}

// join combines two conditions, of which the first may be nil.
func join(op operation, left, right *node) *node {
	if left == nil {
		return right
	}
	return newNode(op, left, right)
}

func newNode(op operation, operands ...*node) *node {
	n := &node{op: op, first: operands[0]}
	for i, operand := range operands[1:] {
		operands[i].next = operand
	}
	return n
}

var comparisonOperations = map[types.ComparisonOperator]operation{
	types.ComparisonOperatorEq:         opEqual,
	types.ComparisonOperatorNe:         opNotEqual,
	types.ComparisonOperatorLe:         opLessEqual,
	types.ComparisonOperatorLt:         opLess,
	types.ComparisonOperatorGe:         opGreaterEqual,
	types.ComparisonOperatorGt:         opGreater,
	types.ComparisonOperatorNotNull:    opAttributeExists,
	types.ComparisonOperatorNull:       opAttributeNotExists,
	types.ComparisonOperatorContains:   opContains,
	types.ComparisonOperatorBeginsWith: opBeginsWith,
	types.ComparisonOperatorIn:         opIn,
	types.ComparisonOperatorBetween:    opBetween,
}

func (c *Comparison) node() *node {
	if c.Operator == types.ComparisonOperatorNotContains {
		// Unlike NOT contains(…), NOT_CONTAINS is false for a missing attribute.
		return newNode(opAnd, c.test(opAttributeExists), newNode(opNot, c.test(opContains, c.Values...)))
	}
	return c.test(comparisonOperations[c.Operator], c.Values...)
}

// test returns an operation on the attribute and values.
func (c *Comparison) test(op operation, values ...types.AttributeValue) *node {
	operands := []*node{{op: opPath, path: path{root: c.Attribute}}}
	for _, value := range values {
		operands = append(operands, valueNode(value))
	}
	return newNode(op, operands...)
}

func valueNode(value types.AttributeValue) *node { return &node{op: opValue, value: value} }

// NewProjection returns the projection of top-level attributes, which must be distinct.
func NewProjection(attributes []string) *Projection {
	p := &Projection{paths: make([]path, len(attributes))}
	for i, name := range attributes {
		p.paths[i].root = name
	}
	return p
}

// OrderValues compares two values of the types S, N or B. It returns false if their
// types differ or cannot be compared.
func OrderValues(a, b types.AttributeValue) (int, bool) { return order(a, b) }

// AttributeUpdate is the update of one attribute in the legacy parameter AttributeUpdates.
// Its value is normalized, and the action supports the value's type.
type AttributeUpdate struct {
	Attribute string
	Action    types.AttributeAction
	Value     types.AttributeValue // nil to remove the attribute
}

// NewUpdate returns an Update that makes these updates. If a stored value has the wrong
// type, Apply returns the error that DynamoDB returns for AttributeUpdates.
func NewUpdate(updates []AttributeUpdate) *Update {
	u := &Update{legacy: true}
	for _, update := range updates {
		u.paths = append(u.paths, path{root: update.Attribute})
		u.actions = append(u.actions, update.action())
	}
	return u
}

func (u *AttributeUpdate) action() action {
	list, isList := u.Value.(*types.AttributeValueMemberL)
	switch {
	case u.Value == nil:
		return action{clause: clauseRemove}
	case u.Action == types.AttributeActionDelete:
		return action{clause: clauseDelete, value: valueNode(u.Value)}
	case u.Action != types.AttributeActionAdd:
		return action{clause: clauseSet, value: valueNode(u.Value)}
	case isList: // the clause ADD does not support lists
		target := &node{op: opPath, path: path{root: u.Attribute}}
		old := newNode(opIfNotExists, target, valueNode(&types.AttributeValueMemberL{}))
		return action{clause: clauseSet, value: newNode(opListAppend, old, valueNode(list))}
	}
	return action{clause: clauseAdd, value: valueNode(u.Value)}
}
