package store

import (
	"slices"
	"strconv"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// NewTotals returns the totals for tallies. Load these totals together with the
// counted entities.
func NewTotals(settings Settings, tallies []Tally) []*Total {
	sums := totalSums{zone: settings.Zone(), shards: settings.Shards}
	for _, t := range tallies {
		sums.add(t)
	}
	return sums.totals
}

// totalSums adds up tallies by kind, day and shard, because a transaction can write
// each item only once.
type totalSums struct {
	zone    *time.Location
	shards  int
	slotted bool // the totals use several slots; see TotalKind.slots
	totals  []*Total
}

func (s *totalSums) add(t Tally) {
	shard, _ := strconv.Atoi(key.Shard(t.ID, s.shards)) // never fails: Shard returns a number
	if t.Kind.isInOneShard() {
		shard = 0
	}
	total := Total{Kind: t.Kind, Day: dayIn(t.At, s.zone), Shard: shard, Version: 1}
	i := slices.IndexFunc(s.totals, func(o *Total) bool {
		return o.Kind == total.Kind && o.Day.Equal(total.Day) && o.Shard == total.Shard
	})
	if i < 0 {
		i = len(s.totals)
		s.totals = append(s.totals, &total)
	}
	s.totals[i].Count += t.Count
	s.totals[i].Amount = s.totals[i].Amount.Plus(t.Amount.Sum())
}

// addTotal adds a tally to the totals of its day. It needs neither a read nor a
// condition.
func (c *change) addTotal(t Tally) { c.totals.add(t) }

func (c *change) totalCounters() (counters []counter) {
	for _, t := range c.totals.totals {
		counters = append(counters, c.totalCounter(t))
	}
	return counters
}

// totalCounter returns the counter of a total, which has one slot if changes rarely
// conflict.
func (c *change) totalCounter(t *Total) counter {
	n := counter{"total#" + string(t.Kind) + "#" + t.Day.Format(key.Day) + "#" + strconv.Itoa(t.Shard), 1, 0}
	slotted := !t.Kind.isInOneShard() && !t.Day.Before(firstSlottedDay(c.store.now(), c.totals.zone))
	if c.totals.slotted && (slotted || t.Kind.isFigure()) {
		n.slots = t.Kind.slots()
	}
	return n
}

// updateTotals adds the sums to the transaction, with one action per total. number
// determines the slots; see openSlots.
func (c *change) updateTotals(number int) {
	for _, t := range c.totals.totals {
		if counter := c.totalCounter(t); counter.slots > 1 {
			t.Slot = counter.slot(number).slot
		}
		c.Add(t, t.addition())
	}
}

// addition returns the Addition that adds t to the stored total.
func (t *Total) addition() table.Addition {
	set := Item{table.AttrType: table.StringValue(t.EntityType()), "Day": table.StringValue(t.Day.Format(key.Day))}
	if t.Slot > 0 {
		set["Slot"] = table.NumberValue(strconv.Itoa(t.Slot))
	}
	return table.Addition{
		Set:    set,
		Counts: map[string]int{"Count": t.Count},
		Sums:   map[string]string{"Amount": t.Amount.String()},
	}
}
