package store

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDs generates ULIDs, which sort by the time of their creation. Ledgers and
// timelines are therefore sorted by time. IDs is safe for concurrent use.
//
// See https://github.com/ulid/spec.
type IDs struct {
	clock   func() time.Time
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
}

// NewIDs returns a generator that uses the given clock.
func NewIDs(clock func() time.Time) *IDs {
	return &IDs{clock: clock, entropy: ulid.Monotonic(rand.Reader, 0)}
}

// New returns a new ID. It fails only if there is no source of randomness, or after
// 2⁸⁰ IDs in one millisecond.
func (s *IDs) New() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := ulid.New(ulid.Timestamp(s.clock()), s.entropy)
	return id.String(), err
}

// NewToken returns a new form token without a digest. Its ULID can become the ID of
// the record that the form creates.
func (s *Store) NewToken() string {
	id, err := s.ids.New()
	if err != nil {
		panic("store: " + err.Error())
	}
	return id
}
