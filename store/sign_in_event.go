package store

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"time"

	"stockroom/store/key"
)

// Events count failed sign-ins: one event per hour, user name and network. Each hour
// has a limited number of these events, called slots, so that an attacker cannot fill
// the table. A hash determines the slot of a failure, and clients cannot compute the
// hash (see eventKey). If another user name or network has taken the slot, the
// failure counts in a slot of its network. If that slot is also taken, it counts in
// the last slot. The slot does not depend on whether the user exists, because otherwise
// the response time would reveal which users exist.
const (
	slotsOfPairs    = 48
	slotsOfNetworks = 16
	lastSlot        = slotsOfPairs + slotsOfNetworks
)

// failedSignIns is the prefix of the partition key of these events. The UTC day
// follows.
const failedSignIns = "failedSignIns#"

// UnknownUser replaces the user name of a failed sign-in if there is no such user.
// The entered name is not recorded, because it may be a password.
const UnknownUser = "unknown user"

// SignInFailed counts a failed attempt to sign in, in an event of this hour. It
// returns the name in the event: that of the user, or UnknownUser. wait is the time
// before the next attempt; see AttemptSignIn.
func (s *Store) SignInFailed(ctx context.Context, a SignInAttempt, wait time.Duration) (name string, err error) {
	name, err = s.attemptedName(ctx, a)
	if err != nil {
		return "", err
	}
	return name, s.countAttempt(ctx, a, name, wait)
}

func (s *Store) attemptedName(ctx context.Context, a SignInAttempt) (string, error) {
	user, err := readConsistently[*User](ctx, s, getUser, key.Map{"user": userName(a.Name)})
	switch {
	case err == nil:
		return user.Name, nil
	case userName(a.Name) == "" || KindOf(err) == NotFound:
		return UnknownUser, nil
	}
	return "", err
}

// countAttempt counts a failure in the event of its slot. The slot and the condition of the
// write depend on the entered name. If they depended on the name in the event, all unknown
// users would share one event, and slower responses would reveal that a user does not
// exist. The slot also depends on the hour, so that two names do not share a slot all day.
func (s *Store) countAttempt(ctx context.Context, a SignInAttempt, name string, wait time.Duration) error {
	e := Event{What: EventSignInFailed, When: s.now(), By: name, Address: a.Network}
	hour := e.When.Truncate(time.Hour).UTC().Format(time.RFC3339)
	if a.Token {
		e.What = EventAccessTokenRefused
	}
	if wait > 0 {
		if !a.Token {
			e.What = EventSignInBlocked
		}
		e.Why = fmt.Sprintf("Next attempt after %s", waitText(wait))
	}
	hash := s.eventKey.hash(hour, string(e.What), userName(a.Name), e.Address)
	e.Attempt = hex.EncodeToString(hash)
	err := s.countFailure(ctx, e, slotOf(slotsOfPairs, hash))
	if KindOf(err) != Conflict {
		return err
	}
	e.By, e.Why, e.Attempt = Program, "Several user names.", ""
	err = s.countFailure(ctx, e, slotsOfPairs+slotOf(slotsOfNetworks, s.eventKey.hash(hour, string(e.What), e.Address)))
	if KindOf(err) != Conflict {
		return err
	}
	e.What, e.Address, e.Why = EventSignInFailed, "", "Several user names and networks."
	return s.countFailure(ctx, e, lastSlot)
}

func waitText(wait time.Duration) string {
	if wait < 2*time.Minute {
		return fmt.Sprintf("%d s", int(wait.Seconds()))
	}
	return fmt.Sprintf("%d min", int(wait.Minutes()))
}

func slotOf(slots int, hash []byte) int {
	return int(binary.BigEndian.Uint64(hash) % uint64(slots))
}

// countFailure adds an attempt to the event of a slot and the current hour. It returns
// Conflict if another user name or network already uses that event.
func (s *Store) countFailure(ctx context.Context, e Event, slot int) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	e.ID = hourID(e.When, []byte{byte(slot)})
	e.Partition = failedSignIns + e.When.UTC().Format(key.Day)
	c.describeAccess(&e)
	c.Merge(&e, []string{"What", "By", "Address", "Attempt"}, map[string]int{"Attempts": 1})
	return c.Commit(ctx)
}
