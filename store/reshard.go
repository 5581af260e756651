package store

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Throughput of a DynamoDB partition:
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
const (
	partitionReads  = 3000 // read units per second
	partitionWrites = 1000 // write units per second
	readUnitBytes   = 4000 // bytes per read unit: 4 KB, rounded down
	writeUnitBytes  = 1000 // bytes per write unit: 1 KB, rounded down
	orderWrites     = 8    // number of writes that one order causes in the list of orders by status, from placing to delivery
	shardRoom       = 1.15 // ratio of recommended to necessary shards
)

// MaxShards is the maximum number of shards. A page of a sharded list makes one
// request per shard.
const MaxShards = maxShards

// OrderLoad describes the orders that a table must be able to handle.
type OrderLoad struct {
	Orders      int
	OpenPercent float64 // percentage of orders that are open at the same time
	Bytes       int     // size of an order
	PerSecond   float64 // orders placed per second at peak times
}

// Shards returns the number of shards that are needed to read all open orders within a
// second, and to write the orders that are placed at peak times. recommended includes a
// reserve, but is at most MaxShards. needed has no maximum.
func (l OrderLoad) Shards() (needed, recommended int) {
	reads := float64(l.Orders) * l.OpenPercent / 100 * float64(l.Bytes) / readUnitBytes
	writes := l.PerSecond * orderWrites * math.Ceil(float64(l.Bytes)/writeUnitBytes)
	need := math.Ceil(max(1, reads/partitionReads, writes/partitionWrites))
	return int(need), int(min(maxShards, math.Ceil(need*shardRoom)))
}

// settleTime is the time until every server uses newly saved settings: the time that
// settings stay in the cache, plus the maximum duration of a change that began with the old
// settings.
const settleTime = settingsLife + 30*time.Second

// Resharding contains the options of Reshard.
type Resharding struct {
	Wait     func(ctx context.Context, d time.Duration) error // waits for the duration, so that all servers use the new settings
	Progress func(seen, moved int)                            // called after each page; may be nil
}

// Reshard changes the number of shards of busy lists while servers run. During the
// change, lists miss no rows and show no row twice. An interrupted Reshard can be run
// again with the same or another number. If the process was killed, this is possible after
// at most reshardHold. Reshard returns Invalid unless the number is from 1 to maxShards, and
// Conflict while Rekey or another Reshard is running.
//
// Reshard has four steps. First, all servers start to read every old and new shard
// twice per page, so that they find a row that moves between two reads. Then new
// items use the new number of shards. Then the existing items move. Finally, servers
// stop reading the removed shards.
func (s *Store) Reshard(ctx context.Context, shards int, how Resharding) (moved int, err error) {
	if shards < 1 || shards > maxShards {
		return 0, InvalidField("shards", "Enter a number of shards from 1 to %d.", maxShards)
	}
	r := resharder{store: s, shards: shards, how: how, changing: make(chan struct{}, 1)}
	ctx, release, err := r.acquire(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, release()) }()
	settings, err := s.currentSettings(ctx)
	if err != nil || settings.Shards == shards && settings.ShardsRead == shards && !settings.Moving {
		return 0, err
	}
	if err := s.requireNoRekey(ctx); err != nil {
		return 0, err
	}
	settings.Moving, settings.ShardsRead = true, max(settings.ShardsRead, settings.Shards, shards)
	if err := r.saveAndWait(ctx, settings); err != nil {
		return 0, err
	}
	if settings, err = r.current(ctx, settings.Shards); err != nil {
		return 0, err
	}
	settings.Shards = shards
	if err := r.saveAndWait(ctx, settings); err != nil {
		return 0, err
	}
	m := mover{store: s, shards: shards, jobTotalMonths: s.jobTotalMonths(settings), progress: how.Progress}
	err = s.Everything(ctx, func(items []Item) error {
		if _, err := r.current(ctx, shards); err != nil {
			return err
		}
		return m.page(ctx, items)
	})
	if err == nil {
		settings, err = r.current(ctx, shards)
	}
	if err != nil {
		return int(m.moved.Load()), err
	}
	settings.Moving, settings.Moved, settings.ShardsRead = false, s.now(), shards
	return int(m.moved.Load()), s.SaveSettings(ctx, settings, Program)
}

type mover struct {
	store    *Store
	shards   int
	progress func(seen, moved int)

	jobTotalMonths []string // see settleJobTotal

	seen, moved atomic.Int64
	reportMu    sync.Mutex
}

// moveWriters is the maximum number of concurrent writes for one page of items, in Reshard
// and Rekey.
const moveWriters = 32

func (m *mover) page(ctx context.Context, items []Item) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(moveWriters)
	for _, item := range items {
		if d, ok := schema.Definition(table.TextOf(item, table.AttrType)); ok && (d.IsSharded() || d.Type == (*StockSlot)(nil).EntityType()) {
			group.Go(func() error { return m.move(ctx, item) })
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	m.seen.Add(int64(len(items)))
	if m.progress != nil {
		m.reportMu.Lock()
		defer m.reportMu.Unlock()
		m.progress(int(m.seen.Load()), int(m.moved.Load()))
	}
	return nil
}

// moveTries is the maximum number of tries to move an item that keeps changing.
const moveTries = 20

// move moves an item to its new shard. If the item has changed since it was read, move
// reads it again and retries. After moveTries tries, it returns Busy. Most items only get
// new keys. They keep their version, so that forms that show them can still be submitted.
func (m *mover) move(ctx context.Context, item Item) error {
	for range moveTries {
		entity, err := Decode(item)
		if err != nil {
			return err
		}
		var changed bool
		switch e := entity.(type) {
		case *Total:
			changed, err = m.moveTotal(ctx, e)
		case *JobTotal:
			changed, err = m.settleJobTotal(ctx, e)
		case *StockSlot:
			changed, err = m.moveStockSlot(ctx, e)
		case *JobRun:
			changed, err = m.closeRun(ctx, e)
		case *JobResult: // a result stays in the shard of its run
		default:
			changed, err = m.store.table.Rekey(ctx, entity, item, m.shards)
		}
		if KindOf(err) != Conflict {
			if changed && err == nil {
				m.moved.Add(1)
			}
			return err
		}
		if item, err = m.store.table.GetKey(ctx, table.KeyOf(item)); err != nil || item == nil {
			return err // nil if the item was deleted
		}
	}
	return fail(Busy, "The item %s keeps changing. Run the command again later.", table.TextOf(item, table.AttrPK)+" / "+table.TextOf(item, table.AttrSK))
}

// moveTotal adds a total of a removed shard to the same total of a remaining shard. Totals
// of remaining shards need not move, because pages add up all shards.
func (m *mover) moveTotal(ctx context.Context, total *Total) (changed bool, err error) {
	if total.Shard < m.shards {
		return false, nil
	}
	c := m.newChange()
	into := *total
	into.Shard, into.Slot = into.Shard%m.shards, 0
	c.totals.totals = append(c.totals.totals, &into)
	c.DeleteVersion(total, total.Version)
	return true, c.Commit(ctx)
}

// moveStockSlot adds the counts of a StockSlot that is no longer read to another slot of
// the product.
func (m *mover) moveStockSlot(ctx context.Context, n *StockSlot) (changed bool, err error) {
	if n.Slot < stockSlots(m.shards) {
		return false, nil
	}
	c := m.newChange()
	c.countStock(n.ProductID, (*StockCount)(n).level())
	c.DeleteVersion(n, n.Version)
	return true, c.Commit(ctx)
}

// settleJobTotal adds the JobTotal of a removed shard to the totals of a remaining
// shard. If the JobTotal is too old for AddJobTotals, settleJobTotal only deletes
// it, because CheckTotals counts its payments.
func (m *mover) settleJobTotal(ctx context.Context, total *JobTotal) (changed bool, err error) {
	if total.Shard < m.shards {
		return false, nil
	}
	c := m.newChange()
	if slices.Contains(m.jobTotalMonths, total.Day.Format(key.Month)) {
		c.settleJobTotals([]JobTotal{*total}, m.shards)
	} else {
		c.DeleteWith(total, isUnchanged(total.Version, total.Count, total.Amount))
	}
	return true, c.Commit(ctx)
}

// newChange returns a change that writes to the new shards.
func (m *mover) newChange() *change {
	settings := DefaultSettings()
	settings.Shards = m.shards
	return m.store.newChange(settings)
}

// closeRun marks an unfinished run in a removed shard as incomplete. The run keeps
// its counts and results. Runs in the remaining shards process its remaining
// subscriptions.
func (m *mover) closeRun(ctx context.Context, run *JobRun) (changed bool, err error) {
	if run.Shard < m.shards || run.State == JobDone || run.State == JobIncomplete {
		return false, nil
	}
	c := m.newChange()
	seen := run.Version
	run.State, run.Version = JobIncomplete, seen+1
	c.Replace(run, seen)
	return true, c.Commit(ctx)
}
