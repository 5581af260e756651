package store

import (
	"sync/atomic"
	"time"

	"stockroom/store/table"
)

// Store is the business in its table, without a user. Use As for what a user
// may see and change.
type Store struct {
	table    *table.Table
	now      func() time.Time
	ids      *IDs
	settings atomic.Pointer[cachedSettings]
	views    viewCache
	hashing  chan struct{} // limits concurrent password checks

	touchAfter atomic.Int64 // Unix time in ns before which no session is touched
}

// maxHashing is how many passwords are checked at once. Each check takes 19 MB
// and a core, so a flood of sign-ins must wait.
const maxHashing = 4

// New returns the store of the named table. All times come from the clock.
func New(db DB, name string, clock func() time.Time) *Store {
	return &Store{
		table:   table.New(db, name, schema),
		now:     clock,
		ids:     NewIDs(clock),
		views:   viewCache{entries: map[string]cachedViews{}},
		hashing: make(chan struct{}, maxHashing),
	}
}

// Table returns the name of the table.
func (s *Store) Table() string { return s.table.Name() }

// Now returns the time of the store's clock.
func (s *Store) Now() time.Time { return s.now() }
