package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"stockroom/store/key"
)

// Failed sign-ins are counted in events: one per hour, user name and network. The
// number of events per hour is limited, so that an attacker cannot fill the table.
// Each event has a slot. If the slot is taken by another name or network, the failure
// counts in a slot of its network, and if that is taken too, in the last slot. Clients
// cannot know the slots (see eventKey). The events do not depend on which users exist,
// so that the time of a response does not reveal it.
const (
	slotsOfPairs    = 48
	slotsOfNetworks = 16
	lastSlot        = slotsOfPairs + slotsOfNetworks
)

// failedSignIns begins the partition key of the events of a UTC day.
const failedSignIns = "failedSignIns#"

// maxNameShown is the length of the longest user name that the history and the log
// show, in bytes.
const maxNameShown = 64

// AttemptedName returns the user name of an attempt to sign in, for the history and the
// log. It returns "" for a text that cannot be the name of a new user, because users
// sometimes enter a password there.
func AttemptedName(entered string) string {
	name := userName(entered)
	if name == "" || len(name) > maxNameShown || checkNewName(name) != nil {
		return ""
	}
	return name
}

// SignInFailed counts a failed attempt to sign in, in an event of this hour. wait is
// the time before the next attempt; see AttemptSignIn.
func (s *Store) SignInFailed(ctx context.Context, a SignInAttempt, wait time.Duration) error {
	e := Event{What: EventSignInFailed, By: AttemptedName(a.Name), Address: a.Network}
	if e.By == "" {
		e.By, e.Why = Program, "What was entered is not a user name."
	}
	if wait > 0 {
		e.What, e.Why = EventSignInBlocked, fmt.Sprintf("Next attempt after %s", waitText(wait))
	}
	err := s.countFailure(ctx, e, s.slotOf(slotsOfPairs, string(e.What), e.By, e.Address))
	if KindOf(err) != Conflict {
		return err
	}
	e.By, e.Why = Program, "Other user names."
	err = s.countFailure(ctx, e, slotsOfPairs+s.slotOf(slotsOfNetworks, string(e.What), e.Address))
	if KindOf(err) != Conflict {
		return err
	}
	e.What, e.Address, e.Why = EventSignInFailed, "", "Other user names and networks."
	return s.countFailure(ctx, e, lastSlot)
}

// waitText returns a time in seconds or minutes.
func waitText(wait time.Duration) string {
	if wait < 2*time.Minute {
		return fmt.Sprintf("%d s", int(wait.Seconds()))
	}
	return fmt.Sprintf("%d min", int(wait.Minutes()))
}

// slotOf chooses one of the slots.
func (s *Store) slotOf(slots int, parts ...string) int {
	return int(binary.BigEndian.Uint64(s.eventKey.hash(parts...)) % uint64(slots))
}

// countFailure adds an attempt to the event of a slot in this hour. It returns Conflict
// if the slot is taken.
func (s *Store) countFailure(ctx context.Context, e Event, slot int) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	e.When = s.now()
	e.ID = hourID(e.When, []byte{byte(slot)})
	e.Partition = failedSignIns + e.When.UTC().Format(key.Day)
	c.describeAccess(&e)
	c.Merge(&e, []string{"What", "By", "Address"}, map[string]int{"Attempts": 1})
	return c.Commit(ctx)
}
