package store

import (
	"sync"
	"time"
)

// viewsTTL is how long saved views stay in the cache. Every page reads them, for the tabs
// of lists, so the cache saves requests. A change of a view shows immediately on the same
// server, and within viewsTTL on other servers.
const viewsTTL = time.Minute

// viewCache caches saved views by owner. It is safe for concurrent use.
type viewCache struct {
	mu      sync.Mutex
	entries map[string]cachedViews
	changes int // number of calls of forget
}

type cachedViews struct {
	views  []SavedView
	readAt time.Time
}

// get returns the views of an owner from the cache. If they are not in the cache, it calls
// read. It then caches the views, unless forget was called during the read.
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

func (c *viewCache) forget(owner string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, owner)
	c.changes++
}
