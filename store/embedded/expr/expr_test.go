package expr

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func str(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func num(n string) types.AttributeValue   { return &types.AttributeValueMemberN{Value: n} }
func bin(b string) types.AttributeValue   { return &types.AttributeValueMemberB{Value: []byte(b)} }
func boolean(b bool) types.AttributeValue { return &types.AttributeValueMemberBOOL{Value: b} }
func null() types.AttributeValue          { return &types.AttributeValueMemberNULL{Value: true} }

func strs(set ...string) types.AttributeValue { return &types.AttributeValueMemberSS{Value: set} }
func nums(set ...string) types.AttributeValue { return &types.AttributeValueMemberNS{Value: set} }

func bins(set ...string) types.AttributeValue {
	value := &types.AttributeValueMemberBS{}
	for _, member := range set {
		value.Value = append(value.Value, []byte(member))
	}
	return value
}

func list(elements ...types.AttributeValue) types.AttributeValue {
	return &types.AttributeValueMemberL{Value: elements}
}

func object(m Item) types.AttributeValue { return &types.AttributeValueMemberM{Value: m} }

func showValue(value types.AttributeValue) string {
	switch v := value.(type) {
	case *types.AttributeValueMemberM:
		parts := make([]string, 0, len(v.Value))
		for _, key := range slices.Sorted(maps.Keys(v.Value)) {
			parts = append(parts, key+": "+showValue(v.Value[key]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case *types.AttributeValueMemberL:
		parts := make([]string, len(v.Value))
		for i, element := range v.Value {
			parts[i] = showValue(element)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return fmt.Sprintf("%s%v", TypeOf(value), members(value))
}
