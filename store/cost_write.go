package store

import (
	"context"
	"errors"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"time"

	"stockroom/store/key"
)

// costBatch contains costs that are written together. A batch keeps its number until it
// is stored. If the response to a write was lost, the number shows whether the batch
// was added.
type costBatch struct {
	server string
	number int
	day    time.Time
	costs  Costs
}

// id returns the ID of the batch, as stored in DayCosts.Batches.
func (b *costBatch) id() string { return b.server + "#" + strconv.Itoa(b.number) }

// costTries is the maximum number of times that writeBatch tries to write a batch. It tries
// again if another server with the same slot has changed the item.
const costTries = 8

// WriteCosts writes the costs of this server since the last call, in one transaction per
// day. It writes nothing if only WriteCosts itself has made requests. After an error, the
// next call writes the same costs, without counting them twice. Costs of the last minute
// are lost if the server crashes.
func (s *Store) WriteCosts(ctx context.Context) error {
	m := s.costs
	select {
	case m.writing <- struct{}{}:
		defer func() { <-m.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx = WithCostJob(s.table.Uncounted(ctx), CostCosts)
	for {
		if m.batch == nil && !m.takeBatch() {
			return nil
		}
		if err := s.writeBatch(ctx, m.batch); err != nil {
			m.stored = nil // the item may have changed: read it again
			return err
		}
		m.batch = nil
	}
}

// takeBatch moves the pending costs of the earliest day into a batch. It returns false
// if there are none.
func (m *costMeter) takeBatch() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, day := range slices.Sorted(maps.Keys(m.pending)) {
		costs := m.pending[day]
		if !costs.hasOthers(SourceOfJob(CostCosts)) {
			continue
		}
		date, err := time.Parse(key.Day, day)
		if err != nil {
			continue // cannot happen: the method add formats all days
		}
		delete(m.pending, day)
		m.batches++
		m.batch = &costBatch{server: m.server, number: m.batches, day: date, costs: costs}
		return true
	}
	return false
}

func (c Costs) hasOthers(source string) bool {
	for name := range c.Sources {
		if name != source {
			return true
		}
	}
	return false
}

// writeBatch adds a batch to the item of its day and slot, unless the item already
// contains it.
func (s *Store) writeBatch(ctx context.Context, b *costBatch) error {
	for range costTries {
		before, err := s.costItem(ctx, b)
		if err != nil {
			return err
		}
		if slices.Contains(before.Batches, b.id()) {
			s.costs.stored = before
			return nil
		}
		after := *before
		after.Batches = slices.Clone(before.Batches)
		after.add(b)
		after.Expires = b.day.AddDate(0, 0, costDays)
		after.Version++
		tx := s.table.NewTx(1)
		if before.Version == 0 {
			tx.Create(&after)
		} else {
			tx.Replace(&after, before.Version)
		}
		err = tx.Commit(ctx)
		if err == nil {
			s.costs.stored = &after
			return nil
		}
		s.costs.stored = nil
		if KindOf(err) != Conflict {
			return err
		}
	}
	return errors.New("other servers kept changing the costs of the day")
}

// costItem returns the item to which a batch is added, as this server last saw it. It reads
// the item if this server has not seen it yet, or if the last write failed.
func (s *Store) costItem(ctx context.Context, b *costBatch) (*DayCosts, error) {
	slot := costSlot(b.server)
	if stored := s.costs.stored; stored != nil && stored.Day.Equal(b.day) {
		return stored, nil
	}
	found, err := readConsistently[*DayCosts](ctx, s, getDayCosts, key.Map{"month": b.day.Format(key.Month), "day": calendarDay(b.day), "slot": strconv.Itoa(slot)})
	if KindOf(err) == NotFound {
		return &DayCosts{Day: b.day, Slot: slot}, nil
	}
	return found, err
}

func costSlot(server string) int {
	hash := fnv.New32a()
	hash.Write([]byte(server))
	return int(hash.Sum32() % costSlots)
}
