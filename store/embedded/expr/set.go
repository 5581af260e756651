package expr

import (
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/number"
)

// smallSet is the maximum size of sets for a linear search. Larger sets are searched
// with a map.
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

// difference returns a new slice with the members of one set that are not in the
// other.
func difference(set, remove []string) []string {
	in := memberTest(remove)
	var kept []string
	for _, member := range set {
		if !in(member) {
			kept = append(kept, member)
		}
	}
	return kept
}

// union returns a new slice with the members of both sets.
func union(set, add []string) []string {
	return append(slices.Clone(set), difference(add, set)...)
}

// equalSets compares two sets, which must not contain duplicates.
func equalSets(a, b []string) bool {
	return len(a) == len(b) && len(difference(a, b)) == 0
}

func memberTest(set []string) func(string) bool {
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

// members returns the members of a set as strings, or nil if value is not a set.
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

// newSet returns a set of the same type as model. It returns nil if there are no
// members, because DynamoDB has no empty sets.
func newSet(model types.AttributeValue, texts []string) types.AttributeValue {
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

// sortNumbers returns a sorted copy of a set of numbers in canonical form. It returns
// nil if the set is already sorted.
func sortNumbers(texts []string) ([]string, error) {
	type member struct {
		text  string
		value number.Number
	}
	set := make([]member, len(texts))
	for i, text := range texts {
		value, err := number.Parse(text)
		if err != nil {
			return nil, numberError(err)
		}
		set[i] = member{text, value}
	}
	ascending := func(a, b member) int { return a.value.Compare(b.value) }
	if slices.IsSortedFunc(set, ascending) {
		return nil, nil
	}
	slices.SortFunc(set, ascending)
	sorted := make([]string, len(set))
	for i, m := range set {
		sorted[i] = m.text
	}
	return sorted, nil
}
