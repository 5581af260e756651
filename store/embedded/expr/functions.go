package expr

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// operandValue returns the value of an operand, or nil if the item does not have the
// attribute. For the function size, it also returns nil if the value has no size.
func (n *node) operandValue(item Item) types.AttributeValue {
	switch n.op {
	case opPath:
		return n.path.find(item)
	case opValue:
		return n.value
	case opSize:
		if size, ok := sizeOf(n.first.operandValue(item)); ok {
			return &types.AttributeValueMemberN{Value: strconv.Itoa(size)}
		}
	}
	return nil
}

// sizeOf evaluates the function size. It returns the length of a string or binary
// in bytes, or the number of elements of a set, list or map.
func sizeOf(value types.AttributeValue) (int, bool) {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		return len(v.Value), true
	case *types.AttributeValueMemberB:
		return len(v.Value), true
	case *types.AttributeValueMemberSS:
		return len(v.Value), true
	case *types.AttributeValueMemberNS:
		return len(v.Value), true
	case *types.AttributeValueMemberBS:
		return len(v.Value), true
	case *types.AttributeValueMemberL:
		return len(v.Value), true
	case *types.AttributeValueMemberM:
		return len(v.Value), true
	}
	return 0, false
}

func beginsWith(value, prefix types.AttributeValue) bool {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		p, ok := prefix.(*types.AttributeValueMemberS)
		return ok && strings.HasPrefix(v.Value, p.Value)
	case *types.AttributeValueMemberB:
		p, ok := prefix.(*types.AttributeValueMemberB)
		return ok && bytes.HasPrefix(v.Value, p.Value)
	}
	return false
}

// contains evaluates the function contains. The argument part is a substring, a
// sequence of bytes, or an element of a set or list.
func contains(value, part types.AttributeValue) bool {
	switch v := value.(type) {
	case *types.AttributeValueMemberS:
		p, ok := part.(*types.AttributeValueMemberS)
		return ok && strings.Contains(v.Value, p.Value)
	case *types.AttributeValueMemberB:
		p, ok := part.(*types.AttributeValueMemberB)
		return ok && bytes.Contains(v.Value, p.Value)
	case *types.AttributeValueMemberSS:
		p, ok := part.(*types.AttributeValueMemberS)
		return ok && slices.Contains(v.Value, p.Value)
	case *types.AttributeValueMemberNS:
		p, ok := part.(*types.AttributeValueMemberN)
		return ok && slices.Contains(v.Value, p.Value)
	case *types.AttributeValueMemberBS:
		p, ok := part.(*types.AttributeValueMemberB)
		return ok && slices.ContainsFunc(v.Value, func(member []byte) bool { return bytes.Equal(member, p.Value) })
	case *types.AttributeValueMemberL:
		return slices.ContainsFunc(v.Value, func(element types.AttributeValue) bool { return equal(element, part) })
	}
	return false
}
