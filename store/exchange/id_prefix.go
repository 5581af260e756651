package exchange

import (
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/key"
)

// personColumns are the columns with IDs of people.
var personColumns = []string{"CustomerID", "AccountRepID", "AccountID", "EmployeeID", "ManagerID", "PersonID"}

// personPartitions are the starts of partition keys that end in the ID of a
// person.
var personPartitions = []string{"c#", "e#", accountPrefix, "v1#person#personULID#"}

// withIDPrefix adds a prefix to all IDs of people in a file. In the table an ID
// is one person, so customers and employees of a business that numbers both
// from 1 must be told apart.
func withIDPrefix(batches Batches, prefix string) Batches {
	if prefix == "" {
		return batches
	}
	return func(yield func(*Batch, error) bool) {
		for batch, err := range batches {
			if err == nil {
				batch = prefixBatch(batch, prefix)
			}
			if !yield(batch, err) {
				return
			}
		}
	}
}

func prefixBatch(b *Batch, prefix string) *Batch {
	prefixed := &Batch{Rejected: b.Rejected, Exported: b.Exported}
	for i, entity := range b.Entities {
		e, reason := prefixEntity(entity, prefix)
		if reason != "" {
			prefixed.Rejected = append(prefixed.Rejected, RejectedRow{b.Rows[i], reason})
			continue
		}
		prefixed.Entities, prefixed.Rows = append(prefixed.Entities, e), append(prefixed.Rows, b.Rows[i])
	}
	return prefixed
}

// prefixEntity encodes the entity as a row, changes the IDs in it and decodes
// it again.
func prefixEntity(e store.Entity, prefix string) (prefixed store.Entity, reason string) {
	s, found := sheetOf(e.EntityType())
	if !found {
		return e, ""
	}
	item, err := store.Encode(e, 1)
	if err != nil {
		return nil, err.Error()
	}
	v := rowValues{key.Map{}, item}
	for i := range s.columns {
		c := &s.columns[i]
		value := e.KeyValue(c.keyName)
		if c.keyName == "" {
			value = textAt(item, c.path)
		}
		if value != "" && slices.Contains(personColumns, c.name) {
			value = prefix + value
			if reason := invalidID(c.name, value); reason != "" {
				return nil, reason
			}
			if c.path != nil {
				setPath(item, c.path, &types.AttributeValueMemberS{Value: value})
			}
		}
		if c.keyName == "partition" {
			value = prefixPartition(value, prefix)
		}
		if c.keyName != "" {
			v.keys[c.keyName] = value
		}
	}
	s.setKeys(v)
	if prefixed, err = store.Decode(item); err != nil {
		return nil, err.Error()
	}
	return prefixed, ""
}

// prefixPartition changes the ID in the partition that an event is about.
func prefixPartition(pk, prefix string) string {
	for _, start := range personPartitions {
		if id, found := strings.CutPrefix(pk, start); found {
			return start + prefix + id
		}
	}
	return pk
}

func textAt(item store.Item, path []string) string {
	if value, ok := valueAt(item, path).(*types.AttributeValueMemberS); ok {
		return value.Value
	}
	return ""
}
