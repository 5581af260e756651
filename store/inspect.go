package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
)

// secretTypes are entities whose items nobody is shown as they lie in the
// table, admins included: hashes of passwords, log-ins, the keys that sign
// cookies.
var secretTypes = []string{"user", "session", "sessionKeys"}

func secretItem(item Item) bool { return slices.Contains(secretTypes, textOf(item, attrType)) }

// withheld leaves of a secret item its type alone.
func withheld(item Item) Item {
	if secretItem(item) {
		return Item{attrType: item[attrType]}
	}
	return item
}

// Withheld says whether an item is one of which only the type is shown.
func Withheld(item Item) bool { return item[attrPK] == nil }

// Reads says whether the pattern asks for something; the others are in the
// catalogue for the keys that a change writes.
func (p *Pattern) Reads() bool { return p.Operation == GetItem || p.Operation == Query }

// Missing lists the values that the pattern cannot be asked without and that
// are not given. Ends of a range may stay open, and a name may be any.
func (p *Pattern) Missing(given map[string]string) []string {
	var missing []string
	for _, name := range p.Names() {
		if given[name] == "" && !p.optional(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

func (p *Pattern) optional(name string) bool {
	return name == "from" || name == "to" || p.SK.operator == "begins_with" && p.SK.low.String() == "${"+name+"}"
}

// Ask answers a pattern of the catalogue, by its name, with values that
// somebody chose; the range of a pattern that has one is that of the days.
// Items come whole, also where lists read a part of them.
func (a Access) Ask(ctx context.Context, name string, given map[string]string, days DateRange, page Page) (List[Item], error) {
	if err := a.may(Administer); err != nil {
		return List[Item]{}, err
	}
	p, found := PatternByName(name)
	switch {
	case !found:
		return List[Item]{}, fail(NotFound, "There is no access pattern %s.", name)
	case p.Secret || !p.Reads():
		return List[Item]{}, fail(Forbidden, "What %s is about is not shown.", name)
	}
	p = p.showingAll()
	q, err := a.inRange(ctx, p, days, asKeysHave(given))
	if err != nil {
		return List[Item]{}, err
	}
	if p.Operation == Query {
		return list(ctx, a.Store, q, page, shownItem)
	}
	item, err := a.get(ctx, p, q.values, false)
	if KindOf(err) == NotFound {
		return List[Item]{}, nil
	}
	return List[Item]{Rows: []Item{withheld(item)}}, err
}

// Partition lists what lies under a partition key, of the table or of an
// index.
func (a Access) Partition(ctx context.Context, index, pk string, page Page) (List[Item], error) {
	if err := a.may(Administer); err != nil {
		return List[Item]{}, err
	}
	p, found := PatternByName(partitionPattern(index))
	if !found {
		return List[Item]{}, InvalidField("index", "%q is no index of the table.", index)
	}
	return list(ctx, a.Store, question{pattern: p, values: key.Map{"partition": pk}}, page, shownItem)
}

// partitionPattern names the pattern that asks for a whole partition.
func partitionPattern(index string) string {
	if index == "table" {
		return "getPartition"
	}
	return "getPartitionOf" + index
}

func shownItem(item Item) (Item, error) { return withheld(item), nil }

// asKeysHave turns values as people type them into those of keys.
func asKeysHave(given map[string]string) key.Map {
	values := key.Map{}
	for name, value := range given {
		switch name {
		case "name", "category":
			value = key.Fold(value)
		case "email":
			value = strings.ToLower(value)
		}
		values[name] = value
	}
	return values
}
