package store

import (
	"context"
	"slices"
	"sync"
)

// itemLocks makes changes of this server that read and write the same item wait for each
// other, so that their transactions do not conflict. The conditions of the transactions
// prevent wrong writes, also between servers; the locks only avoid retries.
type itemLocks struct {
	mu    sync.Mutex
	locks map[string]*itemLock
}

// itemLock is the lock of one item.
type itemLock struct {
	held  chan struct{} // full while a change holds the lock
	users int           // changes that hold the lock or wait for it
}

// lock waits until no other change holds the lock of the item, or until the context ends.
func (l *itemLocks) lock(ctx context.Context, item string) error {
	l.mu.Lock()
	if l.locks == nil {
		l.locks = map[string]*itemLock{}
	}
	one := l.locks[item]
	if one == nil {
		one = &itemLock{held: make(chan struct{}, 1)}
		l.locks[item] = one
	}
	one.users++
	l.mu.Unlock()
	select {
	case one.held <- struct{}{}:
		return nil
	case <-ctx.Done():
		l.leave(item)
		return ctx.Err()
	}
}

func (l *itemLocks) unlock(item string) {
	l.mu.Lock()
	<-l.locks[item].held
	l.mu.Unlock()
	l.leave(item)
}

// leave ends the use of a lock.
func (l *itemLocks) leave(item string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.locks[item].users--; l.locks[item].users == 0 {
		delete(l.locks, item)
	}
}

// lockItems locks items until Commit returns. Call it before the items are read. So that
// two changes cannot wait for each other, lock stock before account reps, and all items of
// a kind in one call. Callers must defer unlockItems, for changes without Commit.
func (c *change) lockItems(ctx context.Context, items []string) error {
	for _, item := range slices.Compact(slices.Sorted(slices.Values(items))) {
		if err := c.store.locks.lock(ctx, item); err != nil {
			return err
		}
		c.locked = append(c.locked, item)
	}
	return nil
}

// unlockItems unlocks all items that the change has locked.
func (c *change) unlockItems() {
	for _, item := range c.locked {
		c.store.locks.unlock(item)
	}
	c.locked = nil
}
