package store

import (
	"context"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// withheld leaves of a secret item its type alone.
func withheld(item Item) Item {
	if schema.IsSecret(item) {
		return Item{table.AttrType: item[table.AttrType]}
	}
	return item
}

// Withheld says whether an item is one of which only the type is shown.
func Withheld(item Item) bool { return item[table.AttrPK] == nil }

// Ask answers a pattern of the catalogue, by its name, with values that
// somebody chose; the range of a pattern that has one is that of the days.
// Items come whole, also where lists read a part of them.
func (a Access) Ask(ctx context.Context, name string, given map[string]string, days DateRange, page Page) (List[Item], error) {
	if err := a.require(Administer); err != nil {
		return List[Item]{}, err
	}
	p, found := PatternByName(name)
	switch {
	case !found:
		return List[Item]{}, fail(NotFound, "There is no access pattern %s.", name)
	case p.Secret || !p.IsRead():
		return List[Item]{}, fail(Forbidden, "What %s is about is not shown.", name)
	}
	p = p.ProjectAll()
	q, err := a.store.inRange(ctx, p, days, asKeysHave(given))
	if err != nil {
		return List[Item]{}, err
	}
	if p.Operation == table.OpQuery {
		return list(ctx, a.store, q, page, shownItem)
	}
	item, err := a.store.table.Get(ctx, p, q.Values, false)
	if KindOf(err) == NotFound {
		return List[Item]{}, nil
	}
	return List[Item]{Rows: []Item{withheld(item)}}, err
}

// Partition lists what lies under a partition key, of the table or of an
// index.
func (a Access) Partition(ctx context.Context, index, pk string, page Page) (List[Item], error) {
	if err := a.require(Administer); err != nil {
		return List[Item]{}, err
	}
	p, found := PatternByName(partitionPattern(index))
	if !found {
		return List[Item]{}, InvalidField("index", "%q is no index of the table.", index)
	}
	return list(ctx, a.store, table.Query{Pattern: p, Values: key.Map{"partition": pk}}, page, shownItem)
}

// partitionPattern names the pattern that asks for a whole partition.
func partitionPattern(index string) string {
	if index == table.TableIndex {
		return "getPartition"
	}
	return "getPartitionOf" + index
}

func shownItem(item Item, to *Item) error {
	*to = withheld(item)
	return nil
}

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
