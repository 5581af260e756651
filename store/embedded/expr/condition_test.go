package expr

import (
	"slices"
	"testing"
)

func sample() Item {
	return Item{
		"a":      str("hello"),
		"n":      num("10"),
		"neg":    num("-2.5"),
		"b":      bin("\x00\xff"),
		"yes":    boolean(true),
		"nil":    null(),
		"status": str("paid"),
		"ss":     strs("x", "y"),
		"ns":     nums("1", "2.5"),
		"bs":     bins("p", "q"),
		"l":      list(str("first"), num("2"), object(Item{"deep": list(str("end"))})),
		"o":      object(Item{"k": str("v"), "n": num("7"), "a.b": str("dotted")}),
		"umlaut": str("ä"),
		"blank":  str(""),
	}
}

func TestMatch(t *testing.T) {
	names := map[string]string{"#s": "status", "#dot": "a.b"}
	values := Item{
		":hello": str("hello"), ":hell": str("hell"), ":z": str("z"), ":paid": str("paid"), ":v": str("v"), ":x": str("x"), ":end": str("end"),
		":10": num("10"), ":9": num("9"), ":m25": num("-2.50"), ":2": num("2"), ":7": num("7"), ":b": bin("\x00\xff"), ":b0": bin("\x00"), ":bf": bin("\x00\xfe"),
		":t": boolean(true), ":f": boolean(false), ":null": null(), ":yx": strs("y", "x"), ":xz": strs("x", "z"), ":ns": nums("2.50", "1.0"),
		":qp": bins("q", "p"), ":p": bin("p"), ":o": object(Item{"n": num("7"), "k": str("v"), "a.b": str("dotted")}), ":dotted": str("dotted"),
		":S": str("S"), ":N": str("N"), ":B": str("B"), ":BOOL": str("BOOL"), ":NULL": str("NULL"), ":SS": str("SS"), ":NS": str("NS"), ":BS": str("BS"), ":L": str("L"), ":M": str("M"),
		":deep": object(Item{"deep": list(str("end"))}), ":empty": str(""),
	}
	for src, want := range map[string]bool{
		// Equality of type and value
		"a = :hello": true, ":hello = a": true, "a = :z": false, "a <> :z": true, "a <> :hello": false,
		"n = :10": true, "neg = :m25": true, "n = :hello": false, "n <> :hello": true,
		"b = :b": true, "b = :b0": false, "yes = :t": true, "yes = :f": false, "nil = :null": true, "nil = :t": false,
		"ss = :yx": true, "ss = :xz": false, "ns = :ns": true, "bs = :qp": true, "ss = :ns": false, "o = :o": true, "l[2] = :deep": true, "l = :o": false,
		// Missing attributes
		"gone = :z": false, "gone <> :z": true, "gone = lost": false, "gone < :z": false, "gone >= :z": false,
		// Order
		"a < :z": true, "a > :z": false, "a <= :hello": true, "a >= :hello": true, "a > :hell": true,
		"n > :9": true, "n < :9": false, "n >= :10": true, "neg < :9": true, "b > :bf": true, "b > :b0": true,
		"n > :hello": false, "n < :hello": false, "yes > :9": false, "ss > :9": false,
		"n BETWEEN :9 AND :10": true, "n BETWEEN :2 AND :9": false, "a BETWEEN :hell AND :z": true, "n BETWEEN neg AND :10": true,
		"a BETWEEN n AND neg": false, "gone BETWEEN :9 AND :10": false,
		"a IN (:z, :hello)": true, "a IN (:z, :10)": false, "a IN (:z, n, a)": true, "gone IN (:z)": false, "ss IN (:yx)": true,
		// Logical operators
		"a = :z OR n = :10": true, "a = :z AND n = :10": false, "NOT a = :z": true, "NOT (a = :hello AND n = :10)": false,
		"a = :hello OR a = :z AND n = :9": true, "(a = :hello OR a = :z) AND n = :9": false, "NOT a = :z AND n = :10": true, "NOT NOT a = :hello": true,
		"a = :z OR a = :x OR a = :hello": true,
		// Functions
		"attribute_exists(a)": true, "attribute_exists(gone)": false, "attribute_not_exists(gone)": true, "attribute_not_exists(nil)": false,
		"attribute_exists(o.k)": true, "attribute_exists(o.gone)": false, "attribute_exists(l[9])": false, "attribute_exists(l[0].x)": false, "attribute_exists(a.k)": false,
		"attribute_type(a, :S)": true, "attribute_type(n, :N)": true, "attribute_type(b, :B)": true, "attribute_type(yes, :BOOL)": true, "attribute_type(nil, :NULL)": true,
		"attribute_type(ss, :SS)": true, "attribute_type(ns, :NS)": true, "attribute_type(bs, :BS)": true, "attribute_type(l, :L)": true, "attribute_type(o, :M)": true,
		"attribute_type(a, :N)": false, "attribute_type(gone, :S)": false,
		"begins_with(a, :hell)": true, "begins_with(a, :z)": false, "begins_with(b, :b0)": true, "begins_with(n, :hell)": false, "begins_with(gone, :hell)": false,
		"begins_with(a, :empty)": true, "begins_with(:hello, a)": true, "begins_with(b, :hell)": false,
		"contains(a, :hell)": true, "contains(a, :x)": false, "contains(b, :b0)": true, "contains(ss, :x)": true, "contains(ss, :z)": false, "contains(ns, :m25)": false, "contains(ns, :2)": false,
		"contains(bs, :p)": true, "contains(l, :2)": true, "contains(l, :deep)": true, "contains(l, :z)": false, "contains(o, :v)": false, "contains(gone, :v)": false, "contains(a, :10)": false,
		"size(a) = :10": false, "size(a) < :10": true, "size(umlaut) = :2": true, "size(b) = :2": true, "size(ss) = :2": true, "size(ns) = :2": true, "size(bs) = :2": true,
		"size(l) > :2": true, "size(o) > :2": true, "size(gone) = :2": false, "size(n) = :2": false, "size(blank) < :2": true, "n > size(a)": true,
		// Paths
		"o.k = :v": true, "o.n = :7": true, "o.#dot = :dotted": true, "l[0] = a": false, "l[1] = :2": true, "l[2].deep[0] = :end": true, "(l[2]).deep[0] = :end": true, ":end = (l[2]).deep[0]": true,
		"#s = :paid": true, "(a) = (:hello)": true, "((a) = :hello)": true, "(size(a)) < :10": true,
	} {
		scope, err := NewScope(names, values)
		if err != nil {
			t.Fatal(err)
		}
		c, err := scope.Condition(ConditionExpression, src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := c.Match(sample()); got != want {
			t.Errorf("%s: got %v, want %v", src, got, want)
		}
	}
}

func TestMatch_MissingItem(t *testing.T) {
	c, err := testScope(t).Condition(ConditionExpression, "attribute_not_exists(id) AND NOT a = :s")
	if err != nil {
		t.Fatal(err)
	}
	if !c.Match(nil) {
		t.Error("got no match for a missing item, want one")
	}
}

func TestCondition_Errors(t *testing.T) {
	const (
		parens    = "The expression has redundant parentheses;"
		function  = "Invalid function name; function: "
		misused   = "The function is not allowed to be used this way in an expression; function: "
		reserved  = "Attribute name is a reserved keyword; reserved keyword: "
		noName    = "An expression attribute name used in the document path is not defined; attribute name: "
		noValue   = "An expression attribute value used in expression is not defined; attribute value: "
		operands  = "Incorrect number of operands for operator or function; operator or function: "
		wrongType = "Incorrect operand type for operator or function; operator or function: "
		needsPath = "Operator or function requires a document path; operator or function: "
		distinct  = "The first operand must be distinct from the remaining operands for this operator or function; operator: "
		sameType  = "The BETWEEN operator requires same data type for lower and upper bounds; "
		bounds    = "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; "
	)
	checkErrors(t, "Invalid FilterExpression: ", parseFilter, []errorCase{
		{"c > ((a))", parens},
		{"(a)between(((b.c)).d)and(c)", parens},
		{"a = :s AND ((b = :s AND c = :s))", parens},
		{"((whatever(a)))", parens},
		{"a = :s AND whatever((:s)) > a", function + "whatever"},
		{"attRIbute_exIsts((status))", function + "attRIbute_exIsts"},
		{"if_not_exists(a, b)", function + "if_not_exists"},
		{"attribute_exists(status) > b", misused + "attribute_exists"},
		{"a > contains(b, c)", misused + "contains"},
		{"size(contains(a, b)) > :n", misused + "contains"},
		{"size(a)", misused + "size"},
		{"a = :s OR (size(a))", misused + "size"},
		{"NOT size(a)", misused + "size"},
		{"a between b and attribute_exists(c)", misused + "attribute_exists"},
		{"a in (b, attribute_exists(c))", misused + "attribute_exists"},
		{"attribute_exists(views, #x)", reserved + "views"},
		{":x < abOrT", reserved + "abOrT"},
		{"a.Name = :x", reserved + "Name"},
		{"attribute_exists(#x.c, :x) AND a = a", noName + "#x"},
		{"begins_with(c.#x)", noName + "#x"},
		{"a = :s AND b = :x AND c < a.#x", noValue + ":x"},
		{"begins_with(:x, #a, #b)", noValue + ":x"},
		{"attribute_exists(b, a) AND a = a", operands + "attribute_exists, number of operands: 2"},
		{"attribute_type(b)", operands + "attribute_type, number of operands: 1"},
		{"begins_with(b, size(a), c)", operands + "begins_with, number of operands: 3"},
		{"contains(b)", operands + "contains, number of operands: 1"},
		{"size(b, a) > c", operands + "size, number of operands: 2"},
		{"a = #a", distinct + "=, first operand: [a]"},
		{"a > #a", distinct + ">, first operand: [a]"},
		{"contains(b.c[1].a, b.c[1].#a)", distinct + "contains, first operand: [b, c, [1], a]"},
		{"attribute_exists(:s) AND a = a", needsPath + "attribute_exists"},
		{"attribute_not_exists(size(:s))", needsPath + "attribute_not_exists"},
		{"attribute_not_exists(size(:n))", wrongType + "size, operand type: N"},
		{"attribute_type(a, b)", wrongType + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
		{"attribute_type(a, size(b))", wrongType + "attribute_type, operand type: N"},
		{"attribute_type(a, :ss)", wrongType + "attribute_type, operand type: SS"},
		{"attribute_type(a, :s)", "Invalid attribute type name found; type: a, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
		{"begins_with(a, size(b))", wrongType + "begins_with, operand type: N"},
		{"begins_with(a, :bool)", wrongType + "begins_with, operand type: BOOL"},
		{"begins_with(:l, a)", wrongType + "begins_with, operand type: L"},
		{"size(:null) > a", wrongType + "size, operand type: NULL"},
		{"a < :bool", wrongType + "<, operand type: BOOL"},
		{":o >= a", wrongType + ">=, operand type: M"},
		{"a BETWEEN :bool AND :bool", wrongType + "BETWEEN, operand type: BOOL"},
		{"a BETWEEN :n AND :s", sameType + "lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
		{"a BETWEEN :m AND :n", bounds + "lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
		{"a BETWEEN :t AND :s", bounds + "lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
		{"a BETWEEN :b AND :s", sameType + "lower bound operand: AttributeValue: {B:YQ==}, upper bound operand: AttributeValue: {S:a}"},
	})
	if _, err := testScope(t).Condition(ConditionExpression, "a"); err == nil || err.Error() != "Invalid ConditionExpression: "+near("<EOF>", "a") {
		t.Errorf("got %v, want a syntax error in ConditionExpression", err)
	}
}

func TestReferences(t *testing.T) {
	want := []Reference{{"a", false}, {"b", true}, {"c", true}}
	c, err := testScope(t).Condition(FilterExpression, "a = :s AND (size(b.x) > :n OR NOT contains(:s, c[0]))")
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(c.References()); !slices.Equal(got, want) {
		t.Errorf("condition: got %v, want %v", got, want)
	}
	for range c.References() {
		break // stops early, which References must allow
	}
	p, err := testScope(t).Projection("#a, b.x, c[0]")
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(p.References()); !slices.Equal(got, want) {
		t.Errorf("projection: got %v, want %v", got, want)
	}
}
