package storetest

import (
	"sync/atomic"
	"time"
)

// Now is the time at which the clocks of tests start. Tests must not use the current
// date, because they must pass on any day.
var Now = time.Date(2026, time.November, 21, 10, 30, 0, 0, time.UTC)

// Clock is a clock for tests. A store and its engine must use the same clock.
// Otherwise, the engine could delete items that are expired by its own clock but not
// by that of the store.
type Clock struct {
	at      atomic.Pointer[time.Time]
	started time.Time // the system time at which a running clock was started
	reads   atomic.Pointer[func()]
}

// NewClock returns a clock that shows Now until it is advanced.
func NewClock() *Clock {
	c := &Clock{}
	c.at.Store(&Now)
	return c
}

// RunningClock returns a clock that runs like the system clock. It showed the time in start
// at the moment when the system clock showed the time in started. Clocks with the same two
// values show the same time in every process.
func RunningClock(start, started time.Time) *Clock {
	c := &Clock{started: started}
	c.at.Store(&start)
	return c
}

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	if before := c.reads.Load(); before != nil {
		(*before)()
	}
	at := *c.at.Load()
	if !c.started.IsZero() {
		at = at.Add(time.Since(c.started))
	}
	return at
}

// BeforeReads makes the clock call a function before each read, so that time can pass
// between two reads. The function must be safe for concurrent use.
func (c *Clock) BeforeReads(call func()) { c.reads.Store(&call) }

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	at := c.at.Load().Add(d)
	c.at.Store(&at)
}
