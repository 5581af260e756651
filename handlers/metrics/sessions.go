package metrics

import (
	"maps"
	"sync"
	"time"
)

const (
	// sessionTime is the minimum time for which a session is counted after its last
	// request. The maximum is twice as long.
	sessionTime = 5 * time.Minute
	// maxSessions is the maximum number of sessions that are stored in each period of
	// sessionTime.
	maxSessions = 100_000
)

// sessions counts the sessions that have made requests in the last minutes. The field
// recent contains the sessions of the current period of sessionTime, and earlier contains
// those of the previous period.
type sessions struct {
	mu              sync.Mutex
	began           time.Time
	recent, earlier map[string]bool // hashes of session IDs
}

// rotate starts a new period if the current one has ended. It keeps only the sessions of
// the period that has just ended.
func (s *sessions) rotate(now time.Time) {
	if passed := now.Sub(s.began); passed >= 2*sessionTime {
		s.recent, s.earlier, s.began = map[string]bool{}, nil, now
	} else if passed >= sessionTime {
		s.recent, s.earlier, s.began = map[string]bool{}, s.recent, now
	}
}

// see stores that a session has made a request.
func (s *sessions) see(hash string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rotate(now)
	if len(s.recent) < maxSessions {
		s.recent[hash] = true
	}
}

func (s *sessions) count(now time.Time) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rotate(now)
	all := maps.Clone(s.recent)
	maps.Copy(all, s.earlier)
	return len(all)
}

// Session records that a session has made a request. The argument hash is the hash of
// the session's ID.
func (m *Metrics) Session(hash string) { m.sessions.see(hash, time.Now()) }
