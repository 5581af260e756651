package store

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/table"
)

// What one partition of DynamoDB gives, by the published sizing.
const (
	partitionReads = 3000 // read units a second
	unitBytes      = 4000 // that a read unit reads
	shardRoom      = 1.15 // how many more shards are proposed than are needed
)

// ShardsFor is how many shards so many orders need, of which some are open at
// once, in percent, with so many bytes each; and how many leave room. All open
// orders can then be read within a second.
func ShardsFor(orders int, openPercent float64, bytes int) (needed, proposed int) {
	read := float64(orders) * openPercent / 100 * float64(bytes) / unitBytes
	needed = max(1, int(math.Ceil(read/partitionReads)))
	return needed, max(needed, min(maxShards, int(math.Ceil(float64(needed)*shardRoom))))
}

// settleTime is how long it takes until every server asks and writes as the
// settings say: as long as they are kept in memory, and as long as a change
// may take that had begun before.
const settleTime = settingsLife + 10*time.Second

// Resharding is how Reshard goes about it.
type Resharding struct {
	Wait     func(ctx context.Context, d time.Duration) error // until other servers have settled
	Progress func(seen, moved int)                            // called now and then; may be nil
}

// Reshard spreads the keys of busy lists over so many shards, while the
// business goes on: lists lose no row and show none twice. It may be stopped
// and begun again at any time, with the same number or with another.
//
// First all servers learn to ask every shard that a row may lie in, each
// twice: a row that moves between two requests of a page is where it was in
// the first round or where it is in the second. Then new keys are written,
// then those that are there move, and only then are fewer shards asked.
func (s *Store) Reshard(ctx context.Context, shards int, how Resharding) (moved int, err error) {
	settings, err := s.freshSettings(ctx)
	if err != nil {
		return 0, err
	}
	if shards < 1 || shards > maxShards {
		return 0, InvalidField("shards", "The number of shards is from 1 to %d.", maxShards)
	}
	if settings.Shards == shards && settings.ShardsRead == shards && !settings.Moving {
		return 0, nil
	}
	settings.Moving, settings.ShardsRead = true, max(settings.ShardsRead, settings.Shards, shards)
	if err := s.saveAndWait(ctx, settings, how); err != nil {
		return 0, err
	}
	if settings, err = s.freshSettings(ctx); err != nil {
		return 0, err
	}
	settings.Shards = shards
	if err := s.saveAndWait(ctx, settings, how); err != nil {
		return 0, err
	}
	m := mover{store: s, shards: shards, progress: how.Progress}
	if err := s.Everything(ctx, func(items []Item) error { return m.page(ctx, items) }); err != nil {
		return int(m.moved.Load()), err
	}
	if settings, err = s.freshSettings(ctx); err != nil {
		return int(m.moved.Load()), err
	}
	settings.Moving, settings.ShardsRead = false, shards
	return int(m.moved.Load()), s.SaveSettings(ctx, settings, Program)
}

func (s *Store) freshSettings(ctx context.Context) (Settings, error) {
	s.settings.Store(nil)
	return s.Settings(ctx)
}

// saveAndWait saves settings and waits until every server goes by them.
func (s *Store) saveAndWait(ctx context.Context, settings Settings, how Resharding) error {
	if err := s.SaveSettings(ctx, settings, Program); err != nil {
		return err
	}
	return how.Wait(ctx, settleTime)
}

// mover moves the keys of items to other shards.
type mover struct {
	store    *Store
	shards   int
	progress func(seen, moved int)

	seen, moved atomic.Int64
	telling     sync.Mutex
}

// moveWriters is how many items of a page are written at once.
const moveWriters = 32

func (m *mover) page(ctx context.Context, items []Item) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(moveWriters)
	for _, item := range items {
		if d, ok := schema.Definition(table.TextOf(item, table.AttrType)); ok && d.IsSharded() {
			group.Go(func() error { return m.move(ctx, item) })
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	m.seen.Add(int64(len(items)))
	if m.progress != nil {
		m.telling.Lock()
		defer m.telling.Unlock()
		m.progress(int(m.seen.Load()), int(m.moved.Load()))
	}
	return nil
}

// moveTries is how often an item is looked at again that somebody else writes
// at the same time.
const moveTries = 20

// move writes those keys of an item that change, on condition that it still is
// the version that they were made of. The version stays: what an item says has
// not changed, and a form that shows it is still good.
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
		case *JobRun:
			changed, err = m.closeRun(ctx, e)
		case *JobResult: // lies where its run does
		default:
			changed, err = m.store.table.Reindex(ctx, entity, item, m.shards)
		}
		if KindOf(err) != Conflict {
			if changed && err == nil {
				m.moved.Add(1)
			}
			return err
		}
		if item, err = m.store.table.GetKey(ctx, table.KeyOf(item)); err != nil || item == nil {
			return err // a deleted item need not move
		}
	}
	return fail(Busy, "The item %s is written all the time; run this again when it is quieter.", table.TextOf(item, table.AttrPK)+" / "+table.TextOf(item, table.AttrSK))
}

// moveTotal adds a total that lies in a shard beyond the new ones to one of
// them: its shard follows from no ID, so it stays where it is otherwise.
func (m *mover) moveTotal(ctx context.Context, total *Total) (changed bool, err error) {
	if total.Shard < m.shards {
		return false, nil
	}
	c := m.newChange()
	into := *total
	into.Shard %= m.shards
	c.totals.totals = append(c.totals.totals, &into)
	c.DeleteVersion(total, total.Version)
	return true, c.Commit(ctx)
}

// newChange returns a change that writes to the new shards.
func (m *mover) newChange() *change {
	settings := DefaultSettings()
	settings.Shards = m.shards
	return m.store.newChange(settings)
}

// closeRun ends a job's run that is not through with a shard beyond the new
// ones: what it left to do lies in other shards now, and their runs do it. What
// it did stays counted and listed as its own.
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
