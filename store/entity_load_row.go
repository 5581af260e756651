package store

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/table"
)

// loadRow is an entity to insert, with its item.
type loadRow struct {
	index   int // index of the entity in the entities passed to Load
	entity  Entity
	item    Item
	renewed bool // the receipt was expired and got a new TTL
	words   []*SearchWord
	lines   []*OrderItem // open lines of the order in the same Load; later transactions insert some of them
	place   string       // the item's key as text
}

// encode sets item and place unless they are set. In the item, it replaces the Version of
// the entity with 1.
func (r *loadRow) encode(shards int) error {
	return r.encodeInto(&table.ItemBuffer{}, shards)
}

// encodeInto is like encode, but uses the memory of a buffer.
func (r *loadRow) encodeInto(b *table.ItemBuffer, shards int) error {
	if r.item != nil {
		return nil
	}
	item, err := encodeInto(b, r.entity, shards)
	if err != nil {
		return err
	}
	if _, versioned := item[table.AttrVersion].(*types.AttributeValueMemberN); versioned {
		item[table.AttrVersion] = &types.AttributeValueMemberN{Value: "1"}
	}
	r.item, r.place = item, table.KeyString(item)
	return nil
}

func (r *loadRow) key() Item { return table.KeyOf(r.item) }

func (r *loadRow) describe() string {
	text := "The " + labelOf(r.entity)
	if name := table.TextOf(r.item, "Name"); name != "" {
		text += " (" + name + ")"
	}
	return text
}

// encode returns a row for each entity. It skips duplicates. It rejects an entity without a
// complete key, and an entity with the key of an earlier one but different values. It also
// rejects events for which eventReason returns a reason.
func (l *loader) encode(entities []Entity, shards int) []loadRow {
	rows := make([]loadRow, 0, len(entities))
	first := make(map[string]Item, len(entities))
	for i, e := range entities {
		if reason := eventReason(e); reason != "" {
			l.reject(i, reason)
			continue
		}
		e, renewed := l.renew(e)
		row := loadRow{index: i, entity: e, renewed: renewed, words: searchWords(e)}
		if err := row.encode(shards); err != nil {
			l.reject(i, err.Error())
			continue
		}
		item := row.item
		if earlier, found := first[row.place]; found {
			if differences := difference(item, earlier); differences != "" {
				l.reject(i, fmt.Sprintf("%s appears twice with different values of %s.", row.describe(), differences))
			} else {
				l.settle(&row, OutcomeRepeated)
			}
			continue
		}
		first[row.place] = item
		rows = append(rows, row)
	}
	return rows
}

// renew returns an expired receipt with a new TTL, because Time to Live would delete the
// receipt; ok is then true. A receipt without a TTL also gets one. Other entities are
// returned unchanged.
func (l *loader) renew(e Entity) (renewed Entity, ok bool) {
	receipt, ok := e.(*Receipt)
	if !ok {
		return e, false
	}
	r := *receipt
	if r.Expires.IsZero() {
		r.Expires = l.settings.receiptEnd(r.ProcessedDate)
	}
	if r.Expires.After(l.store.now()) {
		return &r, false
	}
	r.Expires = l.settings.receiptEnd(l.store.now())
	return &r, true
}

// chunks splits rows into chunks of at most size items. It divides a partition only
// if the partition is too large for one chunk.
func chunks(rows []loadRow, size int) [][]loadRow {
	var all [][]loadRow
	for len(rows) > 0 {
		fits := fitting(rows, size)
		if fits == len(rows) {
			break
		}
		end := fits
		for end > 1 && table.TextOf(rows[end].item, table.AttrPK) == table.TextOf(rows[end-1].item, table.AttrPK) {
			end--
		}
		if end == 1 {
			end = fits
		}
		all = append(all, rows[:end])
		rows = rows[end:]
	}
	if len(rows) > 0 {
		all = append(all, rows)
	}
	return all
}

// fitting returns how many of the first rows have at most size items in total. It returns
// at least 1.
func fitting(rows []loadRow, size int) int {
	items := 0
	for n := range rows {
		if items += rows[n].items(); items > size {
			return max(1, n)
		}
	}
	return len(rows)
}

// items returns the number of items that are inserted with the row.
func (r *loadRow) items() int { return 1 + len(r.words) }

// difference returns the names of the attributes that differ between a row and a
// stored item. It ignores computed attributes; see LoadOptions.Computed.
func (l *loader) difference(row *loadRow, stored Item) string {
	differences := difference(row.item, stored)
	if differences == "" || stored == nil || l.options.Computed == nil {
		return differences
	}
	item := maps.Clone(row.item)
	for _, name := range l.options.Computed(row.index) {
		if value, found := stored[name]; found {
			item[name] = value
		} else {
			delete(item, name)
		}
	}
	entity, err := Decode(item)
	if err == nil {
		item, err = Encode(entity, l.settings.Shards) // encode again, with index keys for the new values
	}
	if err != nil {
		return differences
	}
	return difference(item, stored)
}

// difference returns the names of the attributes that differ between two items, as CSV
// columns name them, or "" if none differ. It ignores the version and attributes for
// which isOfTable returns true.
func difference(item, other Item) string {
	differs := func(name string) bool {
		return name != table.AttrVersion && !isOfTable(item, name) && !reflect.DeepEqual(item[name], other[name])
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(item)), differs) && !slices.ContainsFunc(slices.Collect(maps.Keys(other)), differs) {
		return ""
	}
	if paths := differentPaths(other, item, nil); len(paths) > 0 {
		return strings.Join(paths, ", ")
	}
	return "keys that Stockroom computes" // the attribute is a key of an index
}

// isOfTable reports whether an attribute is computed from other items or, for an event, is
// in attributesOfTable. Comparisons with files ignore such attributes.
func isOfTable(item Item, name string) bool {
	switch table.TextOf(item, table.AttrType) {
	case (*Event)(nil).EntityType():
		return slices.Contains(attributesOfTable, name)
	case (*RentalStore)(nil).EntityType(): // the counts of kayaks
		return name == attrIn || name == attrOut || name == attrRepair
	case (*Order)(nil).EntityType():
		return name == attrOpenLines
	}
	return false
}
