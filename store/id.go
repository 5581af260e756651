package store

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDs hands out ULIDs: unique, and in the order in which they were made, so
// that a ledger or a timeline whose keys end in one is in order of time.
type IDs struct {
	clock   func() time.Time
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

// NewIDs returns a source of IDs that reads the time from the clock.
func NewIDs(clock func() time.Time) *IDs {
	return &IDs{clock: clock, entropy: ulid.Monotonic(rand.Reader, 0)}
}

// New makes an ID.
func (s *IDs) New() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := ulid.New(ulid.Timestamp(s.clock()), s.entropy)
	return id.String(), err
}

// NewToken makes the token of a form, which may also become the ID of what
// the form creates.
func (s *Store) NewToken() string {
	id, err := s.ids.New()
	if err != nil { // more than 2^80 in one millisecond, or no randomness: neither happens
		panic("store: " + err.Error())
	}
	return id
}
