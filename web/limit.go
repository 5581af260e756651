package web

import (
	"sync"
	"time"
)

// limiter slows down who guesses passwords: after five wrong tries for an
// account or from an address, each further one has to wait, longer each time.
// It keeps its counts in memory: several servers each allow the tries anew,
// which costs a guesser nothing but a little of the waiting.
type limiter struct {
	now   func() time.Time
	mu    sync.Mutex
	tries map[string]*failures
}

type failures struct {
	count int
	until time.Time // before which no try is let through
	last  time.Time
}

const (
	freeTries      = 5
	firstWait      = 10 * time.Second
	longestWait    = 15 * time.Minute
	forgetAfter    = time.Hour
	rememberAtMost = 20_000 // accounts and addresses
)

func newLimiter(now func() time.Time) *limiter {
	return &limiter{now: now, tries: map[string]*failures{}}
}

// LogInWait is how long a log-in has to wait: 0 where it may be tried.
func (t *Tools) LogInWait(account, address string) time.Duration {
	return max(t.limiter.wait("account "+account), t.limiter.wait("address "+address))
}

// LogInFailed notes a wrong try.
func (t *Tools) LogInFailed(account, address string) {
	t.limiter.failed("account " + account)
	t.limiter.failed("address " + address)
}

// LogInSucceeded forgets the account's wrong tries, though not the address's:
// one good account would be a licence to guess others.
func (t *Tools) LogInSucceeded(account string) { t.limiter.forget("account " + account) }

func (l *limiter) wait(who string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	f := l.tries[who]
	if f == nil {
		return 0
	}
	return max(0, f.until.Sub(l.now()))
}

func (l *limiter) failed(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	f := l.tries[who]
	if f == nil || now.Sub(f.last) > forgetAfter {
		l.sweep(now)
		f = &failures{}
		l.tries[who] = f
	}
	f.count++
	f.last = now
	if over := f.count - freeTries; over >= 0 {
		f.until = now.Add(min(longestWait, firstWait<<min(over, 10)))
	}
}

func (l *limiter) forget(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.tries, who)
}

// sweep makes room where there is none left: it drops what is old, and if that
// is not enough, a tenth of the rest as it meets it, so that the next ones
// need no sweep.
func (l *limiter) sweep(now time.Time) {
	if len(l.tries) < rememberAtMost {
		return
	}
	for who, f := range l.tries {
		if now.Sub(f.last) > forgetAfter {
			delete(l.tries, who)
		}
	}
	for who := range l.tries {
		if len(l.tries) <= rememberAtMost*9/10 {
			return
		}
		delete(l.tries, who)
	}
}
