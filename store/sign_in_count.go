package store

import (
	"time"

	"stockroom/store/table"
)

// SignInCount counts the failed sign-ins of one counter, such as a user name from
// one network. The failures halve every hour. TTL deletes the count later.
type SignInCount struct {
	Counter      string // a hash, because anybody can choose the name and its length
	Failed       int
	BlockedUntil time.Time
	Since        time.Time // of the first failure, or when the failures last halved
	Cleared      int       // how often the counts of the user name had been cleared
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
	a.Time("Since", &n.Since)
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
	halveSignInsAfter = time.Hour
	keepSignInCount   = 8 * time.Hour // until even the failures of a user name have halved to 0
)

// forget halves the failures for each hour since the first one, even if others were
// counted meanwhile. Otherwise the failures of a busy network would add up over days.
// It sets them to 0 if the counts of the user name have been cleared since.
func (n *SignInCount) forget(now time.Time, cleared int) {
	if elapsed := now.Sub(n.Since); elapsed >= halveSignInsAfter {
		n.Failed >>= elapsed / halveSignInsAfter
		n.Since = now.Add(-(elapsed % halveSignInsAfter))
	}
	if n.Cleared != cleared {
		n.Failed, n.BlockedUntil = 0, time.Time{}
	}
	n.Cleared = cleared
}

// fail counts an attempt as a failure.
func (n *SignInCount) fail(now time.Time, limit signInLimit) {
	if n.Failed == 0 {
		n.Since = now
	}
	n.Failed++
	if over := n.Failed - limit.free; over >= 0 {
		n.BlockedUntil = now.Add(min(limit.maxWait, firstSignInWait<<min(over, 10)))
	}
	n.Expires = now.Add(keepSignInCount)
}
