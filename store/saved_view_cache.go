package store

import (
	"sync"
	"time"
)

// viewsTTL is the time that saved views stay in the cache. Every page needs them
// for its menu. A change is visible at once on the server that made it, and within
// viewsTTL on others.
const viewsTTL = time.Minute

// viewCache holds saved views by owner. It is safe for concurrent use.
type viewCache struct {
	mu      sync.Mutex
	entries map[string]cachedViews
	changes int // number of calls of forget
}

type cachedViews struct {
	views  []SavedView
	readAt time.Time
}

// get returns the cached views of an owner, or reads and caches them. It does not
// cache them if forget was called during the read.
func (c *viewCache) get(owner string, now time.Time, read func() ([]SavedView, error)) ([]SavedView, error) {
	c.mu.Lock()
	cached, found := c.entries[owner]
	changes := c.changes
	c.mu.Unlock()
	if found && now.Sub(cached.readAt) < viewsTTL {
		return cached.views, nil
	}
	views, err := read()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changes == changes {
		c.removeExpired(now)
		c.entries[owner] = cachedViews{views, now}
	}
	return views, nil
}

func (c *viewCache) removeExpired(now time.Time) {
	for owner, cached := range c.entries {
		if now.Sub(cached.readAt) >= viewsTTL {
			delete(c.entries, owner)
		}
	}
}

// forget removes the cached views of an owner.
func (c *viewCache) forget(owner string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, owner)
	c.changes++
}
