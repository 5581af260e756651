package embedded_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// model is a simple implementation of the shop table: it searches all items. The
// engine must give the same results.
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

// condition is a condition expression with its values, and a function that evaluates
// it in the model.
type condition struct {
	expression string
	values     item
	holds      func(item) bool
}

// change is a put, update or delete with an optional condition, or a condition check.
type change struct {
	key       item
	kind      changeKind
	put       item   // item to put; nil for other changes
	update    string // update expression, with its placeholders in values; result makes the same change in the model
	values    item
	result    func(item) item
	condition *condition
}

type changeKind int

const (
	putChange changeKind = iota
	updateChange
	deleteChange
	checkChange
)

// apply makes all changes, or none if a condition fails. It returns for each change
// whether its condition failed.
func (m *model) apply(changes ...change) (failed []bool) {
	failed = make([]bool, len(changes))
	any := false
	for i, c := range changes {
		failed[i] = c.condition != nil && !c.condition.holds(m.items[keyText(c.key)])
		any = any || failed[i]
	}
	if any {
		return failed
	}
	for _, c := range changes {
		at := keyText(c.key)
		switch c.kind {
		case putChange:
			m.items[at] = maps.Clone(c.put)
		case deleteChange:
			delete(m.items, at)
		case updateChange:
			old := m.items[at]
			if old == nil {
				old = c.key
			}
			m.items[at] = c.result(maps.Clone(old))
		}
	}
	return failed
}

// modelQuery is a query of the shop table or one of its indexes.
type modelQuery struct {
	index            string // "" for the table
	partition        string
	prefix, from, to string // values with which a string sort key must begin, or between which it must be
	minimum          int    // lowest value of a numeric sort key
	backward         bool
	limit            int
}

// query returns all matching items in order.
func (m *model) query(q modelQuery) []item {
	partition, sort, projected := "PK", "SK", []string(nil)
	switch q.index {
	case "ByStatus":
		partition = "Status"
	case "ByTotal":
		partition, sort, projected = "Status", "Total", []string{"PK", "SK", "Status", "Total"}
	case "Dearest":
		sort, projected = "Total", []string{"PK", "SK", "Total", "Name"}
	}
	var found []item
	for _, it := range m.items {
		if it[partition] == nil || it[sort] == nil || text(it[partition]) != q.partition {
			continue
		}
		if sort == "Total" && quantityOf(it["Total"]) < q.minimum {
			continue
		}
		if sort == "SK" && (!strings.HasPrefix(text(it["SK"]), q.prefix) || text(it["SK"]) < q.from || q.to != "" && text(it["SK"]) > q.to) {
			continue
		}
		found = append(found, projectItem(it, projected))
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

// projectItem returns the projected attributes of an item. If projected is nil, it
// returns all attributes.
func projectItem(it item, projected []string) item {
	it = maps.Clone(it)
	maps.DeleteFunc(it, func(name string, _ types.AttributeValue) bool {
		return projected != nil && !slices.Contains(projected, name)
	})
	return it
}
