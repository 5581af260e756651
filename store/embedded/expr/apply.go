package expr

import (
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded/number"
)

// Apply returns the item as the update leaves it. An item that is not there yet
// is given as its key attributes. The result is a new Item; of the old one it
// shares only values that the update leaves as they are.
func (u *Update) Apply(item Item) (Item, error) {
	results, err := u.evaluate(item)
	if err != nil {
		return nil, err
	}
	c := change{item: maps.Clone(item)}
	if c.item == nil {
		c.item = make(Item)
	}
	for i := range u.paths {
		if p := &u.paths[i]; len(p.steps) > 0 {
			c.own(p.root, item)
		}
	}
	for i, result := range results {
		if err := c.put(&u.paths[i], result); err != nil {
			return nil, err
		}
	}
	c.settle()
	return c.item, nil
}

// evaluate computes what every path is to hold, nil for nothing, from the item
// as it was: no action sees what another does.
func (u *Update) evaluate(item Item) ([]types.AttributeValue, error) {
	results := make([]types.AttributeValue, len(u.actions))
	for i := range u.actions {
		a := &u.actions[i]
		var err error
		switch a.clause {
		case clauseSet:
			results[i], err = a.value.assign(item)
		case clauseAdd:
			results[i], err = added(u.paths[i].find(item), a.value.value)
		case clauseDelete:
			results[i], err = deleted(u.paths[i].find(item), a.value.value)
		}
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

func incorrectType() error {
	return errorf("An operand in the update expression has an incorrect data type")
}

// assign computes the right side of SET.
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
		return nil, incorrectType()
	}
	return &types.AttributeValueMemberL{Value: slices.Concat(a.Value, b.Value)}, nil
}

func calculate(op operation, left, right types.AttributeValue) (types.AttributeValue, error) {
	a, aOK := left.(*types.AttributeValueMemberN)
	b, bOK := right.(*types.AttributeValueMemberN)
	if !aOK || !bOK {
		return nil, incorrectType()
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

// added is what ADD makes of the old value, which may be nil.
func added(old, value types.AttributeValue) (types.AttributeValue, error) {
	switch {
	case old == nil:
		return value, nil
	case TypeOf(old) != TypeOf(value):
		return nil, incorrectType()
	case TypeOf(value) == "N":
		return calculate(opPlus, old, value)
	}
	return setLike(value, union(members(old), members(value))), nil
}

// deleted is what DELETE leaves of the old value, which may be nil.
func deleted(old, value types.AttributeValue) (types.AttributeValue, error) {
	if old != nil && TypeOf(old) != TypeOf(value) {
		return nil, incorrectType()
	}
	return setLike(value, without(members(old), members(value))), nil
}
