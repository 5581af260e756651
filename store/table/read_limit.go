package table

import (
	"context"
	"sync"
	"time"
)

// ReadLimit slows down the reads of a command, so that it consumes at most a given
// number of read units per second on average. A nil ReadLimit sets no limit.
type ReadLimit struct {
	perSecond float64
	// Tests replace Now and Pause.
	Now   func() time.Time
	Pause func(context.Context, time.Duration) error

	mu   sync.Mutex
	next time.Time // earliest time of the next read
}

// NewReadLimit returns a limit of perSecond read units per second, or nil for 0.
func NewReadLimit(perSecond int) *ReadLimit {
	if perSecond <= 0 {
		return nil
	}
	return &ReadLimit{perSecond: float64(perSecond), Now: time.Now, Pause: Pause}
}

// Wait waits until the next read is allowed. Call it after a read, with the read units
// that it consumed.
func (l *ReadLimit) Wait(ctx context.Context, units float64) error {
	if l == nil {
		return ctx.Err()
	}
	l.mu.Lock()
	now := l.Now()
	if l.next.Before(now) {
		l.next = now
	}
	l.next = l.next.Add(time.Duration(units / l.perSecond * float64(time.Second)))
	rest := l.next.Sub(now)
	l.mu.Unlock()
	return l.Pause(ctx, rest)
}

// Pause waits for d. If the context ends earlier, Pause returns its error.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
