package store

import (
	"context"
	"slices"
	"sync"
	"time"
)

// maxLockWait is how long a change waits for all its locks. It then continues without the
// missing locks. Two changes that wait for each other are therefore delayed, but never
// blocked.
const maxLockWait = 3 * time.Second

// itemLocks makes changes of this server that write the same item wait for each other. The
// locks only save retries. Without them, the conditions of the transactions still prevent
// wrong writes.
type itemLocks struct {
	mu    sync.Mutex
	locks map[string]*itemLock
}

type itemLock struct {
	held  chan struct{} // buffered channel, which is full while a change holds the lock
	users int           // number of changes that hold the lock or wait for it
}

// lock waits until no other change holds the lock of the item. It returns false if the
// context ends first.
func (l *itemLocks) lock(ctx context.Context, item string) bool {
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
		return true
	case <-ctx.Done():
		l.leave(item)
		return false
	}
}

func (l *itemLocks) unlock(item string) {
	l.mu.Lock()
	<-l.locks[item].held
	l.mu.Unlock()
	l.leave(item)
}

// leave records that a change no longer holds the lock or waits for it.
func (l *itemLocks) leave(item string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.locks[item].users--; l.locks[item].users == 0 {
		delete(l.locks, item)
	}
}

// lockItems locks items until Commit returns. Call it before reading the items. Lock stock
// before the quotas of account reps, and all items of a kind in one call. Otherwise, two
// changes could wait for each other. Callers must defer unlockItems, because a change may
// end without Commit.
func (c *change) lockItems(ctx context.Context, items []string) {
	if c.lockUntil.IsZero() {
		c.lockUntil = time.Now().Add(maxLockWait)
	}
	ctx, cancel := context.WithDeadline(ctx, c.lockUntil)
	defer cancel()
	for _, item := range slices.Sorted(slices.Values(items)) {
		switch {
		case slices.Contains(c.locked, item):
		case c.store.locks.lock(ctx, item):
			c.locked = append(c.locked, item)
		default:
			return
		}
	}
}

func (c *change) unlockItems() {
	for _, item := range c.locked {
		c.store.locks.unlock(item)
	}
	c.locked = nil
}
