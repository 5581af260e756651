package expr

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// KeyCondition is a parsed KeyConditionExpression. Bind and BindMulti apply it to a key
// schema.
type KeyCondition struct{ root *node }

// KeyCondition parses a key condition expression. It makes only the checks that apply to
// all conditions. Bind and BindMulti check that the expression is a condition on keys.
func (s *Scope) KeyCondition(src string) (*KeyCondition, error) {
	root, err := s.condition(src)
	if err != nil {
		return nil, invalid("KeyConditionExpression", err)
	}
	return &KeyCondition{root}, nil
}

// SortOp is the operator of the condition on the sort key.
type SortOp int

// The operators of conditions on the sort key.
const (
	SortAny SortOp = iota // no condition on the sort key
	SortEqual
	SortLess
	SortLessEqual
	SortGreater
	SortGreaterEqual
	SortBetween
	SortBeginsWith
)

// KeyRange is the range of keys that satisfy a key condition. The caller must check
// the types of its values.
type KeyRange struct {
	Partition types.AttributeValue
	Op        SortOp
	Sort      types.AttributeValue // nil for SortAny
	Upper     types.AttributeValue // upper bound for SortBetween, otherwise nil
}

// keyTest is the condition on one key attribute.
type keyTest struct {
	attribute    string
	op           operation
	value, upper types.AttributeValue
}

// Bind applies the condition to a key schema. The arguments are the names of the key
// attributes; the argument sort is "" if the schema has no sort key. The condition must
// compare the partition key for equality, and may contain one condition on the sort
// key.
func (k *KeyCondition) Bind(hash, sort string) (KeyRange, error) {
	var buffer [2]keyTest
	tests, err := keyTests(k.root, buffer[:0])
	if err != nil {
		return KeyRange{}, err
	}
	keys := 2
	if sort == "" {
		keys = 1
	}
	if len(tests) > keys {
		return KeyRange{}, errorf("The number of query conditions (%d) exceeds the number of key attributes defined in the schema (%d)", len(tests), keys)
	}
	var found KeyRange
	for _, test := range tests {
		switch test.attribute {
		case hash:
			if test.op != opEqual {
				return KeyRange{}, errorf("Query key condition not supported")
			}
			found.Partition = test.value
		case sort:
			found.Op, found.Sort, found.Upper = sortOps[test.op], test.value, test.upper
		}
	}
	if found.Partition == nil {
		return KeyRange{}, errorf("Query condition missed key schema element: %s", hash)
	}
	if len(tests) == 2 && found.Op == SortAny {
		return KeyRange{}, errorf("Query condition missed key schema element: %s", sort)
	}
	return found, nil
}

// BindMulti is like Bind, for a key with several partition key or sort key attributes. The
// condition must compare all partition key attributes for equality. It may contain
// conditions on the first sort key attributes. All of these but the last must compare for
// equality. BindMulti returns the range of the last attribute with a condition, and the
// values of the attributes before it.
func (k *KeyCondition) BindMulti(partition, sort []string) (found KeyRange, values []types.AttributeValue, err error) {
	tests, err := keyTests(k.root, nil)
	if err != nil {
		return found, nil, err
	}
	if keys := len(partition) + len(sort); len(tests) > keys {
		return found, nil, errorf("The number of query conditions (%d) exceeds the number of key attributes defined in the schema (%d)", len(tests), keys)
	}
	testOf := func(name string) *keyTest {
		for i := range tests {
			if tests[i].attribute == name {
				return &tests[i]
			}
		}
		return nil
	}
	for _, name := range partition {
		test := testOf(name)
		if test == nil || test.op != opEqual {
			return found, nil, errorf("Query key condition not supported: all HASH key attributes must have equality conditions: %s", name)
		}
		values = append(values, test.value)
	}
	used := len(partition)
	for _, name := range sort {
		test := testOf(name)
		if test == nil {
			break
		}
		used++
		if found.Op != SortAny {
			values = append(values, found.Sort)
		}
		found.Op, found.Sort, found.Upper = sortOps[test.op], test.value, test.upper
		if test.op != opEqual {
			break
		}
	}
	if used == len(tests) {
		return found, values, nil
	}
	for _, test := range tests {
		if !slices.Contains(partition, test.attribute) && !slices.Contains(sort, test.attribute) {
			return found, nil, errorf("Query condition missed key schema element: %s", partition[0])
		}
	}
	return found, nil, errorf("Query key condition not supported: RANGE key attributes must have equality conditions from left to right, except the last")
}

var sortOps = map[operation]SortOp{
	opEqual:        SortEqual,
	opLess:         SortLess,
	opLessEqual:    SortLessEqual,
	opGreater:      SortGreater,
	opGreaterEqual: SortGreaterEqual,
	opBetween:      SortBetween,
	opBeginsWith:   SortBeginsWith,
}

// flipped contains, for each operator, the operator with the same meaning if the operands
// are swapped.
var flipped = map[operation]operation{
	opEqual:        opEqual,
	opLess:         opGreater,
	opLessEqual:    opGreaterEqual,
	opGreater:      opLess,
	opGreaterEqual: opLessEqual,
}

// keyTests appends the conditions that AND joins in n to the slice tests.
func keyTests(n *node, tests []keyTest) ([]keyTest, error) {
	if n.op == opAnd {
		tests, err := keyTests(n.first, tests)
		if err != nil {
			return nil, err
		}
		return keyTests(n.second(), tests)
	}
	test, err := keyTestOf(n)
	if err != nil {
		return nil, err
	}
	for _, other := range tests {
		if other.attribute == test.attribute {
			return nil, errorf("KeyConditionExpressions must only contain one condition per key")
		}
	}
	return append(tests, test), nil
}

func keyTestOf(n *node) (keyTest, error) {
	switch n.op {
	case opOr, opNot, opIn, opNotEqual, opAttributeExists, opAttributeNotExists, opAttributeType, opContains:
		return keyTest{}, errorf("Invalid operator used in KeyConditionExpression: %s", n.op)
	case opBetween, opBeginsWith:
		if n.first.op == opValue {
			return keyTest{}, errorf("Invalid condition in KeyConditionExpression: %s operator must have the key attribute as its first operand", n.op)
		}
	}
	key, err := keyOperand(n)
	if err != nil {
		return keyTest{}, err
	}
	test := keyTest{attribute: key.path.root, op: n.op}
	if key != n.first {
		test.op, test.value = flipped[n.op], n.first.value
		return test, nil
	}
	test.value = n.second().value
	if n.op == opBetween {
		test.upper = n.second().next.value
	}
	return test, nil
}

// keyOperand returns the only operand that is a path. It returns an error if there is none
// or several.
func keyOperand(n *node) (*node, error) {
	var key *node
	for operand := n.first; operand != nil; operand = operand.next {
		switch {
		case operand.op == opSize:
			return nil, errorf("KeyConditionExpressions cannot contain nested operations")
		case operand.op == opValue:
		case key != nil:
			return nil, errorf("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
		case len(operand.path.steps) > 0:
			return nil, errorf("KeyConditionExpressions cannot have conditions on nested attributes")
		default:
			key = operand
		}
	}
	if key == nil {
		return nil, errorf("Invalid condition in KeyConditionExpression: No key attribute specified")
	}
	return key, nil
}
