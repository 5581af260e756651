package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// StockSlot is a StockCount with a partition of its own. Changes in a busy table add to
// these slots, because DynamoDB limits the writes to the partition of a popular product.
type StockSlot StockCount

func (*StockSlot) EntityType() string { return "stockSlot" }

func (n *StockSlot) KeyValue(name string) string { return (*StockCount)(n).KeyValue(name) }

func (n *StockSlot) attributes(a *table.Attributes) {
	(*StockCount)(n).attributes(a)
	if a.Decoding() {
		n.ProductID, _, _ = strings.Cut(a.AfterPrefix(table.AttrPK, "counts#"), "#")
	}
}

// entity returns the slot as the entity that is stored: a StockCount or a StockSlot.
func (n *StockCount) entity() Entity {
	if n.Slot < stockCountSlots {
		return n
	}
	return (*StockSlot)(n)
}

// stockCountOf returns the slot e as a StockCount. ok is false if e is not a slot of a
// stock level.
func stockCountOf(e Entity) (n *StockCount, ok bool) {
	switch e := e.(type) {
	case *StockCount:
		return e, true
	case *StockSlot:
		return (*StockCount)(e), true
	}
	return nil, false
}

// slotsOf returns, for each product, the slots with the numbers from first up to end-1. It
// does not set their counts.
func slotsOf(productIDs []string, first, end int) (slots []StockCount) {
	for _, id := range productIDs {
		for slot := first; slot < end; slot++ {
			slots = append(slots, StockCount{ProductID: id, Slot: slot})
		}
	}
	return slots
}

// readSlots reads slots. The row of a missing slot is nil.
func (s *Store) readSlots(ctx context.Context, slots []StockCount, consistent bool) ([]Row, error) {
	rows, lookups := make([]Row, len(slots)), make([]table.Lookup, len(slots))
	for i := range slots {
		p := getStockCount
		if slots[i].Slot >= stockCountSlots {
			p = getStockSlot
		}
		lookups[i] = table.Lookup{Pattern: p, Values: key.Map{"productID": slots[i].ProductID, "slot": strconv.Itoa(slots[i].Slot)}, Found: func(r Row) error {
			rows[i] = r
			return nil
		}}
	}
	return rows, s.table.LookUp(ctx, lookups, consistent)
}

// LevelRequests returns how many requests read the stock levels of products; see
// readAllSlots. A read can need more requests if Reshard moves StockSlots during the read.
func (s *Settings) LevelRequests(products int) int {
	all := stockSlots(s.ShardsRead)
	if !s.Moving || all == stockCountSlots {
		return table.Batches(products * all)
	}
	return table.Batches(products*stockCountSlots) + 2*table.Batches(products*(all-stockCountSlots))
}

// readAllSlots reads all slots of products. While the number of shards changes, a StockSlot
// could move between two requests and be read twice or never. readAllSlots then reads the
// StockSlots before and after the other slots, and repeats this until none has moved in
// between.
func (s *Store) readAllSlots(ctx context.Context, productIDs []string, consistent bool) ([]StockCount, []Row, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, nil, err
	}
	end := stockSlots(settings.ShardsRead)
	if !settings.Moving || end == stockCountSlots {
		slots := slotsOf(productIDs, 0, end)
		rows, err := s.readSlots(ctx, slots, consistent)
		return slots, rows, err
	}
	fixed, moving := slotsOf(productIDs, 0, stockCountSlots), slotsOf(productIDs, stockCountSlots, end)
	before, err := s.readSlots(ctx, moving, true)
	for err == nil {
		var rows, after []Row
		if rows, err = s.readSlots(ctx, fixed, true); err != nil {
			break
		}
		if after, err = s.readSlots(ctx, moving, true); err == nil && !lacksRow(after, before) {
			return slices.Concat(fixed, moving), slices.Concat(rows, after), nil
		}
		before = after
	}
	return nil, nil, err
}

func lacksRow(after, before []Row) bool {
	for i := range before {
		if before[i] != nil && after[i] == nil {
			return true
		}
	}
	return false
}

// readSlotsOf makes a consistent read of the slots of a product. A missing slot has
// Version 0.
func (s *Store) readSlotsOf(ctx context.Context, productID string, shards int) ([]StockCount, error) {
	slots := slotsOf([]string{productID}, 0, stockSlots(shards))
	rows, err := s.readSlots(ctx, slots, true)
	for i := range slots {
		if err == nil && rows[i] != nil {
			err = schema.DecodeInto(rows[i], slots[i].entity())
		}
	}
	return slots, err
}

// rebuildStock sets the stock level of a product: the first slot gets the whole level, the
// others zero. The change fails if a slot has changed since it was read.
func (c *change) rebuildStock(slots []StockCount, wanted StockLevel) {
	for i := range slots {
		slot := &slots[i]
		next := StockLevel{}
		if i == 0 {
			next = wanted
		}
		same := slot.level() == next
		slot.OnHand, slot.Committed, slot.Incoming = next.OnHand, next.Committed, next.Incoming
		switch {
		case slot.Version == 0 && same:
			c.CheckAbsent(slot.entity())
		case slot.Version == 0:
			slot.Version = 1
			c.Create(slot.entity())
		case same:
			c.Check(slot.entity(), slot.Version)
		default:
			c.replaceNext(slot.entity(), &slot.Version)
		}
	}
}
