package expr

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/number"
)

// Apply returns the item after the update. To create an item, pass its key
// attributes. The result is a new Item, which shares only unchanged values with the
// old one.
func (u *Update) Apply(item Item) (Item, error) {
	results, err := u.evaluate(item)
	if err != nil {
		return nil, err
	}
	c := edit{item: maps.Clone(item)}
	if c.item == nil {
		c.item = make(Item)
	}
	for i := range u.paths {
		if p := &u.paths[i]; len(p.steps) > 0 {
			c.copyAttribute(p.root, item)
		}
	}
	for i, result := range results {
		if err := c.put(&u.paths[i], result); err != nil {
			return nil, err
		}
	}
	c.finishLists()
	return c.item, nil
}

// evaluate returns the new value for each path, or nil to remove the attribute. All
// actions see the item before the update.
func (u *Update) evaluate(item Item) ([]types.AttributeValue, error) {
	results := make([]types.AttributeValue, len(u.actions))
	for i := range u.actions {
		a := &u.actions[i]
		var err error
		switch a.clause {
		case clauseSet:
			results[i], err = a.value.assign(item)
		case clauseAdd:
			results[i], err = addValue(u.paths[i].find(item), a.value.value)
		case clauseDelete:
			results[i], err = deleteValue(u.paths[i].find(item), a.value.value)
		}
		if err == errIncorrectType && u.legacy {
			err = errTypeMismatch
		}
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// Errors for a stored value whose type an action does not support.
var (
	errIncorrectType error = errorf("An operand in the update expression has an incorrect data type")
	errTypeMismatch  error = errorf("Type mismatch for attribute to update")
)

// assign evaluates the right side of a SET action.
func (n *node) assign(item Item) (types.AttributeValue, error) {
	switch n.op {
	case opValue:
		return n.value, nil
	case opIfNotExists:
		if value := n.first.path.find(item); value != nil {
			return value, nil
		}
		return n.second().assign(item)
	case opPath:
		value := n.path.find(item)
		if value == nil {
			return nil, errorf("The provided expression refers to an attribute that does not exist in the item")
		}
		return value, nil
	}
	left, err := n.first.assign(item)
	if err != nil {
		return nil, err
	}
	right, err := n.second().assign(item)
	if err != nil {
		return nil, err
	}
	if n.op == opListAppend {
		return listAppend(left, right)
	}
	return calculate(n.op, left, right)
}

func listAppend(left, right types.AttributeValue) (types.AttributeValue, error) {
	a, aOK := left.(*types.AttributeValueMemberL)
	b, bOK := right.(*types.AttributeValueMemberL)
	if !aOK || !bOK {
		return nil, errIncorrectType
	}
	return &types.AttributeValueMemberL{Value: slices.Concat(a.Value, b.Value)}, nil
}

func calculate(op operation, left, right types.AttributeValue) (types.AttributeValue, error) {
	a, aOK := left.(*types.AttributeValueMemberN)
	b, bOK := right.(*types.AttributeValueMemberN)
	if !aOK || !bOK {
		return nil, errIncorrectType
	}
	x, err := number.Parse(a.Value)
	if err != nil {
		return nil, numberError(err)
	}
	y, err := number.Parse(b.Value)
	if err != nil {
		return nil, numberError(err)
	}
	result, err := x.Add(y)
	if op == opMinus {
		result, err = x.Sub(y)
	}
	if err != nil {
		return nil, numberError(err)
	}
	return &types.AttributeValueMemberN{Value: result.String()}, nil
}

// addValue returns the result of ADD. The argument old is nil if there is no value.
func addValue(old, value types.AttributeValue) (types.AttributeValue, error) {
	switch {
	case old == nil:
		return value, nil
	case TypeOf(old) != TypeOf(value):
		return nil, errIncorrectType
	case TypeOf(value) == "N":
		return calculate(opPlus, old, value)
	}
	return newSet(value, union(members(old), members(value))), nil
}

// deleteValue returns the result of DELETE, or nil to remove the attribute. The
// argument old is nil if there is no value.
func deleteValue(old, value types.AttributeValue) (types.AttributeValue, error) {
	if old != nil && TypeOf(old) != TypeOf(value) {
		return nil, errIncorrectType
	}
	return newSet(value, difference(members(old), members(value))), nil
}
