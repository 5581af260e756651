package storetest

import (
	"sync/atomic"
	"time"
)

// Now is the time at which the clocks of tests start. Tests never use the
// machine's date: they have to pass on any day.
var Now = time.Date(2026, time.November, 21, 10, 30, 0, 0, time.UTC)

// Clock is a clock for tests. A store and its engine share one; otherwise the
// engine would delete items whose expiry time has passed by its own clock but
// not by the store's.
type Clock struct {
	at      atomic.Pointer[time.Time]
	started time.Time // when a running clock started, by the machine's clock
}

// NewClock returns a clock that stands at Now until it is advanced.
func NewClock() *Clock {
	c := &Clock{}
	c.at.Store(&Now)
	return c
}

// RunningClock returns a clock that showed start at the machine's time
// started and runs from there. Processes that agree on both agree on the time.
func RunningClock(start, started time.Time) *Clock {
	c := &Clock{started: started}
	c.at.Store(&start)
	return c
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time {
	at := *c.at.Load()
	if !c.started.IsZero() {
		at = at.Add(time.Since(c.started))
	}
	return at
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	at := c.at.Load().Add(d)
	c.at.Store(&at)
}
