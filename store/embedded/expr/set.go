package expr

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// Small sets are searched member by member; larger ones through a map, so that
// no set takes time by the square of its size.
const smallSet = 16

func hasDuplicates(set []string) bool {
	if len(set) <= smallSet {
		for i := range set {
			if slices.Contains(set[:i], set[i]) {
				return true
			}
		}
		return false
	}
	seen := make(map[string]struct{}, len(set))
	for _, member := range set {
		seen[member] = struct{}{}
	}
	return len(seen) < len(set)
}

// without returns the members of set that remove does not have, in a new slice.
func without(set, remove []string) []string {
	in := membership(remove)
	var kept []string
	for _, member := range set {
		if !in(member) {
			kept = append(kept, member)
		}
	}
	return kept
}

// union returns the members of both sets, in a new slice.
func union(set, add []string) []string {
	return append(slices.Clone(set), without(add, set)...)
}

// equalSets compares sets, neither of which has duplicates.
func equalSets(a, b []string) bool {
	return len(a) == len(b) && len(without(a, b)) == 0
}

func membership(set []string) func(string) bool {
	if len(set) <= smallSet {
		return func(member string) bool { return slices.Contains(set, member) }
	}
	index := make(map[string]struct{}, len(set))
	for _, member := range set {
		index[member] = struct{}{}
	}
	return func(member string) bool {
		_, ok := index[member]
		return ok
	}
}

// members returns the members of a set as texts, whatever their type, and none
// of anything else.
func members(value types.AttributeValue) []string {
	switch v := value.(type) {
	case *types.AttributeValueMemberSS:
		return v.Value
	case *types.AttributeValueMemberNS:
		return v.Value
	case *types.AttributeValueMemberBS:
		texts := make([]string, len(v.Value))
		for i, member := range v.Value {
			texts[i] = string(member)
		}
		return texts
	}
	return nil
}

// setLike returns a set of the type of model, or nil if there are no members,
// since DynamoDB has no empty sets.
func setLike(model types.AttributeValue, texts []string) types.AttributeValue {
	if len(texts) == 0 {
		return nil
	}
	switch model.(type) {
	case *types.AttributeValueMemberSS:
		return &types.AttributeValueMemberSS{Value: texts}
	case *types.AttributeValueMemberNS:
		return &types.AttributeValueMemberNS{Value: texts}
	}
	set := make([][]byte, len(texts))
	for i, text := range texts {
		set[i] = []byte(text)
	}
	return &types.AttributeValueMemberBS{Value: set}
}
