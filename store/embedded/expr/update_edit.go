package expr

import (
	"cmp"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// edit is an update in progress. List indexes in an expression refer to the list before the
// update. Elements are therefore removed and appended after all other changes, in
// finishLists.
type edit struct {
	item     Item
	owned    []string // attributes whose values were copied
	shrunk   []*types.AttributeValueMemberL
	appended []appendedElement
}

// appendedElement is a new list element, whose index in the expression is beyond the end of
// the list. New elements are appended in the order of these indexes.
type appendedElement struct {
	list  *types.AttributeValueMemberL
	index int
	value types.AttributeValue
}

// copyAttribute replaces the value of an attribute with a deep copy, so that it can
// be modified.
func (c *edit) copyAttribute(attribute string, old Item) {
	if value, ok := old[attribute]; ok && !slices.Contains(c.owned, attribute) {
		c.owned = append(c.owned, attribute)
		c.item[attribute] = deepCopy(value)
	}
}

// deepCopy copies nested lists and maps. The copy shares other values, which are
// immutable.
func deepCopy(value types.AttributeValue) types.AttributeValue {
	switch v := value.(type) {
	case *types.AttributeValueMemberM:
		copied := make(Item, len(v.Value))
		for key, element := range v.Value {
			copied[key] = deepCopy(element)
		}
		return &types.AttributeValueMemberM{Value: copied}
	case *types.AttributeValueMemberL:
		copied := make([]types.AttributeValue, len(v.Value))
		for i, element := range v.Value {
			copied[i] = deepCopy(element)
		}
		return &types.AttributeValueMemberL{Value: copied}
	}
	return value
}

// put sets the value at a path. If value is nil, it removes the value that is there.
func (c *edit) put(p *path, value types.AttributeValue) error {
	if len(p.steps) == 0 {
		putKey(c.item, p.root, value)
		return nil
	}
	last := len(p.steps) - 1
	parent := path{p.root, p.steps[:last]}
	name, index := p.steps[last].name, p.steps[last].index
	switch container := parent.find(c.item).(type) {
	case *types.AttributeValueMemberM:
		if name != "" {
			putKey(container.Value, name, value)
			return nil
		}
	case *types.AttributeValueMemberL:
		if name == "" {
			c.putElement(container, index, value)
			return nil
		}
	}
	return errorf("The document path provided in the update expression is invalid for update")
}

func putKey(item Item, key string, value types.AttributeValue) {
	if value == nil {
		delete(item, key)
		return
	}
	item[key] = value
}

func (c *edit) putElement(list *types.AttributeValueMemberL, index int, value types.AttributeValue) {
	switch {
	case index < len(list.Value):
		list.Value[index] = value
		if value == nil {
			c.shrunk = append(c.shrunk, list)
		}
	case value != nil:
		c.appended = append(c.appended, appendedElement{list, index, value})
	}
}

// finishLists removes list elements and appends new ones.
func (c *edit) finishLists() {
	for _, list := range c.shrunk {
		list.Value = slices.DeleteFunc(list.Value, func(element types.AttributeValue) bool { return element == nil })
	}
	slices.SortStableFunc(c.appended, func(a, b appendedElement) int { return cmp.Compare(a.index, b.index) })
	for _, a := range c.appended {
		a.list.Value = append(a.list.Value, a.value)
	}
}
