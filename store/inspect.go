package store

import (
	"context"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// redact removes all attributes of a secret item, such as a session, except the entity
// type.
func redact(item Item) Item {
	if schema.IsSecret(item) {
		return Item{table.AttrType: item[table.AttrType]}
	}
	return item
}

// IsRedacted reports whether redact has removed the attributes of the item.
func IsRedacted(item Item) bool { return item[table.AttrPK] == nil }

// RunPattern runs an access pattern with the given parameters. days limits the dates, if
// the pattern has dates. The items have all attributes, even if the pattern has a
// projection. RunPattern returns NotFound if the pattern does not exist, and Forbidden if
// it is secret or not a read.
func (a Access) RunPattern(ctx context.Context, name string, given map[string]string, days DateRange, page Page) (List[Item], error) {
	if err := a.require(Administer); err != nil {
		return List[Item]{}, err
	}
	p, found := PatternByName(name)
	switch {
	case !found:
		return List[Item]{}, fail(NotFound, "Access pattern %s not found.", name)
	case p.Secret || !p.IsRead():
		return List[Item]{}, fail(Forbidden, "Access pattern %s can't be run on this page.", name)
	}
	p = p.ProjectAll()
	q, err := a.store.inRange(ctx, p, days, foldValues(given))
	if err != nil {
		return List[Item]{}, err
	}
	if p.Operation == table.OpQuery {
		return list(ctx, a.store, q, page, redactedItem)
	}
	row, err := a.store.table.Get(ctx, p, q.Values, false)
	if KindOf(err) == NotFound {
		return List[Item]{}, nil
	}
	if err != nil {
		return List[Item]{}, err
	}
	return List[Item]{Rows: []Item{redact(row.Item())}}, nil
}

// Partition returns the items with a partition key in the table or in an index.
func (a Access) Partition(ctx context.Context, index, pk string, page Page) (List[Item], error) {
	if err := a.require(Administer); err != nil {
		return List[Item]{}, err
	}
	p, found := PatternByName(partitionPattern(index))
	if !found {
		return List[Item]{}, InvalidField("index", "“%s” is not an index of the table.", index)
	}
	return list(ctx, a.store, table.Query{Pattern: p, Values: key.Map{"partition": pk}}, page, redactedItem)
}

func partitionPattern(index string) string {
	if index == table.TableIndex {
		return "getPartition"
	}
	return "getPartitionOf" + index
}

func redactedItem(row Row, to *Item) error {
	*to = redact(row.Item())
	return nil
}

// foldValues converts entered names and email addresses to the form that they have in keys.
func foldValues(given map[string]string) key.Map {
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
