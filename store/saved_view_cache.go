package store

import (
	"sync"
	"time"
)

// viewsLife is how long saved views are kept in memory. Every page needs them
// for its menu. Who saves one sees it at once; on another server of the
// business it appears a minute later at most.
const viewsLife = time.Minute

// keptViews is what was read of views, by owner. Its methods are safe for
// concurrent use.
type keptViews struct {
	mu      sync.Mutex
	of      map[string]viewsAt
	changes int // how often something was forgotten
}

type viewsAt struct {
	views []View
	at    time.Time
}

// get is what is kept of an owner, or what read finds. What was forgotten
// while it was being read is not kept.
func (k *keptViews) get(owner string, now time.Time, read func() ([]View, error)) ([]View, error) {
	k.mu.Lock()
	kept, found := k.of[owner]
	changes := k.changes
	k.mu.Unlock()
	if found && now.Sub(kept.at) < viewsLife {
		return kept.views, nil
	}
	views, err := read()
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes == changes {
		k.sweep(now)
		k.of[owner] = viewsAt{views, now}
	}
	return views, nil
}

// sweep drops what is too old, so that memory holds those who are at work.
func (k *keptViews) sweep(now time.Time) {
	for owner, kept := range k.of {
		if now.Sub(kept.at) >= viewsLife {
			delete(k.of, owner)
		}
	}
}

func (k *keptViews) forget(owner string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.of, owner)
	k.changes++
}
