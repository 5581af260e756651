package expr

import "testing"

func TestKeyCondition(t *testing.T) {
	partition := str("a")
	for src, want := range map[string]KeyRange{
		"pk = :s":                                 {Partition: partition},
		":s = pk":                                 {Partition: partition},
		"#p = :s":                                 {Partition: partition},
		"pk = :s AND sk = :n":                     {Partition: partition, Op: SortEqual, Sort: num("1")},
		"sk = :n AND pk = :s":                     {Partition: partition, Op: SortEqual, Sort: num("1")},
		"pk = :s AND sk < :n":                     {Partition: partition, Op: SortLess, Sort: num("1")},
		"pk = :s AND sk <= :n":                    {Partition: partition, Op: SortLessEqual, Sort: num("1")},
		"pk = :s AND sk > :n":                     {Partition: partition, Op: SortGreater, Sort: num("1")},
		"pk = :s AND sk >= :n":                    {Partition: partition, Op: SortGreaterEqual, Sort: num("1")},
		"pk = :s AND :n < sk":                     {Partition: partition, Op: SortGreater, Sort: num("1")},
		"pk = :s AND :n <= sk":                    {Partition: partition, Op: SortGreaterEqual, Sort: num("1")},
		"pk = :s AND :n > sk":                     {Partition: partition, Op: SortLess, Sort: num("1")},
		"pk = :s AND :n >= sk":                    {Partition: partition, Op: SortLessEqual, Sort: num("1")},
		"pk = :s AND sk BETWEEN :n AND :m":        {Partition: partition, Op: SortBetween, Sort: num("1"), Upper: num("2")},
		"pk = :s AND begins_with(sk, :t)":         {Partition: partition, Op: SortBeginsWith, Sort: str("b")},
		"(pk = :s) AND (sk = :n)":                 {Partition: partition, Op: SortEqual, Sort: num("1")},
		"(pk = :s AND (begins_with(sk, :t)))":     {Partition: partition, Op: SortBeginsWith, Sort: str("b")},
		"(pk = :s and (sk between (:n) and :m))":  {Partition: partition, Op: SortBetween, Sort: num("1"), Upper: num("2")},
		"pk = :s AND begins_with((sk), :b)":       {Partition: partition, Op: SortBeginsWith, Sort: bin("a")},
		"pk = :s AND sk BETWEEN :s AND :s":        {Partition: partition, Op: SortBetween, Sort: partition, Upper: partition},
		"pk = :s AND sk = :bool":                  {Partition: partition, Op: SortEqual, Sort: boolean(true)},
		"pk = :n AND sk = :s":                     {Partition: num("1"), Op: SortEqual, Sort: partition},
		"begins_with(sk, :t) AND pk = :s":         {Partition: partition, Op: SortBeginsWith, Sort: str("b")},
		"sk BETWEEN :n AND :m AND pk = :s":        {Partition: partition, Op: SortBetween, Sort: num("1"), Upper: num("2")},
		"((pk = :s) AND (sk BETWEEN :n AND :m) )": {Partition: partition, Op: SortBetween, Sort: num("1"), Upper: num("2")},
	} {
		got, err := bindKeys(t, src, "sk")
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if got.Op != want.Op || !equal(got.Partition, want.Partition) || got.Sort != want.Sort && !equal(got.Sort, want.Sort) || got.Upper != want.Upper && !equal(got.Upper, want.Upper) {
			t.Errorf("%s: got %+v, want %+v", src, got, want)
		}
	}
}

func bindKeys(t *testing.T, src, sort string) (KeyRange, error) {
	t.Helper()
	scope, err := NewScope(map[string]string{"#p": "pk"}, testValues())
	if err != nil {
		t.Fatal(err)
	}
	k, err := scope.KeyCondition(src)
	if err != nil {
		return KeyRange{}, err
	}
	return k.Bind("pk", sort)
}

func TestKeyCondition_Errors(t *testing.T) {
	const (
		operator = "Invalid operator used in KeyConditionExpression: "
		nested   = "KeyConditionExpressions cannot contain nested operations"
		several  = "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"
		deep     = "KeyConditionExpressions cannot have conditions on nested attributes"
		noKey    = "Invalid condition in KeyConditionExpression: No key attribute specified"
		once     = "KeyConditionExpressions must only contain one condition per key"
		missed   = "Query condition missed key schema element: "
	)
	first := func(op string) string {
		return "Invalid condition in KeyConditionExpression: " + op + " operator must have the key attribute as its first operand"
	}
	for _, c := range []struct{ src, sort, want string }{
		{"", "sk", "Invalid KeyConditionExpression: The expression can not be empty;"},
		{"pk", "sk", "Invalid KeyConditionExpression: " + near("<EOF>", "pk")},
		{"pk = :s AND begins_with(sk, :n)", "sk", "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
		{"pk = :s OR sk = :s", "sk", operator + "OR"},
		{"NOT pk = :s", "sk", operator + "NOT"},
		{"pk IN (:s)", "sk", operator + "IN"},
		{"pk <> :s", "sk", operator + "<>"},
		{"attribute_exists(pk)", "sk", operator + "attribute_exists"},
		{"attribute_not_exists(pk)", "sk", operator + "attribute_not_exists"},
		{"attribute_type(pk, :type)", "sk", operator + "attribute_type"},
		{"contains(pk.x, :s)", "sk", operator + "contains"},
		{":s BETWEEN pk AND sk", "sk", first("BETWEEN")},
		{"begins_with(:s, sk)", "sk", first("begins_with")},
		{"size(pk) > :n", "sk", nested},
		{"pk > size(sk)", "sk", nested},
		{"pk > sk", "sk", several},
		{"begins_with(sk, pk)", "sk", several},
		{"pk.x = :s", "sk", deep},
		{"pk[0] = :s", "sk", deep},
		{":s > :t AND pk = :s", "sk", noKey},
		{"pk = :s AND sk > :n AND sk < :m", "sk", once},
		{"pk = :s AND pk = :s", "sk", once},
		{"pk = :s AND sk > :n AND elsewhere = :m", "sk", "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)"},
		{"pk = :s AND sk > :n", "", "The number of query conditions (2) exceeds the number of key attributes defined in the schema (1)"},
		{"sk = :s", "sk", missed + "pk"},
		{"elsewhere = :s", "sk", missed + "pk"},
		{"pk = :s AND elsewhere = :s", "sk", missed + "sk"},
		{"pk > :s", "sk", "Query key condition not supported"},
		{"begins_with(pk, :s)", "sk", "Query key condition not supported"},
	} {
		if _, err := bindKeys(t, c.src, c.sort); err == nil || err.Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.src, err, c.want)
		}
	}
}
