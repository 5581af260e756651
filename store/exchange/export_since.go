package exchange

import (
	"slices"
	"strings"
	"time"

	"stockroom/store"
)

// changes decides which items have changed since a time. An item is left out
// only if the table knows that it has not changed: its own dates and all events
// about it are earlier.
type changes struct {
	since   time.Time       // zero for an export of everything
	changed map[string]bool // the partitions with events, and whether one is late enough
}

// inclusion is whether an item is exported.
type inclusion int

const (
	excluded inclusion = iota
	included
	ifChanged     // if there are events that are late enough
	unlessEarlier // unless there are events, but all are earlier
)

// decide returns whether an entity is exported, and the partition of the events
// that the answer depends on.
func (c *changes) decide(entity store.Entity) (inclusion, string) {
	last, known := store.LastChangeOf(entity)
	switch {
	case c.since.IsZero(), !known, !last.At.IsZero() && !last.At.Before(c.since):
		return included, ""
	case last.Partition == "" && last.At.IsZero():
		return included, ""
	case last.Partition == "":
		return excluded, ""
	case last.At.IsZero() && !last.IsPart:
		return unlessEarlier, last.Partition
	}
	return ifChanged, last.Partition
}

// observe notes when the records of a partition changed. Early changes of orders
// are not kept: orders have dates, and there are many.
func (c *changes) observe(entity store.Entity) {
	partition, at, ok := store.ChangedPartition(entity)
	late := !at.Before(c.since)
	if ok && (late || !c.changed[partition] && !strings.HasPrefix(partition, orderPrefix)) {
		c.changed[partition] = late
	}
}

// includes decides about a row when all events are known.
func (c *changes) includes(row *exportRow) bool {
	changed, found := c.changed[row.history]
	switch row.inclusion {
	case ifChanged:
		return changed
	case unlessEarlier:
		return changed || !found
	}
	return true
}

// WithoutChangeRecords returns the files whose entities can change without a record in the
// table. An export with Since contains all rows of these files.
func WithoutChangeRecords(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(name string) bool {
		s, _, _ := sheetNamed(name)
		_, known := store.LastChangeOf(s.definition.New())
		return known
	})
}
