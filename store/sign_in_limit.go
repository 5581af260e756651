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
	Name    string // as entered
	Network string // of the client
	Device  string // of a browser in which the user signed in before; otherwise ""
}

// signInCounter is a counter of an attempt.
type signInCounter struct {
	limit     signInLimit
	count     *SignInCount
	reset     bool // by a successful sign-in; otherwise only the attempt is removed
	clearable bool // by clearSignInCounts
}

// counters returns the counters of an attempt. The attempts of a known device count
// only for that device, so that failures elsewhere never block it.
func (a SignInAttempt) counters() []signInCounter {
	count := func(parts ...string) *SignInCount {
		text := ""
		for _, part := range parts {
			text += "\x00" + part
		}
		return &SignInCount{Counter: hashID(text)}
	}
	name := userName(a.Name)
	if a.Device != "" {
		return []signInCounter{{limit: limitOfDevice, count: count("device", name, a.Device), reset: true, clearable: true}}
	}
	return []signInCounter{
		{limit: limitOfPair, count: count("pair", name, a.Network), reset: true, clearable: true},
		{limit: limitOfNetwork, count: count("network", a.Network)},
		{limit: limitOfName, count: &SignInCount{Counter: nameCounter(name)}, clearable: true},
	}
}

// nameCounter returns the counter of a user name from all networks.
func nameCounter(name string) string { return hashID("\x00name\x00" + name) }

// AttemptSignIn counts an attempt to sign in and returns 0, or how long to wait
// before the next attempt. Call it before checking the password, so that parallel
// attempts are counted too.
func (s *Store) AttemptSignIn(ctx context.Context, a SignInAttempt) (wait time.Duration, err error) {
	err = s.changeSignInCounts(ctx, a, func(counters []signInCounter, now time.Time) bool {
		wait = 0
		for _, c := range counters {
			wait = max(wait, c.count.BlockedUntil.Sub(now))
		}
		if wait > 0 {
			return false
		}
		for _, c := range counters {
			c.count.fail(now, c.limit)
		}
		return true
	})
	return wait, err
}

// SignInSucceeded removes the attempt from the counts. It resets the counts of the
// user in the network or device, but not of the network or of the user name.
// Otherwise a user could guess the passwords of others without limit.
func (s *Store) SignInSucceeded(ctx context.Context, a SignInAttempt) error {
	return s.removeSignIn(ctx, a, true)
}

// WithdrawSignIn removes an attempt from the counts, because it was not a wrong
// password. Earlier failures still count.
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

// changeSignInCounts reads the counters of an attempt and saves them if change
// returns true. A server changes the counts of a network one after the other, because
// parallel attempts would otherwise conflict and repeat each other's work. Attempts of
// known devices do not wait for others.
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

// readSignInCounts reads the counters, without failures that were forgotten or
// cleared. It always reads the counter of the user name, which knows when the
// counts were cleared.
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

// saveSignInCount writes a counter on condition that it has not changed.
func (c *change) saveSignInCount(n *SignInCount) {
	n.Version++
	if n.Version == 1 {
		c.Create(n)
		return
	}
	c.Replace(n, n.Version-1)
}

// clearSignInCounts clears the counts of a user name, in every network and device.
func (c *change) clearSignInCounts(name string) {
	n := &SignInCount{Counter: nameCounter(name)}
	expires := strconv.FormatInt(c.store.now().Add(keepSignInCount).Unix(), 10)
	c.Add(n, table.Addition{
		Set:    Item{table.AttrType: table.StringValue(n.EntityType()), table.AttrTTL: table.NumberValue(expires)},
		Counts: map[string]int{"Cleared": 1},
	})
}
