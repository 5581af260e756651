package exchange

import (
	"slices"
	"strings"
	"time"

	"stockroom/store"
)

// changes decides which items have changed since a time. It omits an item only if all dates
// in the item and all events about it are earlier.
type changes struct {
	since   time.Time       // zero means that everything is exported
	changed map[string]bool // partitions with events; true if one of the events is not earlier than since
}

type inclusion int

const (
	excluded inclusion = iota
	included
	ifChanged     // export if the partition has an event that is not earlier
	unlessEarlier // export unless the partition has events and all of them are earlier
)

// decide returns whether to export an entity. If this depends on events, it also
// returns their partition.
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

// observe records whether a change (an event, a ledger entry or a shipment) was before
// c.since. It ignores earlier changes of orders, because there are many of them, and
// orders contain dates themselves.
func (c *changes) observe(entity store.Entity) {
	partition, at, ok := store.ChangedPartition(entity)
	late := !at.Before(c.since)
	if ok && (late || !c.changed[partition] && !strings.HasPrefix(partition, orderPrefix)) {
		c.changed[partition] = late
	}
}

// includes reports whether to export a row. Call it after observe was called with all
// events.
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

// WithoutChangeRecords returns the files whose entities can change without an event.
// An export with Since contains all their rows.
func WithoutChangeRecords(files []string) []string {
	return slices.DeleteFunc(slices.Clone(files), func(name string) bool {
		s, _, _ := sheetNamed(name)
		_, known := store.LastChangeOf(s.definition.New())
		return known
	})
}
