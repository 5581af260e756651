package expr

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func updateScope(t testing.TB) *Scope {
	t.Helper()
	values := Item{
		":1": num("1"), ":2": num("2"), ":x": str("x"), ":y": str("y"), ":ss": strs("x", "q"), ":ns": nums("1", "7"), ":bs": bins("p", "z"),
		":all": strs("x", "y"), ":l": list(str("new")), ":o": object(Item{"k": num("1")}), ":huge": num("9e125"),
	}
	scope, err := NewScope(map[string]string{"#s": "status"}, values)
	if err != nil {
		t.Fatal(err)
	}
	return scope
}

// with returns the sample item with changes. A nil value removes an attribute.
func with(changes Item) Item {
	item := sample()
	for name, value := range changes {
		putKey(item, name, value)
	}
	return item
}

func TestUpdate(t *testing.T) {
	third := object(Item{"deep": list(str("end"))})
	for src, changes := range map[string]Item{
		"SET fresh = :x":                            {"fresh": str("x")},
		"SET a = :x, #s = :y":                       {"a": str("x"), "status": str("y")},
		"set a=(:x)":                                {"a": str("x")},
		"SET n = n + :1":                            {"n": num("11")},
		"SET n = n - :1":                            {"n": num("9")},
		"SET n = (n - :1)":                          {"n": num("9")},
		"SET n = :1 - neg":                          {"n": num("3.5")},
		"SET n = if_not_exists(n, :1) + :1":         {"n": num("11")},
		"SET fresh = if_not_exists(fresh, :1) + :1": {"fresh": num("2")},
		"SET fresh = if_not_exists(x, if_not_exists(y, :1))": {"fresh": num("1")},
		"SET a = n, n = a":           {"a": num("10"), "n": str("hello")},
		"SET a = o.k":                {"a": str("v")},
		"SET l = list_append(l, :l)": {"l": list(str("first"), num("2"), third, str("new"))},
		"SET l = list_append(:l, l)": {"l": list(str("new"), str("first"), num("2"), third)},
		"SET fresh = list_append(if_not_exists(fresh, :l), :l)": {"fresh": list(str("new"), str("new"))},
		"SET o.k = :x":                                    {"o": object(Item{"k": str("x"), "n": num("7"), "a.b": str("dotted")})},
		"SET o.fresh = :x REMOVE o.n, o.k":                {"o": object(Item{"fresh": str("x"), "a.b": str("dotted")})},
		"SET l[0] = :x":                                   {"l": list(str("x"), num("2"), third)},
		"SET l[9] = :y, l[7] = :x":                        {"l": list(str("first"), num("2"), third, str("x"), str("y"))},
		"SET l[2].deep[0] = :x":                           {"l": list(str("first"), num("2"), object(Item{"deep": list(str("x"))}))},
		"REMOVE l[0], l[1]":                               {"l": list(third)},
		"REMOVE l[1], l[0] SET l[5] = :x, l[2].deep = :y": {"l": list(object(Item{"deep": str("y")}), str("x"))},
		"REMOVE l[9]":                                     {},
		"REMOVE a, gone":                                  {"a": nil},
		"REMOVE o.gone":                                   {},
		"ADD n :1":                                        {"n": num("11")},
		"ADD fresh :1":                                    {"fresh": num("1")},
		"ADD o.n :1, o.fresh :ss":                         {"o": object(Item{"k": str("v"), "n": num("8"), "a.b": str("dotted"), "fresh": strs("x", "q")})},
		"ADD ss :ss":                                      {"ss": strs("x", "y", "q")},
		"ADD ns :ns":                                      {"ns": nums("1", "2.5", "7")},
		"ADD bs :bs":                                      {"bs": bins("p", "q", "z")},
		"ADD fresh :ss":                                   {"fresh": strs("x", "q")},
		"DELETE ss :ss":                                   {"ss": strs("y")},
		"DELETE ns :ns":                                   {"ns": nums("2.5")},
		"DELETE bs :bs":                                   {"bs": bins("q")},
		"DELETE ss :all":                                  {"ss": nil},
		"DELETE fresh :ss":                                {},
		"SET a = :x REMOVE b ADD n :1 DELETE ss :ss": {"a": str("x"), "b": nil, "n": num("11"), "ss": strs("y")},
		"delete ss :ss add n :1 remove b set a = :x": {"a": str("x"), "b": nil, "n": num("11"), "ss": strs("y")},
	} {
		u, err := updateScope(t).Update(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		before := sample()
		got, err := u.Apply(before)
		if err != nil || !equalMaps(got, with(changes)) {
			t.Errorf("%s\n got %s, %v\nwant %s", src, show(got), err, show(with(changes)))
		}
		if !equalMaps(before, sample()) {
			t.Errorf("%s modified the old item, want it unchanged", src)
		}
	}
}

func TestUpdate_MissingItem(t *testing.T) {
	u, err := updateScope(t).Update("SET a = :x ADD n :1")
	if err != nil {
		t.Fatal(err)
	}
	want := Item{"a": str("x"), "n": num("1")}
	if got, err := u.Apply(nil); err != nil || !equalMaps(got, want) {
		t.Errorf("got %s, %v; want %s", show(got), err, show(want))
	}
}

func TestApply_Errors(t *testing.T) {
	const (
		incorrect = "An operand in the update expression has an incorrect data type"
		missing   = "The provided expression refers to an attribute that does not exist in the item"
		noPath    = "The document path provided in the update expression is invalid for update"
		overflow  = "Number overflow. Attempting to store a number with magnitude larger than supported range"
	)
	for src, want := range map[string]string{
		"SET a = gone":                  missing,
		"SET a = o.gone":                missing,
		"SET a = gone + :1":             missing,
		"SET a = :1 + gone":             missing,
		"SET a = list_append(gone, :l)": missing,
		"SET n = a + :1":                incorrect,
		"SET n = :1 - a":                incorrect,
		"SET l = list_append(:l, a)":    incorrect,
		"ADD a :1":                      incorrect,
		"ADD n :ss":                     incorrect,
		"ADD ss :ns":                    incorrect,
		"DELETE ss :ns":                 incorrect,
		"DELETE a :ss":                  incorrect,
		"SET gone.x = :x":               noPath,
		"SET o.gone.x = :x":             noPath,
		"SET o[0] = :x":                 noPath,
		"SET l.x = :x":                  noPath,
		"SET a.x = :x":                  noPath,
		"SET l[9].x = :x":               noPath,
		"REMOVE gone.x":                 noPath,
		"REMOVE a[0]":                   noPath,
		"DELETE gone.x :ss":             noPath,
		"SET n = :huge + :huge":         overflow,
		"SET n = :huge + :1":            overflow, // the result would need 126 digits
	} {
		u, err := updateScope(t).Update(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got, err := u.Apply(sample()); err == nil || err.Error() != want {
			t.Errorf("%s\n got %s, %v\nwant %s", src, show(got), err, want)
		}
	}
}

func TestUpdate_Errors(t *testing.T) {
	const (
		reserved  = "Attribute name is a reserved keyword; reserved keyword: "
		function  = "Invalid function name; function: "
		noName    = "An expression attribute name used in the document path is not defined; attribute name: "
		noValue   = "An expression attribute value used in expression is not defined; attribute value: "
		operands  = "Incorrect number of operands for operator or function; operator or function: "
		wrongType = "Incorrect operand type for operator or function; operator or function: "
		wrongAdd  = "Incorrect operand type for operator or function; operator: "
		needsPath = "Operator or function requires a document path; operator or function: "
	)
	section := func(name string) string {
		return `The "` + name + `" section can only be used once in an update expression;`
	}
	checkErrors(t, "Invalid UpdateExpression: ", parseUpdate, []errorCase{
		{"", "The expression can not be empty;"},
		{"INVALID SYNTAX HERE", near("INVALID", "INVALID SYNTAX")},
		{"SET", near("<EOF>", "SET")},
		{"SET a", near("<EOF>", "a")},
		{"SET a = :s, ", near("<EOF>", ",")},
		{"ADD hits : incr", near(":", "hits : incr")},
		{"ADD a b", near("b", "a b")},
		{"DELETE a if_not_exists(b)", near("if_not_exists", "a if_not_exists(")},
		{"REMOVE a b", near("b", "a b")},
		{"REMOVE a = b", near("=", "a = b")},
		{"SET a b", near("b", "a b")},
		{"SET a = set", near("set", "= set")},
		{"SET :s = b", near(":s", "SET :s =")},
		{"SET a = b / c", near("/", "b / c")},
		{"SET a = b + c + d", near("+", "c + d")},
		{"SET (a = b)", near("(", "SET (a")},
		{"SET a = (b.c).d + e", near(".", ").d")},
		{"SET a = 1", near("1", "= 1")},
		{"SET a = :s AND b = :s", near("AND", ":s AND b")},
		{"SET if_not_exists(a, b) = a", near("(", "if_not_exists(a")},
		{"set #x = :x set Abort = :s", reserved + "Abort"},
		{"SET #x = if_not_exist(:x) set c = d", function + "if_not_exist"},
		{"SET a = size(b)", function + "size"},
		{"SET a = #x SET c = :x", section("SET")},
		{"REMOVE #x SET a = b REMOVE e", section("REMOVE")},
		{"ADD #x :x SET a = b ADD e :n", section("ADD")},
		{"DELETE #x :x SET a = b DELETE e :ss", section("DELETE")},
		{"SET a = :x, b = #x, c = if_not_exists(:s)", noName + "#x"},
		{"SET a = if_not_exists(:x), b = b", noValue + ":x"},
		{"SET d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)", overlap("[c, [1], a]", "[c]")},
		{"SET #c[3].#three = a, #c[3] = a", overlap("[c, [3], [3]]", "[c, [3]]")},
		{"SET a = :s ADD a :n", overlap("[a]", "[a]")},
		{"SET #c[3].#three = a, #c.#three[3] = if_not_exists(a)", conflict("[c, [3], [3]]", "[c, [3], [3]]")},
		{"REMOVE a.#c SET a[1] = #three", conflict("[a, c]", "[a, [1]]")},
		{"SET b = list_append(:s, a), c = if_not_exists(a) ADD a.b :s", wrongAdd + "ADD, operand type: STRING"},
		{"ADD a :b", wrongAdd + "ADD, operand type: BINARY"},
		{"ADD a :bool", wrongAdd + "ADD, operand type: BOOLEAN"},
		{"ADD a :null", wrongAdd + "ADD, operand type: NULL"},
		{"ADD a :l", wrongAdd + "ADD, operand type: LIST"},
		{"ADD a :o", wrongAdd + "ADD, operand type: MAP"},
		{"DELETE a :n", wrongAdd + "DELETE, operand type: NUMBER"},
		{"DELETE a :s", wrongAdd + "DELETE, operand type: STRING"},
		{"SET a = if_not_exists(c)", operands + "if_not_exists, number of operands: 1"},
		{"SET a = list_append(c, b, b)", operands + "list_append, number of operands: 3"},
		{"SET a = if_not_exists(:s, c)", needsPath + "if_not_exists"},
		{"SET a = if_not_exists(if_not_exists(a, b), c)", needsPath + "if_not_exists"},
		{"SET a = list_append(:s, a)", wrongType + "list_append, operand type: S"},
		{"SET a = list_append(a, :ss)", wrongType + "list_append, operand type: SS"},
		{"SET a = a + :s", wrongType + "+, operand type: S"},
		{"SET a = :bool - a", wrongType + "-, operand type: BOOL"},
	})
}

func TestCheckKeys(t *testing.T) {
	u, err := testScope(t).Update("SET a = :s REMOVE #b.c")
	if err != nil {
		t.Fatal(err)
	}
	if err := u.CheckKeys("pk", "sk"); err != nil {
		t.Error(err)
	}
	want := "One or more parameter values were invalid: Cannot update attribute b. This attribute is part of the key"
	if err := u.CheckKeys("pk", "b"); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestUpdated(t *testing.T) {
	item := Item{"a": str("x"), "b": num("1"), "o": object(Item{"k": str("v"), "n": num("7")}), "l": list(num("1"), num("2"), num("3"))}
	for src, want := range map[string]Item{
		"SET a = :x, fresh = :y":    {"a": str("x")},
		"SET o.k = :x REMOVE l[2]":  {"o": object(Item{"k": str("v")}), "l": list(num("3"))},
		"SET l[1] = :x, l[0] = :x":  {"l": list(num("1"), num("2"))},
		"SET o.fresh = :x ADD b :1": {"b": num("1")},
	} {
		u, err := updateScope(t).Update(src)
		if err != nil {
			t.Fatal(err)
		}
		if got := u.Updated(item); !equalMaps(got, want) {
			t.Errorf("%s: got %s, want %s", src, show(got), show(want))
		}
	}
}

func TestProjection_Apply(t *testing.T) {
	for src, want := range map[string]Item{
		"a, n, gone":       {"a": str("hello"), "n": num("10")},
		"gone":             {},
		"o.k, o.gone":      {"o": object(Item{"k": str("v")})},
		"o.gone":           {},
		"a.k, l.x, o[0]":   {},
		"l[2], l[0], l[9]": {"l": list(str("first"), object(Item{"deep": list(str("end"))}))},
		"l[2].deep[0], a":  {"a": str("hello"), "l": list(object(Item{"deep": list(str("end"))}))},
		"#s":               {"status": str("paid")},
	} {
		p, err := updateScope(t).Projection(src)
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got := p.Apply(sample()); !equalMaps(got, want) {
			t.Errorf("%s: got %s, want %s", src, show(got), show(want))
		}
	}
}

func show(item Item) string {
	return showValue(&types.AttributeValueMemberM{Value: item})
}
