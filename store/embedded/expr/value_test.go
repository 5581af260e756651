package expr

import (
	"reflect"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestNormalizeValue(t *testing.T) {
	for _, c := range []struct{ in, want types.AttributeValue }{
		{num("1.50"), num("1.5")},
		{nums("2", "1E+1"), nums("2", "10")},
		{list(str("x"), num("01"), num("2")), list(str("x"), num("1"), num("2"))},
		{object(Item{"a": num("01"), "b": str("x"), "c": list(nums("1.0"))}), object(Item{"a": num("1"), "b": str("x"), "c": list(nums("1"))})},
	} {
		before := showValue(c.in)
		got, err := NormalizeValue(c.in)
		if err != nil || !equal(got, c.want) {
			t.Errorf("%s: got %s, error %v; want %s", before, showValue(got), err, showValue(c.want))
		}
		if showValue(c.in) != before {
			t.Errorf("%s: got the caller's value changed to %s, want it unchanged", before, showValue(c.in))
		}
	}
}

func TestNormalizeValue_SortsSets(t *testing.T) {
	for _, c := range []struct{ in, want types.AttributeValue }{
		{strs("b", "ä", "B", "a"), strs("B", "a", "b", "ä")},
		{nums("10", "9", "-1.50", "1e2", "0"), nums("-1.5", "0", "9", "10", "100")},
		{bins("b", "\xff", "a"), bins("a", "b", "\xff")},
		{list(object(Item{"x": nums("2", "1")})), list(object(Item{"x": nums("1", "2")}))},
	} {
		before := showValue(c.in)
		got, err := NormalizeValue(c.in)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %s, error %v; want %s", before, showValue(got), err, showValue(c.want))
		}
		if showValue(c.in) != before {
			t.Errorf("%s: got the caller's value changed to %s, want it unchanged", before, showValue(c.in))
		}
	}
}

func TestNormalizeValue_KeepsNormalValues(t *testing.T) {
	for name, value := range sample() {
		got, err := NormalizeValue(value)
		if err != nil || got != value {
			t.Errorf("%s: got %v, error %v; want the same value", name, got, err)
		}
	}
}

func TestNormalizeValue_Errors(t *testing.T) {
	deep := str("x")
	for range maxDepth - 1 {
		deep = list(deep)
	}
	if _, err := NormalizeValue(deep); err != nil {
		t.Errorf("%d levels: %v", maxDepth, err)
	}
	many := make([]string, 2*smallSet)
	for i := range many {
		many[i] = strconv.Itoa(i % (2*smallSet - 1))
	}
	const invalid = "One or more parameter values were invalid: "
	for _, c := range []struct {
		in   types.AttributeValue
		want string
	}{
		{nil, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{&types.UnknownUnionMember{}, "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes"},
		{list(object(Item{"a": nil})), "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"},
		{&types.AttributeValueMemberNULL{}, invalid + "Null attribute value types must have the value of true"},
		{strs(), invalid + "An string set  may not be empty"},
		{nums(), invalid + "An number set  may not be empty"},
		{bins(), invalid + "Binary sets should not be empty"},
		{strs("b", "a", "b"), invalid + "Input collection [b, a, b] contains duplicates."},
		{bins("b", "b"), invalid + "Input collection [Yg==, Yg==]of type BS contains duplicates."},
		{nums("1", "1.0"), "Input collection contains duplicates"},
		{nums(many...), "Input collection contains duplicates"},
		{num(""), "The parameter cannot be converted to a numeric value"},
		{nums("1", "b"), "The parameter cannot be converted to a numeric value: b"},
		{num("1e126"), "Number overflow. Attempting to store a number with magnitude larger than supported range"},
		{list(deep), "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"},
	} {
		if _, err := NormalizeValue(c.in); err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestSets_AnySize(t *testing.T) {
	texts := func(from, to int) []string {
		var set []string
		for i := from; i < to; i++ {
			set = append(set, strconv.Itoa(i))
		}
		return set
	}
	for _, size := range []int{1, smallSet, smallSet + 1, 500} {
		set, half := texts(0, size), texts(size/2, size+size/2)
		if !equalSets(set, append(texts(size/2, size), texts(0, size/2)...)) {
			t.Errorf("sets of %d in different order: got unequal, want equal", size)
		}
		if equalSets(set, texts(1, size+1)) {
			t.Errorf("different sets of %d: got equal, want unequal", size)
		}
		if got := union(set, half); !equalSets(got, texts(0, size+size/2)) {
			t.Errorf("union: got %d members, want %d", len(got), size+size/2)
		}
		if got := difference(set, half); !equalSets(got, texts(0, size/2)) {
			t.Errorf("difference: got %d members, want %d", len(got), size/2)
		}
	}
}
