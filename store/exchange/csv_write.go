package exchange

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/csvfile"
)

// record returns the cells for the item of an entity, or for an element of one of its
// lists.
func record(columns []column, entity store.Entity, item store.Item) []csvfile.Cell {
	cells := make([]csvfile.Cell, len(columns))
	for i := range columns {
		c := &columns[i]
		if c.keyName != "" {
			cells[i] = csvfile.Text(entity.KeyValue(c.keyName))
		} else if value := valueAt(item, c.path); value != nil {
			cells[i] = c.format(value)
		}
	}
	return cells
}

func header(columns []column) []csvfile.Cell {
	cells := make([]csvfile.Cell, len(columns))
	for i, c := range columns {
		cells[i] = csvfile.Plain(c.name)
	}
	return cells
}

// valueAt returns the value of the attribute at a path, or nil.
func valueAt(item store.Item, path []string) types.AttributeValue {
	for _, name := range path[:len(path)-1] {
		inner, _ := item[name].(*types.AttributeValueMemberM)
		if inner == nil {
			return nil
		}
		item = inner.Value
	}
	return item[path[len(path)-1]]
}

func setPath(item store.Item, path []string, value types.AttributeValue) {
	for _, name := range path[:len(path)-1] {
		inner, _ := item[name].(*types.AttributeValueMemberM)
		if inner == nil {
			inner = &types.AttributeValueMemberM{Value: store.Item{}}
			item[name] = inner
		}
		item = inner.Value
	}
	item[path[len(path)-1]] = value
}

// elementsAt returns the maps in the list at a path, or nil if there is no list.
func elementsAt(item store.Item, path []string) []store.Item {
	list, _ := valueAt(item, path).(*types.AttributeValueMemberL)
	if list == nil {
		return nil
	}
	var elements []store.Item
	for _, element := range list.Value {
		if m, ok := element.(*types.AttributeValueMemberM); ok {
			elements = append(elements, m.Value)
		}
	}
	return elements
}
