package store

import (
	"sync/atomic"
	"time"

	"stockroom/store/table"
)

// Store reads and changes the records of the business without checking permissions.
// As returns a store that checks the permissions of a user.
type Store struct {
	table     *table.Table
	now       func() time.Time
	ids       *IDs
	settings  atomic.Pointer[cachedSettings]
	views     viewCache
	sessions  table.Kept[Session] // by hash; a touched session replaces the earlier one, because Changes does not count the writes of touch
	costs     *costMeter
	argon     argon
	eventKey  eventKey
	auditKeys AuditKeys
	hashing   chan struct{}                // limits concurrent password checks
	counting  [countingLocks]chan struct{} // locks for sign-in counts; the network determines the lock

	slots     *openSlots
	ranked    rankedQuotas
	locks     itemLocks
	numbering chan struct{} // a lock: full while a change takes document numbers; see takeNumbers

	touchTimeout time.Duration
	touchAfter   atomic.Int64 // Seen of sessions is not written before this Unix time in nanoseconds
}

// maxHashing is the maximum number of concurrent password checks. Each takes 19 MB
// and one core, so further sign-ins wait.
const maxHashing = 4

// countingLocks is the number of locks for sign-in counts. Several networks share a
// lock.
const countingLocks = 64

// New returns the store of the table with this name. It takes all times from clock.
func New(db DB, name string, clock func() time.Time) *Store {
	s := &Store{
		table:    table.New(db, name, schema),
		now:      clock,
		ids:      NewIDs(clock),
		views:    viewCache{entries: map[string]cachedViews{}},
		argon:    strongArgon,
		eventKey: newEventKey(),
		hashing:  make(chan struct{}, maxHashing),

		slots:     newOpenSlots(),
		numbering: make(chan struct{}, 1),

		touchTimeout: touchTimeout,
	}
	s.costs = newCostMeter(s.NewToken())
	s.table.Meter(s.consumed)
	s.table.OnConflict(s.slots.avoidConflict)
	for i := range s.counting {
		s.counting[i] = make(chan struct{}, 1)
	}
	return s
}

// Table returns the name of the table.
func (s *Store) Table() string { return s.table.Name() }

// Changes returns a number that increases with each change of the table, except writes of
// costs and of Session.Seen. It returns false for Amazon DynamoDB, where other programs can
// change the table.
func (s *Store) Changes() (n int64, known bool) { return s.table.Changes() }

// Now returns the time of the store's clock.
func (s *Store) Now() time.Time { return s.now() }
