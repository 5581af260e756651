package storetest_test

import (
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestAuthenticate_TakesAsLongForUnknownUsers compares the shortest times of sign-ins with
// a known, a locked, an unknown and an empty name, with the hash parameters of production.
// All must take about as long as hashing a password. On a busy machine, the test makes more
// attempts.
func TestAuthenticate_TakesAsLongForUnknownUsers(t *testing.T) {
	clock := storetest.NewClock()
	s := store.New(storetest.Embedded(t, clock), "OnlineShop", clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"known", "locked"} {
		if err := s.AddUser(t.Context(), store.User{Name: name, Role: store.Viewer}, password, "test"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.LockUser(t.Context(), "locked", "test"); err != nil {
		t.Fatal(err)
	}
	fastest := map[string]time.Duration{"known": time.Hour, "locked": time.Hour, "unknown": time.Hour, "": time.Hour}
	tooFast := func() (names []string) {
		for name, took := range fastest {
			if took < fastest["known"]/2 {
				names = append(names, name)
			}
		}
		return names
	}
	for round := 0; round < 5 || round < 100 && len(tooFast()) > 0; round++ {
		for name := range fastest {
			began := time.Now()
			if _, err := s.Authenticate(t.Context(), name, "wrong password"); store.KindOf(err) != store.Forbidden {
				t.Fatalf("%q: got %v, want Forbidden", name, err)
			}
			fastest[name] = min(fastest[name], time.Since(began))
		}
	}
	for _, name := range tooFast() {
		t.Errorf("%q: got an answer after %v, want one after about %v as for a known user", name, fastest[name], fastest["known"])
	}
}
