package exchange

import "stockroom/store"

// mergeTotals adds up the totals of a file that comes from a table with more
// shards, because shards beyond the table's own are never read. It holds the
// totals back until the file ends; there is one per kind, day and shard.
func mergeTotals(batches Batches, shards int) Batches {
	return func(yield func(*Batch, error) bool) {
		m := totalMerger{shards: shards, index: map[store.Total]int{}}
		for batch, err := range batches {
			if err == nil {
				batch = m.removeTotals(batch)
			}
			if !yield(batch, err) {
				return
			}
		}
		if len(m.totals.Entities) > 0 {
			yield(&m.totals, nil)
		}
	}
}

type totalMerger struct {
	shards int
	index  map[store.Total]int // into totals, by kind, day and shard alone
	totals Batch
}

// removeTotals returns the batch without its totals, which it adds up.
func (m *totalMerger) removeTotals(b *Batch) *Batch {
	rest := &Batch{Rejected: b.Rejected, Exported: b.Exported}
	for i, entity := range b.Entities {
		if total, ok := entity.(*store.Total); ok {
			m.add(*total, b.Rows[i])
		} else {
			rest.Entities, rest.Rows = append(rest.Entities, entity), append(rest.Rows, b.Rows[i])
		}
	}
	return rest
}

func (m *totalMerger) add(t store.Total, row Row) {
	t.Shard %= m.shards
	key := store.Total{Kind: t.Kind, Day: t.Day, Shard: t.Shard}
	if i, found := m.index[key]; found {
		sum := m.totals.Entities[i].(*store.Total)
		sum.Count, sum.Amount = sum.Count+t.Count, sum.Amount.Plus(t.Amount)
		return
	}
	m.index[key] = len(m.totals.Entities)
	m.totals.Entities, m.totals.Rows = append(m.totals.Entities, &t), append(m.totals.Rows, row)
}
