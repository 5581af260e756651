package expr

import "testing"

// pageNames returns the attribute names in the query for a page of a list.
func pageNames() map[string]string {
	return map[string]string{
		"#pk": "PK", "#sk": "SK", "#a": "id", "#b": "status", "#c": "total", "#d": "customer", "#e": "createdAt", "#f": "currency",
		"#g": "lines", "#h": "store", "#i": "paid", "#j": "shipped", "#k": "city", "#l": "version",
	}
}

func BenchmarkParseQuery(b *testing.B) {
	const projection = "#a, #b, #c, #d, #e, #f, #g, #h, #i, #j, #k, #l"
	names := pageNames()
	for _, c := range []struct {
		name, condition string
		values          Item
	}{
		{"begins_with", "#pk = :pk AND begins_with(#sk, :sk)", Item{":pk": str("ORDERS#2026"), ":sk": str("O#")}},
		{"BETWEEN", "#pk = :pk AND #sk BETWEEN :from AND :to", Item{":pk": str("ORDERS#2026"), ":from": str("O#1"), ":to": str("O#2")}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				scope, err := NewScope(names, c.values)
				if err != nil {
					b.Fatal(err)
				}
				key, err := scope.KeyCondition(c.condition)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := scope.Projection(projection); err != nil {
					b.Fatal(err)
				}
				if err := scope.Unused(); err != nil {
					b.Fatal(err)
				}
				if _, err := key.Bind("PK", "SK"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMatch(b *testing.B) {
	scope, err := NewScope(nil, Item{":s": str("paid"), ":n": num("100")})
	if err != nil {
		b.Fatal(err)
	}
	filter, err := scope.Condition(FilterExpression, "orderStatus = :s AND amount > :n AND attribute_not_exists(gone)")
	if err != nil {
		b.Fatal(err)
	}
	item := Item{"orderStatus": str("paid"), "amount": num("250.75")}
	b.ReportAllocs()
	for b.Loop() {
		if !filter.Match(item) {
			b.Fatal("got no match, want one")
		}
	}
}
