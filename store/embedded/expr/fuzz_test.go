package expr

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParse puts any text through every parser and applies what they accept.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"#a = :s AND begins_with(b, :s) OR NOT size(l[2].deep) BETWEEN :n AND :m",
		"(a) in (:s, :t, (b)) and ((attribute_type(o.k, :type)))",
		"SET a = if_not_exists(b, :l), l[1] = :n - n REMOVE o.k, l[0] ADD ss :ss DELETE ns :ns",
		"SET l[9] = :o, o.x = list_append(l, :l)",
		"a, b.c[1], #three, l[0]",
		"a..b", "((((", "a BETWEEN", "SET =", "\xff", "#", ":", "<>=",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		scope := testScope(t)
		c, err := scope.Condition(ConditionExpression, src)
		if checkFuzzed(t, src, err) {
			c.Match(sample())
			c.Match(nil)
		}
		k, err := scope.KeyCondition(src)
		if checkFuzzed(t, src, err) {
			_, err = k.Bind("a", "b")
			checkFuzzed(t, src, err)
		}
		p, err := scope.Projection(src)
		if checkFuzzed(t, src, err) {
			if got := p.Apply(sample()); len(got) > len(sample()) {
				t.Errorf("%q leaves more than there was: %s", src, show(got))
			}
		}
		u, err := scope.Update(src)
		if checkFuzzed(t, src, err) {
			before := sample()
			after, err := u.Apply(before)
			if checkFuzzed(t, src, err) {
				u.Updated(after)
			}
			if !equalMaps(before, sample()) {
				t.Errorf("%q changed the old item", src)
			}
		}
	})
}

// checkFuzzed reports whether there is no error; an error must be one that
// DynamoDB could give.
func checkFuzzed(t *testing.T, src string, err error) bool {
	t.Helper()
	if err == nil {
		return true
	}
	if refused := new(Error); !errors.As(err, &refused) || strings.TrimSpace(refused.Message) == "" {
		t.Errorf("%q: %v", src, err)
	}
	return false
}
