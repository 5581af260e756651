package store

import (
	"time"

	"stockroom/store/table"
)

// SignInCount is a counter of failed sign-ins, for example with one user name from
// one network. Failed halves every hour. Time to Live later deletes the item.
type SignInCount struct {
	Counter      string // hash of the counter's name, because users can enter names of any length
	Failed       int
	BlockedUntil time.Time
	Since        time.Time // time of the first failure, or of the last halving
	Cleared      int       // how often the counts of the user name had been cleared when this item was saved
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

// signInLimit is the limit for one kind of counter. The first attempts (free) need no
// wait. If all of them fail, the next attempt must wait. Each further failure doubles
// the wait.
type signInLimit struct {
	free    int
	maxWait time.Duration
}

// The limits. Guesses from one network reach the limits of that network first. A network
// has more free attempts than a user name in a network, because all users of an office can
// share an address. The limit of a user name over all networks slows down guessing from
// many networks. Its waits are short, because they also affect the real user. See
// https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#login-throttling
var (
	limitOfPair    = signInLimit{free: 5, maxWait: 15 * time.Minute} // a user name from one network
	limitOfDevice  = signInLimit{free: 5, maxWait: 15 * time.Minute} // a user name in a browser in which the user has signed in before
	limitOfNetwork = signInLimit{free: 50, maxWait: 15 * time.Minute}
	limitOfName    = signInLimit{free: 100, maxWait: time.Minute}
	limitOfLinks   = signInLimit{free: 10, maxWait: time.Hour}        // emailed links of a user over all networks; each attempt sends an email
	limitOfCodes   = signInLimit{free: 20, maxWait: 15 * time.Minute} // codes of a user on one known device, or over all networks and other devices; short codes are easy to guess
)

const (
	firstSignInWait   = 10 * time.Second
	halveSignInsAfter = time.Hour
	keepSignInCount   = 8 * time.Hour // until even the maximum number of failures has halved to 0
)

// forget halves the failures once for each hour after Since. New failures do not delay
// this, because otherwise the failures of a busy network would add up over days. If the
// counts of the user name have been cleared since, forget sets the failures to 0.
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

// fail counts an attempt as a failure and sets the wait for the next attempt.
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
