package store

import (
	"context"
	"sync"
	"time"
)

// readLimit delays the reads of a command, so that it consumes at most a given
// number of read units per second on average. A nil readLimit does not delay.
type readLimit struct {
	perSecond float64
	now       func() time.Time
	pause     func(context.Context, time.Duration) error

	mu   sync.Mutex
	next time.Time // earliest time of the next read
}

// newReadLimit returns a limit of perSecond read units per second, or nil for 0.
func newReadLimit(perSecond int) *readLimit {
	if perSecond <= 0 {
		return nil
	}
	return &readLimit{perSecond: float64(perSecond), now: time.Now, pause: pause}
}

// wait delays the next read after a read that has consumed these units.
func (l *readLimit) wait(ctx context.Context, units float64) error {
	if l == nil {
		return ctx.Err()
	}
	l.mu.Lock()
	now := l.now()
	if l.next.Before(now) {
		l.next = now
	}
	l.next = l.next.Add(time.Duration(units / l.perSecond * float64(time.Second)))
	rest := l.next.Sub(now)
	l.mu.Unlock()
	return l.pause(ctx, rest)
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
