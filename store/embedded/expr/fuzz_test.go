package expr

import (
	"errors"
	"strings"
	"testing"
)

// FuzzParse parses a string as each kind of expression, and evaluates valid expressions.
// Errors must have a message.
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
		if isValid(t, src, err) {
			c.Match(sample())
			c.Match(nil)
		}
		k, err := scope.KeyCondition(src)
		if isValid(t, src, err) {
			_, err = k.Bind("a", "b")
			isValid(t, src, err)
		}
		p, err := scope.Projection(src)
		if isValid(t, src, err) {
			if got := p.Apply(sample()); len(got) > len(sample()) {
				t.Errorf("%q: got more attributes than the item has, want only some of its attributes: %s", src, show(got))
			}
		}
		u, err := scope.Update(src)
		if isValid(t, src, err) {
			before := sample()
			after, err := u.Apply(before)
			if isValid(t, src, err) {
				u.Updated(after)
			}
			if !equalMaps(before, sample()) {
				t.Errorf("%q modified the old item, want it unchanged", src)
			}
		}
	})
}

// isValid reports whether err is nil. An error must be an *Error with a message.
func isValid(t *testing.T, src string, err error) bool {
	t.Helper()
	if err == nil {
		return true
	}
	if failed := new(Error); !errors.As(err, &failed) || strings.TrimSpace(failed.Message) == "" {
		t.Errorf("%q: got %v, want an *Error with a message", src, err)
	}
	return false
}
