package store

import (
	"context"
	"hash/crc32"
	"strconv"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// SignInAttempt is an attempt to sign in.
type SignInAttempt struct {
	Name     string // user name as entered
	Network  string // network of the client
	Device   string // identifies a browser in which the user has signed in before; "" for other browsers
	Code     bool   // the user enters a code after the right password
	Token    bool   // a program sent an invalid access token; only the network has a counter
	Provider bool   // the identity provider's answer was refused; only the network has a counter
	Link     bool   // somebody asks for an emailed link for a new password
}

// signInCounter is one of the counters of an attempt.
type signInCounter struct {
	limit     signInLimit
	count     *SignInCount
	reset     bool // a successful sign-in sets the count to 0 instead of subtracting this attempt
	clearable bool // clearSignInCounts sets the count to 0
}

// counters returns the counters that an attempt increments. An attempt from a known
// device increments only the counters of this device. Failures elsewhere therefore
// never block the device.
func (a SignInAttempt) counters() []signInCounter {
	count := func(parts ...string) *SignInCount {
		text := ""
		for _, part := range parts {
			text += "\x00" + part
		}
		return &SignInCount{Counter: hashID(text)}
	}
	switch {
	case a.Token:
		return []signInCounter{{limit: limitOfNetwork, count: count("token", a.Network)}}
	case a.Provider:
		return []signInCounter{{limit: limitOfNetwork, count: count("provider", a.Network)}}
	}
	name := userName(a.Name)
	if a.Link {
		return []signInCounter{
			{limit: limitOfPair, count: count("link", name, a.Network), clearable: true},
			{limit: limitOfNetwork, count: count("link", a.Network)},
			{limit: limitOfLinks, count: count("link of name", name), clearable: true},
		}
	}
	counters := []signInCounter{
		{limit: limitOfPair, count: count("pair", name, a.Network), reset: true, clearable: true},
		{limit: limitOfNetwork, count: count("network", a.Network)},
		{limit: limitOfName, count: &SignInCount{Counter: nameCounter(name)}, clearable: true},
	}
	if a.Device != "" {
		counters = []signInCounter{{limit: limitOfDevice, count: count("device", name, a.Device), reset: true, clearable: true}}
	}
	if a.Code {
		// Not clearable: otherwise, an attacker who knows the password could change it to
		// reset the count, and guess codes without limit.
		counters = append(counters, signInCounter{limit: limitOfCodes, count: count("code", name, a.Device)})
	}
	return counters
}

// nameCounter returns SignInCount.Counter for a user name over all networks.
func nameCounter(name string) string { return hashID("\x00name\x00" + name) }

// SignInWait says how long a user must wait before this attempt to sign in, and before the
// next one.
type SignInWait struct {
	Now  time.Duration // wait before this attempt; 0 if the attempt is allowed
	Next time.Duration // wait before the next attempt, if this attempt fails
}

// AttemptSignIn counts an attempt to sign in, unless the attempt has to wait. Call it
// before checking the password, so that parallel attempts also count. Afterwards call
// SignInSucceeded, SignInFailed or WithdrawSignIn.
func (s *Store) AttemptSignIn(ctx context.Context, a SignInAttempt) (wait SignInWait, err error) {
	err = s.changeSignInCounts(ctx, a, func(counters []signInCounter, now time.Time) bool {
		longest := func() (longest time.Duration) {
			for _, c := range counters {
				longest = max(longest, c.count.BlockedUntil.Sub(now))
			}
			return longest
		}
		if wait = (SignInWait{Now: longest()}); wait.Now > 0 {
			return false
		}
		for _, c := range counters {
			c.count.fail(now, c.limit)
		}
		wait.Next = longest()
		return true
	})
	return wait, err
}

// SignInSucceeded removes an attempt with the right password from the counters. It
// resets only the counter of this user name on this network or device. It does not
// reset the counter of the network: otherwise, users could sign in as themselves to
// reset it, and guess the passwords of others without limit.
func (s *Store) SignInSucceeded(ctx context.Context, a SignInAttempt) error {
	return s.removeSignIn(ctx, a, true)
}

// WithdrawSignIn removes an attempt from the counters, because it failed for a reason
// other than a wrong password. Earlier failures still count.
func (s *Store) WithdrawSignIn(ctx context.Context, a SignInAttempt) error {
	return s.removeSignIn(ctx, a, false)
}

func (s *Store) removeSignIn(ctx context.Context, a SignInAttempt, succeeded bool) error {
	return s.changeSignInCounts(ctx, a, func(counters []signInCounter, _ time.Time) bool {
		for _, c := range counters {
			c.count.BlockedUntil = time.Time{}
			c.count.Failed = max(0, c.count.Failed-1)
			if succeeded && c.reset {
				c.count.Failed = 0
			}
		}
		return true
	})
}

// changeSignInCounts reads the counters of an attempt, and saves them if change
// returns true. A server makes the changes for one network one after the other,
// because concurrent changes would conflict. Attempts from known devices do not wait
// for each other.
func (s *Store) changeSignInCounts(ctx context.Context, a SignInAttempt, change func(counters []signInCounter, now time.Time) bool) error {
	attempt := func() error {
		counters := a.counters()
		now := s.now()
		if err := s.readSignInCounts(ctx, userName(a.Name), counters, now); err != nil {
			return err
		}
		if !change(counters, now) {
			return nil
		}
		c, err := s.change(ctx)
		if err != nil {
			return err
		}
		for _, counter := range counters {
			c.saveSignInCount(counter.count)
		}
		return c.Commit(ctx)
	}
	if a.Device == "" {
		lock := s.counting[crc32.ChecksumIEEE([]byte(a.Network))%countingLocks]
		select {
		case lock <- struct{}{}:
			defer func() { <-lock }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return retryOnConflict(ctx, attempt)
}

// readSignInCounts reads the counters, and halves or clears them if necessary. It always
// reads the counter of the user name, which stores how often the counts were cleared.
func (s *Store) readSignInCounts(ctx context.Context, name string, counters []signInCounter, now time.Time) error {
	values := []key.Map{{"counter": nameCounter(name)}}
	for _, c := range counters {
		if c.count.Counter != nameCounter(name) {
			values = append(values, key.Map{"counter": c.count.Counter})
		}
	}
	items, err := s.table.GetMany(ctx, getSignInCount, values, true)
	if err != nil {
		return err
	}
	stored := map[string]*SignInCount{}
	for _, item := range items {
		count := &SignInCount{}
		if item == nil {
			continue
		}
		if err := decodeAs(item, count); err != nil {
			return err
		}
		stored[count.Counter] = count
	}
	cleared := 0
	if n := stored[nameCounter(name)]; n != nil {
		cleared = n.Cleared
	}
	for _, c := range counters {
		if n := stored[c.count.Counter]; n != nil {
			*c.count = *n
		}
		if c.clearable {
			c.count.forget(now, cleared)
		} else {
			c.count.forget(now, 0)
		}
	}
	return nil
}

// saveSignInCount adds a write of a counter, on the condition that the counter has
// not changed.
func (c *change) saveSignInCount(n *SignInCount) {
	n.Version++
	if n.Version == 1 {
		c.Create(n)
		return
	}
	c.Replace(n, n.Version-1)
}

// clearSignInCounts clears the counts of a user name, for all networks and devices.
func (c *change) clearSignInCounts(name string) {
	n := &SignInCount{Counter: nameCounter(name)}
	expires := strconv.FormatInt(c.store.now().Add(keepSignInCount).Unix(), 10)
	c.Add(n, table.Addition{
		Set:    Item{table.AttrType: table.StringValue(n.EntityType()), table.AttrTTL: table.NumberValue(expires), "Failed": table.NumberValue("0")},
		Remove: []string{"BlockedUntil"},
		Counts: map[string]int{"Cleared": 1},
	})
}
