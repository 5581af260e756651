package store

import "sync"

// maxKeptSessions is the maximum number of sessions in keptSessions.
const maxKeptSessions = 1000

// keptSessions contains the sessions that were read, by hash, until the table changes. The
// end of a session and a change of a user are such changes. Only the writes of touch are
// not, so it replaces the session here.
type keptSessions struct {
	mu       sync.Mutex
	changes  int64 // see Store.Changes
	sessions map[string]Session
}

// get returns a copy of a session if the table has not changed since it was read.
func (k *keptSessions) get(changes int64, hash string) (*Session, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.changes != changes {
		return nil, false
	}
	session, found := k.sessions[hash]
	return &session, found
}

// put keeps a session that was read after the table had made this number of changes.
func (k *keptSessions) put(changes int64, session *Session) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if changes < k.changes {
		return // a request that has read a later session was faster
	}
	if k.sessions == nil || changes > k.changes || len(k.sessions) >= maxKeptSessions {
		k.sessions, k.changes = map[string]Session{}, changes
	}
	k.sessions[session.Hash] = *session
}
