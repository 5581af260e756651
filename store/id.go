package store

import (
	"crypto/rand"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// IDs generates ULIDs, which sort by the time of their creation. Records such as ledger
// entries and events are therefore sorted by time. If the clock is set back by at most
// maxClockOffset, new IDs keep the time of the last ID until the clock reaches this time
// again. After a larger step back, new IDs follow the clock, because newID rejects a form
// token whose time is in the future. IDs is safe for concurrent use.
//
// See https://github.com/ulid/spec.
type IDs struct {
	clock   func() time.Time
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
	last    uint64 // time of the last ID, in milliseconds since 1970
}

// NewIDs returns a generator that uses the given clock.
func NewIDs(clock func() time.Time) *IDs {
	return &IDs{clock: clock, entropy: ulid.Monotonic(rand.Reader, 0)}
}

// New returns a new ID. It fails only if there is no source of randomness, or if the random
// part of the IDs of one millisecond overflows.
func (s *IDs) New() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := ulid.Timestamp(s.clock())
	if back := time.Duration(s.last-at) * time.Millisecond; s.last < at || back > maxClockOffset {
		s.last = at
	}
	id, err := ulid.New(s.last, s.entropy)
	return id.String(), err
}

// createdID matches the IDs that the program creates: ULIDs, and the IDs of new orders and
// their shipments.
var createdID = regexp.MustCompile(`^(?:[0-7][0-9A-HJKMNP-TV-Z]{25}|(?:[0-9]{6}-)?[0-9][0-9A-HJKMNP-TV-Z]{9}(?:-[0-9]{1,3})?)$`)

// RespellID returns an ID in capital letters if the program may have created it. It returns
// other IDs unchanged, because imported IDs can have any spelling.
func RespellID(id string) string {
	if capitals := strings.ToUpper(id); createdID.MatchString(capitals) {
		return capitals
	}
	return id
}

// NewToken returns the ULID of a new form token, without the digest of the values. The ULID
// can become the ID of the record that the form creates.
func (s *Store) NewToken() string {
	id, err := s.ids.New()
	if err != nil {
		panic("store: " + err.Error())
	}
	return id
}
