package storetest_test

import (
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/storetest"
)

// eventsOfFailures returns all events. In these tests, most of them are events of failed
// sign-ins.
func eventsOfFailures(t *testing.T, s *store.Store) []store.Event {
	t.Helper()
	auditor := s.As(&store.User{Name: "ada", Role: store.Auditor})
	var all []store.Event
	for e, err := range store.Each(func(p store.Page) (store.List[store.Event], error) {
		return auditor.Events(t.Context(), store.EventFilter{}, p)
	}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// TestSignInFailed_BoundsEvents makes 2,000 failed sign-ins in an hour, each with
// another user name and network. A few events must count all of them.
func TestSignInFailed_BoundsEvents(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	const attempts = 2_000
	var guesses errgroup.Group
	guesses.SetLimit(32)
	for i := range attempts {
		guesses.Go(func() error {
			name, network := fmt.Sprint("user", i), fmt.Sprintf("10.%d.%d.%d", i%7, i/250, i%250)
			_, err := s.SignInFailed(t.Context(), store.SignInAttempt{Name: name, Network: network}, time.Duration(i%2)*time.Minute)
			return err
		})
	}
	if err := guesses.Wait(); err != nil {
		t.Fatal(err)
	}
	events, counted := eventsOfFailures(t, s), 0
	for _, e := range events {
		counted += max(1, e.Attempts)
		if e.Expires.Before(clock.Now().AddDate(0, 1, 0)) {
			t.Errorf("got an event that expires %v, want one that is kept for longer", e.Expires)
		}
	}
	if len(events) > 65 || counted != attempts {
		t.Errorf("got %d events that count %d failures, want at most 65 that count %d", len(events), counted, attempts)
	}
	clock.Advance(time.Hour)
	if _, err := s.SignInFailed(t.Context(), store.SignInAttempt{Name: "kim", Network: "10.0.0.1"}, 0); err != nil {
		t.Fatal(err)
	}
	if later := eventsOfFailures(t, s); len(later) != len(events)+1 || later[0].By != store.UnknownUser {
		t.Errorf("an hour later: got %d events, the latest by %s, want one more, by an unknown user", len(later), later[0].By)
	}
}

// TestSignInFailed_ShowsOnlyKnownNames checks that the history shows the names of users,
// but no other text that was entered, because it may be a password.
func TestSignInFailed_ShowsOnlyKnownNames(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	if err := s.AddUser(t.Context(), store.User{Name: "kim", Role: store.Viewer}, password, "test"); err != nil {
		t.Fatal(err)
	}
	for entered, want := range map[string]string{
		" Kim ": "kim", "": store.UnknownUser, "Hunter2-Summer2026": store.UnknownUser, "my secret": store.UnknownUser, "a\nlevel=ERROR": store.UnknownUser,
	} {
		got, err := s.SignInFailed(t.Context(), store.SignInAttempt{Name: entered, Network: "10.0.0.1"}, 0)
		if err != nil || got != want {
			t.Errorf("%q: got %q, error %v, want %q", entered, got, err, want)
		}
	}
	for _, e := range eventsOfFailures(t, s) {
		if text := strings.ToLower(fmt.Sprintf("%+v", e)); e.What == store.EventSignInFailed && (strings.Contains(text, "hunter2") || strings.Contains(text, "secret")) {
			t.Errorf("got %s, want no text that was entered", text)
		}
	}
}

// TestSignInFailed_SlotsArePrivate checks that an attacker cannot hide the failed
// sign-ins of a user. Each hour has a fixed number of events for failures, called
// slots. A slot shows no user name if several names share it. Each hour, the test
// makes two failed sign-ins: first with a name that would share the user's slot if a
// public FNV hash chose the slot, then with the user's name. Most events must show
// the user's name. By chance, the two names still share a slot in about one of 48
// hours.
func TestSignInFailed_SlotsArePrivate(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	if err := s.AddUser(t.Context(), store.User{Name: "boss", Role: store.Viewer}, password, "test"); err != nil {
		t.Fatal(err)
	}
	slotOf := func(name, network string) uint32 {
		h := fnv.New32a()
		_, _ = h.Write([]byte(string(store.EventSignInFailed) + "\x00" + name + "\x00" + network))
		return h.Sum32() % 48
	}
	name := ""
	for i := 0; name == "" || slotOf(name, "192.0.2.1") != slotOf("boss", "198.51.100.1"); i++ {
		name = fmt.Sprint("filler", i)
	}
	const hours = 24
	for range hours {
		for _, a := range []store.SignInAttempt{{Name: name, Network: "192.0.2.1"}, {Name: "boss", Network: "198.51.100.1"}} {
			if _, err := s.SignInFailed(t.Context(), a, 0); err != nil {
				t.Fatal(err)
			}
		}
		clock.Advance(time.Hour)
	}
	named := 0
	for _, e := range eventsOfFailures(t, s) {
		if e.By == "boss" && e.What == store.EventSignInFailed {
			named++
		}
	}
	if named < hours/2 {
		t.Errorf("got %d of %d events with the name, want most of them", named, hours)
	}
}
