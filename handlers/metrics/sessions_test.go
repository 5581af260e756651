package metrics

import (
	"strconv"
	"testing"
	"time"
)

// TestSessions_AreBounded checks that sessions without requests are forgotten, and that
// the number of stored sessions is limited.
func TestSessions_AreBounded(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	var s sessions
	for n := range maxSessions + 10 {
		s.see(strconv.Itoa(n), now)
		s.see("same", now)
	}
	if got := s.count(now); got != maxSessions {
		t.Errorf("got %d sessions, want %d", got, maxSessions)
	}
	s.see("later", now.Add(sessionTime))
	if got := s.count(now.Add(sessionTime)); got != maxSessions+1 {
		t.Errorf("after %s: got %d sessions, want %d", sessionTime, got, maxSessions+1)
	}
	if got := s.count(now.Add(2 * sessionTime)); got != 1 {
		t.Errorf("after %s: got %d sessions, want 1", 2*sessionTime, got)
	}
	if got := s.count(now.Add(time.Hour)); got != 0 {
		t.Errorf("after an hour: got %d sessions, want none", got)
	}
}
