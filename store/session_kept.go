package store

import "sync"

const maxKeptSessions = 1000

// keptSessions contains sessions that were read, by hash. They stay in it until
// Store.Changes increases, for example because a session ended. Store.Changes does not
// count the writes of touch, so a touched session replaces the earlier one here.
type keptSessions struct {
	mu       sync.Mutex
	changes  int64 // Store.Changes when the sessions were read
	sessions map[string]Session
}

// get returns a copy of a session if the table has not changed since the session was read.
func (k *keptSessions) get(changes int64, hash string) (*Session, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes != changes {
		return nil, false
	}
	session, found := k.sessions[hash]
	return &session, found
}

// put adds a session. changes is Store.Changes before the session was read.
func (k *keptSessions) put(changes int64, session *Session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if changes < k.changes {
		return // another request has already added a later session
	}
	if k.sessions == nil || changes > k.changes || len(k.sessions) >= maxKeptSessions {
		k.sessions, k.changes = map[string]Session{}, changes
	}
	k.sessions[session.Hash] = *session
}
