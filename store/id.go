package store

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDs generates ULIDs. ULIDs sort by the time of their generation, so ledgers and
// timelines are in order. IDs is safe for concurrent use.
//
// See https://github.com/ulid/spec.
type IDs struct {
	clock   func() time.Time
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

// NewIDs returns a generator that takes the time from the clock.
func NewIDs(clock func() time.Time) *IDs {
	return &IDs{clock: clock, entropy: ulid.Monotonic(rand.Reader, 0)}
}

// New returns a new ID. It fails only without a source of randomness or after
// 2⁸⁰ IDs in a millisecond.
func (s *IDs) New() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := ulid.New(ulid.Timestamp(s.clock()), s.entropy)
	return id.String(), err
}

// NewToken returns a new form token. It can become the ID of the record that the
// form creates.
func (s *Store) NewToken() string {
	id, err := s.ids.New()
	if err != nil {
		panic("store: " + err.Error())
	}
	return id
}
