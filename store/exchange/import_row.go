package exchange

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"stockroom/store"
)

// builder makes entities of rows.
type builder struct {
	shop     *shop
	rowCount int
	found    []*found
	byKey    map[string]*found
	spoiled  map[string]Row // the first refused row of each order, by the order's partition
	refused  []Refused
}

// found is a row on its way to an entity.
type found struct {
	row    Row
	shape  shape
	entity store.Entity
	fold   *store.Payment // of a payment that was an item of its own
}

// partition is the key by which what belongs together is known.
func (f *found) partition() string { return text(f.row.Item, "PK") }

// says tells whether the row itself has an attribute.
func (f *found) says(name string) bool { return !saysNothing(f.row.Item[name]) }

// keyNames are what a table calls its keys.
type keyNames struct{ pk, sk string }

func newBuilder(s *shop) *builder {
	return &builder{shop: s, byKey: map[string]*found{}, spoiled: map[string]Row{}}
}

// rows takes the rows of a table or of a facet. What stands in both is one
// item; a facet may say more of it, though nothing else.
func (b *builder) rows(table string, keys keyNames, raws []json.RawMessage) {
	for i, raw := range raws {
		row := Row{Table: table, Number: i + 1, raw: raw}
		item, err := item(raw)
		if err != nil {
			b.refuse(b.placed(row), "The row cannot be read: "+err.Error()+".")
			continue
		}
		if row.Item = item; keys != (keyNames{"PK", "SK"}) {
			item["PK"], item["SK"] = item[keys.pk], item[keys.sk]
			delete(item, keys.pk)
			delete(item, keys.sk)
		}
		b.row(row)
	}
}

// placed gives a row its place among those that the builder has seen.
func (b *builder) placed(row Row) Row {
	b.rowCount++
	row.place = b.rowCount
	return row
}

// row takes a row whose item has been read.
func (b *builder) row(row Row) {
	row = b.placed(row)
	shape, known := recognise(row.Item)
	if !known {
		b.refuse(row, unknownKind(row.Item))
		return
	}
	shape.normalise(row.Item)
	place := text(row.Item, "PK") + "\x00" + text(row.Item, "SK")
	if first := b.byKey[place]; first != nil {
		b.merge(first, row)
		return
	}
	b.byKey[place] = &found{row: row, shape: shape}
	b.found = append(b.found, b.byKey[place])
}

func unknownKind(item store.Item) (reason string) {
	return fmt.Sprintf("No kind of item that is known here has the type %q and the keys %q and %q.", text(item, "EntityType"), text(item, "PK"), text(item, "SK"))
}

// merge adds what a second row says of an item that stands there already.
func (b *builder) merge(first *found, second Row) {
	for name, value := range second.Item {
		if there, both := first.row.Item[name]; both && !reflect.DeepEqual(there, value) {
			b.spoil(&found{row: second, shape: first.shape}, fmt.Sprintf("The same item stands in row %d of %s, with another %s.", first.row.Number, first.row.Table, name))
			return
		}
	}
	for name, value := range second.Item {
		first.row.Item[name] = value
	}
}

func (b *builder) refuse(row Row, reason string) {
	b.refused = append(b.refused, Refused{row, reason})
}

// spoil refuses a row, and with it the order that it is part of.
func (b *builder) spoil(f *found, reason string) {
	if _, already := b.spoiled[f.partition()]; f.shape.ofOrder() && !already {
		b.spoiled[f.partition()] = f.row
	}
	b.refuse(f.row, reason)
}

// build makes the entities, completes each by what the others say, and puts
// those of one order together.
func (b *builder) build() *Import {
	shop := b.shop
	for _, f := range b.found {
		if reason := f.decode(); reason != "" {
			b.spoil(f, reason)
			continue
		}
		shop.take(f)
	}
	result := &Import{}
	add := func(f *found) {
		f.row.moved = f.corrected()
		result.Entities = append(result.Entities, f.entity)
		result.Rows = append(result.Rows, f.row)
	}
	for _, f := range shop.completeOthers() {
		if reason := f.unwritable(); reason != "" {
			b.refuse(f.row, reason)
			continue
		}
		add(f)
	}
	for _, o := range shop.sequence {
		for _, f := range b.whole(shop, o) {
			add(f)
		}
	}
	slices.SortStableFunc(b.refused, func(a, b Refused) int { return a.place - b.place })
	result.Refused = b.refused
	return result
}

// whole completes an order and lists its parts. Where one of its rows is
// refused, so are the others.
func (b *builder) whole(s *shop, o *parts) []*found {
	because, spoiled := b.spoiled[o.partition]
	if !spoiled {
		parts, fault := s.completeOrder(o)
		if fault == nil {
			return parts
		}
		b.refuse(fault.row, fault.reason)
		because = fault.row
	}
	for _, f := range o.all {
		if f.row.place != because.place {
			b.refuse(f.row, fmt.Sprintf("It belongs to the order %s, which is taken whole or not at all: row %d of %s was refused.", o.id(), because.Number, because.Table))
		}
	}
	return nil
}
