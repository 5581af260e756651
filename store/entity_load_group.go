package store

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// countedChunk is the maximum number of actions that insert rows and update stock
// levels in one transaction. The other actions of the transaction update totals and
// quotas.
const countedChunk = 80

// largeCountedChunk is countedChunk for an engine with large transactions. A batch of an
// import usually fits into one transaction. Larger transactions are faster, because the
// engine writes each page of its file less often. But after a conflict, more rows must be
// read again.
const largeCountedChunk = 6000

func (l *loader) countedChunk() int {
	if l.store.table.CanTransactLarge() {
		return largeCountedChunk
	}
	return countedChunk
}

// loadGroup contains the rows of one partition. counted means that at least one row
// changes a total, a quota or a stock level.
type loadGroup struct {
	counted bool
	rep     string // the account rep whose quota the rows change; "" if the order is not among the rows
	total   string // day and shard of the first total that the rows change, or the partition if the rows change no total
	tally   Tally  // determines total: its day comes from At, its shard from ID
	rows    []loadRow
}

// splitCounted splits rows into three parts: groups of rows that change totals,
// quotas or stock levels; the totals and quotas themselves; and all other rows.
func (l *loader) splitCounted(rows []loadRow) (counted []loadGroup, totals, rest []loadRow) {
	if !slices.ContainsFunc(rows, func(row loadRow) bool { return isCounted(row.entity) }) {
		return nil, nil, rows
	}
	var groups []*loadGroup
	byPartition := map[string]*loadGroup{}
	for _, row := range rows {
		switch row.entity.(type) {
		case *Total, *Quota:
			totals = append(totals, row)
			continue
		}
		partition := table.TextOf(row.item, table.AttrPK)
		group := byPartition[partition]
		if group == nil {
			group = &loadGroup{}
			byPartition[partition] = group
			groups = append(groups, group)
		}
		group.add(row)
	}
	for _, group := range groups {
		group.addLines()
		if group.counted && group.tally.ID == "" {
			group.total = table.TextOf(group.rows[0].item, table.AttrPK)
			counted = append(counted, *group)
		} else if group.counted {
			group.total = group.tally.At.In(l.settings.Zone()).Format(key.Day) + "#" + key.Shard(group.tally.ID, l.settings.Shards)
			counted = append(counted, *group)
		} else {
			rest = append(rest, group.rows...)
		}
	}
	return counted, totals, rest
}

// isCounted reports whether an entity is a total or quota, or may change a total, a
// quota or a stock level.
func isCounted(entity Entity) bool {
	switch entity.(type) {
	case *Total, *Quota, *Order, *OrderItem, *Subscription, *Receipt, *RentalPayment:
		return true
	}
	return changesStock(entity)
}

func changesStock(entity Entity) bool {
	_, level := stockOf(entity)
	return level != StockLevel{}
}

func (g *loadGroup) add(row loadRow) {
	g.rows = append(g.rows, row)
	tally := Tally{}
	switch e := row.entity.(type) {
	case *Order:
		g.counted, g.rep, g.tally = true, e.AccountRepID, Tally{At: e.Date, ID: e.ID}
	case *OrderItem:
		g.counted = g.counted || e.dropped().Sign() != 0 || e.Open() != 0
		tally = Tally{At: e.Date, ID: e.OrderID}
	case *WarehouseItem, *ExpectedDelivery, *Transfer:
		g.counted = g.counted || changesStock(e)
	case *Subscription:
		g.counted = true
		if tallies := e.tallies(time.UTC); len(tallies) > 0 {
			tally = tallies[0]
		}
	case *Receipt:
		g.counted = g.counted || !row.renewed
		tally = e.tally()
	case *RentalPayment:
		g.counted = true
		tally, _ = e.tally(time.UTC)
	}
	if g.tally.ID == "" {
		g.tally = tally
	}
}

// actions returns the number of actions in the transaction that inserts the rows, without
// updates of totals and quotas. In addition to the items, it counts one action for each
// order (see checkEarlierLines), one for each product whose stock level changes, and two
// for lines without their order (see linesOfKnownOrders).
func (g *loadGroup) actions() int {
	n := 0
	stocked, ordered, hasLines := false, false, false
	for _, row := range g.rows {
		n += row.items()
		switch e := row.entity.(type) {
		case *Order:
			n++
			ordered = true
		case *OrderItem:
			hasLines = true
			if e.Open() != 0 {
				n++
			}
		case *WarehouseItem, *ExpectedDelivery, *Transfer:
			stocked = true
		}
	}
	if stocked {
		n++
	}
	if hasLines && !ordered {
		n += 2
	}
	return n
}

// loadCounted inserts rows that change totals, quotas and stock levels. It loads
// several sequences of rows at once. If possible, rows that change the same quota or
// total are in one sequence, because DynamoDB rejects concurrent transactions on one
// item.
func (l *loader) loadCounted(ctx context.Context, groups []loadGroup) error {
	slices.SortStableFunc(groups, func(a, b loadGroup) int { return cmp.Or(cmp.Compare(a.rep, b.rep), cmp.Compare(a.total, b.total)) })
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(loadWriters)
	for _, sequence := range countedSequences(groups, l.countedChunk()) {
		tasks.Go(table.Recovering(func() error {
			for _, chunk := range sequence {
				if err := l.load(ctx, chunk); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return tasks.Wait()
}

// inOneSequence reports whether two groups change the same quota, or the same total if
// they change no quota.
func (g *loadGroup) inOneSequence(other *loadGroup) bool {
	return g.rep == other.rep && (g.rep != "" || g.total == other.total)
}

// consecutive yields runs of consecutive groups that belong to one sequence.
func consecutive(groups []loadGroup) iter.Seq[[]loadGroup] {
	return func(yield func([]loadGroup) bool) {
		for len(groups) > 0 {
			n := 1
			for n < len(groups) && groups[0].inOneSequence(&groups[n]) {
				n++
			}
			if !yield(groups[:n]) {
				return
			}
			groups = groups[n:]
		}
	}
}

// countedSequences splits groups into sequences of chunks. Groups that change the same
// quota or total are in one sequence. Small groups of several quotas and totals share a
// sequence if they fit into one chunk. most is the maximum number of actions in a chunk.
func countedSequences(groups []loadGroup, most int) (sequences [][][]loadRow) {
	var small []loadGroup // groups of several quotas and totals, which share a chunk
	size := 0
	flush := func() {
		if len(small) > 0 {
			sequences = append(sequences, countedChunks(small, most))
		}
		small, size = nil, 0
	}
	for run := range consecutive(groups) {
		actions := 0
		for i := range run {
			actions += run[i].actions()
		}
		if size+actions > most {
			flush()
		}
		small, size = append(small, run...), size+actions
	}
	flush()
	return sequences
}

// countedChunks splits groups into chunks of at most the given number of actions. It
// divides a group only if the group is too large, into chunks of at most that number of
// rows. The method load divides a chunk again if it has too many actions. Chunks must be
// inserted in order, because a divided group relies on the rows of earlier chunks.
func countedChunks(groups []loadGroup, most int) (all [][]loadRow) {
	var current []loadRow
	size := 0
	flush := func() {
		if len(current) > 0 {
			all = append(all, current)
		}
		current, size = nil, 0
	}
	for i := range groups {
		actions := groups[i].actions()
		if size+actions > most {
			flush()
		}
		if actions > most {
			all = slices.AppendSeq(all, slices.Chunk(groups[i].rows, most))
			continue
		}
		current, size = append(current, groups[i].rows...), size+actions
	}
	flush()
	return all
}
