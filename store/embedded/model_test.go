package embedded_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// model is the shop table as plainly as it can be said: a map, and whoever
// asks looks at everything in it. The engine is held against it.
type model struct{ items map[string]item }

func newModel() *model { return &model{make(map[string]item)} }

func keyText(it item) string { return text(it["PK"]) + "\x00" + text(it["SK"]) }

func text(value types.AttributeValue) string {
	if s, ok := value.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
}

func quantityOf(value types.AttributeValue) int {
	var quantity int
	if n, ok := value.(*types.AttributeValueMemberN); ok {
		_, _ = fmt.Sscan(n.Value, &quantity)
	}
	return quantity
}

// condition is a condition expression, with its values, and what it means.
type condition struct {
	expression string
	values     item
	holds      func(item) bool
}

// change is one write: a condition, if any, and what becomes of the item.
type change struct {
	key     item
	kind    changeKind
	put     item   // of a put
	update  string // of an update, with its values
	values  item
	becomes func(item) item
	only    *condition
}

type changeKind int

const (
	putting changeKind = iota
	updating
	deleting
	checking
)

// apply makes all changes, or none if one of their conditions fails; refused
// tells which do.
func (m *model) apply(changes ...change) (refused []bool) {
	refused = make([]bool, len(changes))
	any := false
	for i, c := range changes {
		refused[i] = c.only != nil && !c.only.holds(m.items[keyText(c.key)])
		any = any || refused[i]
	}
	if any {
		return refused
	}
	for _, c := range changes {
		at := keyText(c.key)
		switch c.kind {
		case putting:
			m.items[at] = maps.Clone(c.put)
		case deleting:
			delete(m.items, at)
		case updating:
			old := m.items[at]
			if old == nil {
				old = c.key
			}
			m.items[at] = c.becomes(maps.Clone(old))
		}
	}
	return refused
}

// question is a query of the table or of an index.
type question struct {
	index               string // empty for the table
	partition           string
	beginning, from, to string // conditions on a sort key that is a string
	least               int    // on one that is a number
	backward            bool
	limit               int
}

// answer is everything that a question finds, in order.
func (m *model) answer(q question) []item {
	partition, sort, kept := "PK", "SK", []string(nil)
	switch q.index {
	case "ByStatus":
		partition = "Status"
	case "ByTotal":
		partition, sort, kept = "Status", "Total", []string{"PK", "SK", "Status", "Total"}
	case "Dearest":
		sort, kept = "Total", []string{"PK", "SK", "Total", "Name"}
	}
	var found []item
	for _, it := range m.items {
		if it[partition] == nil || it[sort] == nil || text(it[partition]) != q.partition {
			continue
		}
		if sort == "Total" && quantityOf(it["Total"]) < q.least {
			continue
		}
		if sort == "SK" && (!strings.HasPrefix(text(it["SK"]), q.beginning) || text(it["SK"]) < q.from || q.to != "" && text(it["SK"]) > q.to) {
			continue
		}
		found = append(found, only(it, kept))
	}
	slices.SortFunc(found, func(a, b item) int {
		order := cmp.Compare(text(a[sort]), text(b[sort]))
		if sort == "Total" {
			order = cmp.Compare(quantityOf(a["Total"]), quantityOf(b["Total"]))
		}
		if q.backward {
			return -order
		}
		return order
	})
	return found
}

// only keeps the attributes that an index has; nil is all.
func only(it item, kept []string) item {
	it = maps.Clone(it)
	maps.DeleteFunc(it, func(name string, _ types.AttributeValue) bool { return kept != nil && !slices.Contains(kept, name) })
	return it
}
