package expr

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// checkCondition resolves and checks the comparisons and functions of a condition in
// DynamoDB's order.
func checkCondition(n *node, scope *Scope) error {
	if !n.op.isLogic() {
		return checkSingle(n, scope)
	}
	for operand := n.first; operand != nil; operand = operand.next {
		if err := checkCondition(operand, scope); err != nil {
			return err
		}
	}
	return nil
}

func checkSingle(n *node, scope *Scope) error {
	if err := n.walk(func(n *node) error { return n.resolve(scope) }); err != nil {
		return err
	}
	if err := n.walk(checkOperandCount); err != nil {
		return err
	}
	if err := n.walk(checkDistinct); err != nil {
		return err
	}
	return n.walk(checkConditionTypes)
}

func checkOperandCount(n *node) error {
	count := n.count()
	if n.op.isFunction() && count != n.op.operands() {
		return errorf("Incorrect number of operands for operator or function; operator or function: %s, number of operands: %d", n.op, count)
	}
	if n.op == opIn && count-1 > maxInOperands {
		return errorf("The IN operator is provided with too many operands; number of operands: %d", count-1)
	}
	return nil
}

// checkDistinct returns an error if a path is compared with itself.
func checkDistinct(n *node) error {
	if n.count() != 2 {
		return nil
	}
	if a, b := n.first, n.second(); a.op == opPath && b.op == opPath && a.path.equal(&b.path) {
		return errorf("The first operand must be distinct from the remaining operands for this operator or function; operator: %s, first operand: %s", n.op, &a.path)
	}
	return nil
}

func checkConditionTypes(n *node) error {
	switch n.op {
	case opAttributeExists, opAttributeNotExists:
		return requirePath(n)
	case opAttributeType:
		return checkTypeName(n)
	case opBeginsWith:
		return requireTypes(n, "S", "B")
	case opSize:
		return requireTypes(n, "S", "B", "SS", "NS", "BS", "L", "M")
	case opLess, opLessEqual, opGreater, opGreaterEqual:
		return requireTypes(n, "S", "N", "B")
	case opBetween:
		if err := requireTypes(n, "S", "N", "B"); err != nil {
			return err
		}
		return checkBounds(n.second(), n.second().next)
	}
	return nil
}

func requirePath(n *node) error {
	if n.first.op != opPath {
		return errorf("Operator or function requires a document path; operator or function: %s", n.op)
	}
	return nil
}

// requireTypes returns an error if an operand has a type that is not allowed. The type of
// an attribute is unknown, so it does not cause an error.
func requireTypes(n *node, allowed ...string) error {
	for operand := n.first; operand != nil; operand = operand.next {
		if t := operand.staticType(); t != "" && !slices.Contains(allowed, t) {
			return operandType(n.op, t)
		}
	}
	return nil
}

func operandType(op operation, t string) error {
	return errorf("Incorrect operand type for operator or function; operator or function: %s, operand type: %s", op, t)
}

// Lists of types, as two of DynamoDB's messages contain them.
const (
	anyType    = "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"
	validTypes = "B,NULL,SS,BOOL,L,BS,N,NS,S,M"
)

func checkTypeName(n *node) error {
	name, ok := n.second().value.(*types.AttributeValueMemberS)
	if !ok {
		t := n.second().staticType()
		if t == "" {
			t = anyType
		}
		return operandType(n.op, t)
	}
	if !slices.Contains(strings.Split(validTypes, ","), name.Value) {
		return errorf("Invalid attribute type name found; type: %s, valid types: {%s}", name.Value, validTypes)
	}
	return nil
}

// checkBounds returns an error if both bounds of BETWEEN are values, and their types
// differ or the lower bound is greater.
func checkBounds(low, high *node) error {
	if low.op != opValue || high.op != opValue {
		return nil
	}
	reason := "same data type for lower and upper bounds"
	if result, ok := order(low.value, high.value); ok {
		if result <= 0 {
			return nil
		}
		reason = "upper bound to be greater than or equal to lower bound"
	}
	return errorf("The BETWEEN operator requires %s; lower bound operand: AttributeValue: %s, upper bound operand: AttributeValue: %s",
		reason, scalarText(low.value), scalarText(high.value))
}

// scalarText formats an S, N or B value for error messages.
func scalarText(value types.AttributeValue) string {
	text := ""
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		text = v.Value
	case *types.AttributeValueMemberN:
		text = v.Value
	case *types.AttributeValueMemberB:
		text = base64.StdEncoding.EncodeToString(v.Value)
	}
	return "{" + TypeOf(value) + ":" + text + "}"
}
