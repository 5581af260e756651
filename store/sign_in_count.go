package store

import (
	"time"

	"stockroom/store/table"
)

// SignInCount counts the failed sign-ins of one counter, such as a user name from
// one network. TTL deletes it after the last failure was forgotten.
type SignInCount struct {
	Counter      string // a hash, because anybody can choose the name and its length
	Failed       int
	BlockedUntil time.Time
	Last         time.Time
	Cleared      int // how often the counts of the user name had been cleared
	Expires      time.Time
	Version      int
}

func (*SignInCount) EntityType() string { return "signInCount" }

func (n *SignInCount) KeyValue(name string) string {
	if name == "counter" {
		return n.Counter
	}
	return ""
}

func (n *SignInCount) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "signIns#", &n.Counter)
	a.Count("Failed", &n.Failed)
	a.Time("BlockedUntil", &n.BlockedUntil)
	a.Time("Last", &n.Last)
	a.Count("Cleared", &n.Cleared)
	a.Seconds(table.AttrTTL, &n.Expires)
	a.Version(&n.Version)
}

// signInLimit limits one kind of counter. After the free failures, each one
// doubles the wait for the next attempt.
type signInLimit struct {
	free    int
	maxWait time.Duration
}

// The limits. Somebody who guesses from one network exhausts only the free attempts
// of that network. A network has more of them than a user name, because an office
// can share an address. The limit of a user name from all networks together slows
// down guesses from many networks; its waits are short, because they also affect
// the user. See
// https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#login-throttling
var (
	limitOfPair    = signInLimit{free: 5, maxWait: 15 * time.Minute} // a user name from one network
	limitOfDevice  = signInLimit{free: 5, maxWait: 15 * time.Minute} // a user name in a browser that signed in before
	limitOfNetwork = signInLimit{free: 50, maxWait: 15 * time.Minute}
	limitOfName    = signInLimit{free: 100, maxWait: time.Minute}
)

const (
	firstSignInWait   = 10 * time.Second
	forgetSignInAfter = time.Hour
)

// forget sets the count to 0 if its last failure is long ago, or if the counts of
// the user name have been cleared since.
func (n *SignInCount) forget(now time.Time, cleared int) {
	if now.Sub(n.Last) > forgetSignInAfter || n.Cleared != cleared {
		n.Failed, n.BlockedUntil = 0, time.Time{}
	}
	n.Cleared = cleared
}

// fail counts an attempt as a failure.
func (n *SignInCount) fail(now time.Time, limit signInLimit) {
	n.Failed++
	n.Last = now
	if over := n.Failed - limit.free; over >= 0 {
		n.BlockedUntil = now.Add(min(limit.maxWait, firstSignInWait<<min(over, 10)))
	}
	n.Expires = now.Add(forgetSignInAfter)
}
