package web

import (
	"net/netip"
	"sync"
	"time"
)

// limiter slows down who guesses passwords: after some wrong tries for an
// account or from an address, each further one has to wait, longer each time.
// An address has more of them, as it may be that of a whole office.
// It keeps its counts in memory: several servers each allow the tries anew,
// which costs a guesser nothing but a little of the waiting.
type limiter struct {
	now   func() time.Time
	mu    sync.Mutex
	tries map[string]*failures
}

type failures struct {
	wrong int
	until time.Time // before which no try is let through
	last  time.Time
}

const (
	freeOfAccount  = 5
	freeOfAddress  = 50
	firstWait      = 10 * time.Second
	longestWait    = 15 * time.Minute
	forgetAfter    = time.Hour
	rememberAtMost = 20_000 // accounts and addresses
)

func newLimiter(now func() time.Time) *limiter {
	return &limiter{now: now, tries: map[string]*failures{}}
}

// TryLogIn counts a try for an account from an address, or says how long it
// has to wait. It counts before the password is looked at, so that tries that
// come all at once are no more than one after the other.
func (t *Tools) TryLogIn(account, address string) (wait time.Duration) {
	return t.limiter.try(account, network(address))
}

// LogInSucceeded takes the try back: it was not a wrong one. The account's
// others are forgotten, the address's are not: one good account would be a
// licence to guess others.
func (t *Tools) LogInSucceeded(account, address string) {
	t.limiter.succeeded(account, network(address))
}

// network is what the tries from an address are counted for. Whoever has an
// IPv6 address has the 2^64 of its network, and could take another for every
// try.
func network(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().String()
}

func (l *limiter) try(account, address string) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	ofAccount, ofAddress := l.of("account "+account, now), l.of("address "+address, now)
	if wait := max(ofAccount.until.Sub(now), ofAddress.until.Sub(now)); wait > 0 {
		return wait
	}
	ofAccount.count(now, freeOfAccount)
	ofAddress.count(now, freeOfAddress)
	return 0
}

func (l *limiter) succeeded(account, address string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.tries, "account "+account)
	if f := l.tries["address "+address]; f != nil {
		f.wrong--
		f.until = time.Time{}
	}
}

// of are the tries of an account or of an address.
func (l *limiter) of(who string, now time.Time) *failures {
	f := l.tries[who]
	if f == nil || now.Sub(f.last) > forgetAfter {
		l.sweep(now)
		f = &failures{}
		l.tries[who] = f
	}
	return f
}

// count takes a try for a wrong one; after the free ones, the next has to
// wait, twice as long each time.
func (f *failures) count(now time.Time, free int) {
	f.wrong++
	f.last = now
	if over := f.wrong - free; over >= 0 {
		f.until = now.Add(min(longestWait, firstWait<<min(over, 10)))
	}
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
