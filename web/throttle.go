package web

import (
	"net/netip"
	"sync"
	"time"
)

// limiter throttles sign-in attempts per user name and per network. After the free
// attempts, every failure doubles the wait for the next one; see
// https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#login-throttling
// A network gets more attempts, because a whole office can share an address. The
// counts are in memory, so every server counts only its own sign-ins.
type limiter struct {
	now      func() time.Time
	mu       sync.Mutex
	attempts map[string]*attempts
}

// attempts counts the failed sign-ins of one user name or network.
type attempts struct {
	failed       int
	blockedUntil time.Time
	last         time.Time
}

const (
	freePerUser    = 5
	freePerNetwork = 50
	firstWait      = 10 * time.Second
	maxWait        = 15 * time.Minute
	forgetAfter    = time.Hour
	maxTracked     = 20_000 // user names and networks
)

func newLimiter(now func() time.Time) *limiter {
	return &limiter{now: now, attempts: map[string]*attempts{}}
}

// AttemptSignIn counts an attempt to sign in from an IP address and returns 0,
// or how long to wait before the next attempt. Call it before checking the
// password, so that parallel attempts are counted too.
func (t *Tools) AttemptSignIn(user, address string) (wait time.Duration) {
	return t.limiter.attempt(user, networkOf(address))
}

// SignInSucceeded removes the attempt from the counts. It resets the count of the
// user, but not of the network: otherwise a user could guess the passwords of
// others without limit.
func (t *Tools) SignInSucceeded(user, address string) {
	t.limiter.succeeded(user, networkOf(address))
}

// networkOf returns the network whose attempts are counted: an IPv4 address,
// or the /64 of an IPv6 address, because one client can use all of it.
func networkOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().String()
}

func (l *limiter) attempt(user, network string) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	byUser, byNetwork := l.find("account "+user, now), l.find("address "+network, now)
	if wait := max(byUser.blockedUntil.Sub(now), byNetwork.blockedUntil.Sub(now)); wait > 0 {
		return wait
	}
	byUser.fail(now, freePerUser)
	byNetwork.fail(now, freePerNetwork)
	return 0
}

func (l *limiter) succeeded(user, network string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.attempts, "account "+user)
	if a := l.attempts["address "+network]; a != nil {
		a.failed--
		a.blockedUntil = time.Time{}
	}
}

func (l *limiter) find(key string, now time.Time) *attempts {
	a := l.attempts[key]
	if a == nil || now.Sub(a.last) > forgetAfter {
		l.evict(now)
		a = &attempts{}
		l.attempts[key] = a
	}
	return a
}

// fail counts a failure. After the free attempts, each one doubles the wait.
func (a *attempts) fail(now time.Time, free int) {
	a.failed++
	a.last = now
	if over := a.failed - free; over >= 0 {
		a.blockedUntil = now.Add(min(maxWait, firstWait<<min(over, 10)))
	}
}

// evict frees space when the map is full. It removes old entries, then arbitrary
// ones until a tenth of the map is free.
func (l *limiter) evict(now time.Time) {
	if len(l.attempts) < maxTracked {
		return
	}
	for key, a := range l.attempts {
		if now.Sub(a.last) > forgetAfter {
			delete(l.attempts, key)
		}
	}
	for key := range l.attempts {
		if len(l.attempts) <= maxTracked*9/10 {
			return
		}
		delete(l.attempts, key)
	}
}
