package store

import (
	"sync/atomic"
	"time"

	"stockroom/store/table"
)

// Store reads and changes the business without checking permissions. Use As for the
// reads and changes of a user.
type Store struct {
	table    *table.Table
	now      func() time.Time
	ids      *IDs
	settings atomic.Pointer[cachedSettings]
	views    viewCache
	hashing  chan struct{}                // limits concurrent password checks
	counting [countingLocks]chan struct{} // by network; held while the counts of a sign-in change

	touchAfter atomic.Int64 // Unix time in ns before which no session's Seen is written
}

// maxHashing is the number of passwords that are checked at once. Each check takes
// 19 MB and a core, so further sign-ins wait.
const maxHashing = 4

// countingLocks is the number of locks that the networks of sign-ins share.
const countingLocks = 64

// New returns the store of the named table. All times come from the clock.
func New(db DB, name string, clock func() time.Time) *Store {
	s := &Store{
		table:   table.New(db, name, schema),
		now:     clock,
		ids:     NewIDs(clock),
		views:   viewCache{entries: map[string]cachedViews{}},
		hashing: make(chan struct{}, maxHashing),
	}
	for i := range s.counting {
		s.counting[i] = make(chan struct{}, 1)
	}
	return s
}

// Table returns the name of the table.
func (s *Store) Table() string { return s.table.Name() }

// Now returns the time of the store's clock.
func (s *Store) Now() time.Time { return s.now() }
