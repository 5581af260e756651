package expr

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// errorCase is an expression with its error message. The message has no prefix "Invalid
// …Expression: ", which checkErrors adds.
type errorCase struct{ src, want string }

func testNames() map[string]string {
	return map[string]string{"#a": "a", "#b": "b", "#c": "c", "#three": "[3]", "#s": "status"}
}

func testValues() Item {
	return Item{
		":s": str("a"), ":t": str("b"), ":n": num("1"), ":m": num("2"), ":b": bin("a"), ":bool": boolean(true), ":null": null(),
		":ss": strs("a"), ":ns": nums("1"), ":bs": bins("a"), ":l": list(), ":o": object(nil), ":type": str("SS"),
	}
}

func testScope(t testing.TB) *Scope {
	t.Helper()
	scope, err := NewScope(testNames(), testValues())
	if err != nil {
		t.Fatal(err)
	}
	return scope
}

// checkErrors parses each expression and compares its error.
func checkErrors(t *testing.T, prefix string, parse func(*Scope, string) error, cases []errorCase) {
	t.Helper()
	for _, r := range cases {
		err := parse(testScope(t), r.src)
		if failed := new(Error); !errors.As(err, &failed) || failed.Message != prefix+r.want {
			t.Errorf("%.80s\n got %v\nwant %s", r.src, err, prefix+r.want)
		}
	}
}

func parseFilter(s *Scope, src string) error {
	_, err := s.Condition(FilterExpression, src)
	return err
}

func parseUpdate(s *Scope, src string) error {
	_, err := s.Update(src)
	return err
}

func parseProjection(s *Scope, src string) error {
	_, err := s.Projection(src)
	return err
}

func near(token, near string) string {
	return `Syntax error; token: "` + token + `", near: "` + near + `"`
}

func TestCondition_SyntaxErrors(t *testing.T) {
	checkErrors(t, "Invalid FilterExpression: ", parseFilter, []errorCase{
		{"", "The expression can not be empty;"},
		{"   ", near("<EOF>", "")},
		{"a", near("<EOF>", "a")},
		{"a = ", near("<EOF>", "=")},
		{"a b", near("b", "a b")},
		{"a > 4", near("4", "> 4")},
		{"a AND b = :s", near("AND", "a AND b")},
		{"(a) AND b = :s", near("AND", ") AND b")},
		{"a = :s OR b", near("<EOF>", "b")},
		{"NOT a", near("<EOF>", "a")},
		{"a = :s c", near("c", ":s c")},
		{"(a = :s", near("<EOF>", ":s")},
		{"(a = :s) = :t", near("=", ") = :t")},
		{"a = (b = :s)", near("=", "b = :s")},
		{"a between b", near("<EOF>", "b")},
		{"a between b or c", near("or", "b or c")},
		{"a > between", near("between", "> between")},
		{"a in b", near("b", "in b")},
		{"a in (b,)", near(")", ",)")},
		{"a in ()", near(")", "()")},
		{"size(a).b > :n", near(".", ").b")},
		{"(size(a)).b > :n", near(".", ").b")},
		{"size(a)[0] > :n", near("[", ")[0")},
		{"a.. b = :s", near(".", ".. b")},
		{"a[b] = :s", near("b", "[b]")},
		{"a[:s] = :s", near(":s", "[:s]")},
		{"a[1 = :s", near("=", "1 = :s")},
		{"a[99999999999] = :s", "List index is not within the allowable range; index: [99999999999]"},
		{":s.b = :s", near(".", ":s.b")},
		{"a-b = :s", near("-", "a-b")},
		{`a = "x"`, near(`"`, `= "x`)},
		{"ü = :s", near("ü", "ü =")},
		{"_a = :s", near("_", "_a")},
		{"a = :s AND __b = :s", near("_", "AND __")},
		{"# = :s", near("#", "# =")},
		{"a = :", near(":", "= :")},
		{"a#b = :s", near("#b", "a#b =")},
	})
}

func TestProjection_Errors(t *testing.T) {
	checkErrors(t, "Invalid ProjectionExpression: ", parseProjection, []errorCase{
		{"", "The expression can not be empty;"},
		{"!!! INVALID !!!", near("!", "!!")},
		{"a,", near("<EOF>", ",")},
		{"a b", near("b", "a b")},
		{"(a)", near("(", "(a")},
		{"a, :s", near(":s", ", :s")},
		{"a, Status", "Attribute name is a reserved keyword; reserved keyword: Status"},
		{"b.abOrt", "Attribute name is a reserved keyword; reserved keyword: abOrt"},
		{"b, #x", "An expression attribute name used in the document path is not defined; attribute name: #x"},
		{"a, #a[1]", overlap("[a]", "[a, [1]]")},
		{"b[1], b.a, #a.b, a", overlap("[a, b]", "[a]")},
		{"c, c", overlap("[c]", "[c]")},
		{"a.b, #a[1]", conflict("[a, b]", "[a, [1]]")},
		{"a[3].b, a.#three.b", conflict("[a, [3], b]", "[a, [3], b]")},
	})
}

func overlap(one, two string) string {
	return "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: " + one + ", path two: " + two
}

func conflict(one, two string) string {
	return "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: " + one + ", path two: " + two
}

func TestLimits(t *testing.T) {
	deep := "a" + strings.Repeat(".b", maxDepth-1)
	for _, src := range []string{
		"a = :s" + strings.Repeat(" ", maxBytes-6),
		deep + " = :s",
		"a = :s" + strings.Repeat(" OR a = :s", 149), // 299 operators
		"a IN (" + strings.Repeat(":s, ", maxInOperands-1) + ":s)",
	} {
		if _, err := testScope(t).Condition(FilterExpression, src); err != nil {
			t.Errorf("%.80s: %v", src, err)
		}
	}
	checkErrors(t, "Invalid FilterExpression: ", parseFilter, []errorCase{
		{"a = :s" + strings.Repeat(" ", maxBytes-5), "Expression size has exceeded the maximum allowed size; expression size: 4097"},
		{deep + ".b = :s", "The document path has too many nesting elements; nesting levels: 33"},
		{"a = :s" + strings.Repeat(" OR a = :s", 150), "The expression contains too many operators; operator count: 301"},
		{"a IN (" + strings.Repeat(":s, ", maxInOperands) + ":s)", "The IN operator is provided with too many operands; number of operands: 101"},
	})
}

func TestReservedWords(t *testing.T) {
	if len(reservedWords) != 573 {
		t.Errorf("got %d reserved words, want 573", len(reservedWords))
	}
	for _, word := range slices.Sorted(maps.Keys(reservedWords)) {
		if len(word) > longestReserved {
			t.Errorf("%s: got %d letters, want at most %d", word, len(word), longestReserved)
		}
		for _, spelling := range []string{word, strings.ToLower(word)} {
			if err := parseProjection(testScope(t), spelling); err == nil {
				t.Errorf("%s: got no error, want one", spelling)
			}
		}
	}
	for _, word := range []string{"id", "price", "orderStatus", "zones", "averyveryverylongname"} {
		if err := parseProjection(testScope(t), word); err != nil {
			t.Errorf("%s: %v", word, err)
		}
	}
}

func TestKeywords_AnyCase(t *testing.T) {
	for _, src := range []string{
		"a = :s and b = :s Or NOT c = :s", "a BeTwEeN :s aNd :t", "a in(:s)and(b)=:s", "a\t=\n:s\r", "#a . b [ 0 ]=:s",
		"attribute_exists(a)AND attribute_exists(b)", "NOT NOT a = :s",
	} {
		if err := parseFilter(testScope(t), src); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
}

func TestNewScope_Errors(t *testing.T) {
	long := "#" + strings.Repeat("x", maxPlaceholder)
	for _, c := range []struct {
		names  map[string]string
		values Item
		want   string
	}{
		{names: map[string]string{}, want: "ExpressionAttributeNames must not be empty"},
		{names: map[string]string{"a": "a"}, want: `ExpressionAttributeNames contains invalid key: Syntax error; key: "a"`},
		{names: map[string]string{"#a": "a", "#": "b"}, want: `ExpressionAttributeNames contains invalid key: Syntax error; key: "#"`},
		{names: map[string]string{"#a-b": "a"}, want: `ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"`},
		{names: map[string]string{long: "a"}, want: "ExpressionAttributeNames contains invalid key: Key too long; size of key: 256"},
		{names: map[string]string{"#a": ""}, want: "ExpressionAttributeNames contains invalid value: An attribute name must not be empty"},
		{values: Item{}, want: "ExpressionAttributeValues must not be empty"},
		{values: Item{"b": str("x")}, want: `ExpressionAttributeValues contains invalid key: Syntax error; key: "b"`},
		{
			values: Item{":z": nil, ":b": null(), ":c": num("x")},
			want:   "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric value: x for key :c",
		},
	} {
		if _, err := NewScope(c.names, c.values); err == nil || err.Error() != c.want {
			t.Errorf("NewScope(%v, %v)\n got %v\nwant %s", c.names, c.values, err, c.want)
		}
	}
}

func TestNewScope_NormalizesCopy(t *testing.T) {
	values := Item{":n": num("1.50"), ":s": str("x")}
	scope, err := NewScope(nil, values)
	if err != nil {
		t.Fatal(err)
	}
	c, err := scope.Condition(FilterExpression, "a = :n AND b = :s")
	if err != nil {
		t.Fatal(err)
	}
	if !c.Match(Item{"a": num("1.5"), "b": str("x")}) {
		t.Error("got 1.50 different from 1.5, want them equal")
	}
	if !equal(values[":n"], num("1.50")) {
		t.Errorf("caller's value: got %v, want 1.50", values[":n"])
	}
}

func TestUnused(t *testing.T) {
	names, values := map[string]string{}, Item{}
	var used []string
	for i := range 40 {
		n := strconv.Itoa(i)
		names["#n"+n], values[":v"+n] = "a"+n, str(n)
		used = append(used, "#n"+n+" = :v"+n)
	}
	check := func(src, want string) {
		t.Helper()
		scope, err := NewScope(names, values)
		if err != nil {
			t.Fatal(err)
		}
		if err := parseFilter(scope, src); err != nil {
			t.Fatal(err)
		}
		if err := scope.Unused(); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	all := strings.Join(used, " AND ")
	check(all, "")
	check(all+" OR "+all, "")
	values[":w"], values[":x"] = str("w"), str("x")
	check(all, "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w, :x}")
	names["#w"] = "w"
	check(all, "Value provided in ExpressionAttributeNames unused in expressions: keys: {#w}")
}
