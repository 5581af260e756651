package storetest_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// attempts returns a function that makes an attempt to sign in and checks the wait
// that follows.
func attempts(t *testing.T, s *store.Store) func(a store.SignInAttempt, want time.Duration) {
	return func(a store.SignInAttempt, want time.Duration) {
		t.Helper()
		if wait, err := s.AttemptSignIn(t.Context(), a); err != nil || wait.Now != want {
			t.Errorf("%+v: got wait %v, error %v, want %v", a, wait.Now, err, want)
		}
	}
}

func TestAttemptSignIn_LimitsNameInNetwork(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	attempt := attempts(t, s)
	here := store.SignInAttempt{Name: "kim", Network: "10.0.0.1"}
	for _, name := range []string{"kim", "Kim", "KIM", " kim", "kIm "} {
		attempt(store.SignInAttempt{Name: name, Network: "10.0.0.1"}, 0)
	}
	attempt(here, 10*time.Second)
	attempt(store.SignInAttempt{Name: "other", Network: "10.0.0.1"}, 0)
	attempt(store.SignInAttempt{Name: "kim", Network: "10.0.0.2"}, 0)
	clock.Advance(10 * time.Second)
	attempt(here, 0)
	attempt(here, 20*time.Second)
	for wait := 20 * time.Second; wait < 15*time.Minute; {
		clock.Advance(wait)
		attempt(here, 0)
		wait = min(2*wait, 15*time.Minute)
		attempt(here, wait)
	}
	if err := s.SignInSucceeded(t.Context(), here); err != nil {
		t.Fatal(err)
	}
	attempt(here, 0)
	for range 5 {
		_, _ = s.AttemptSignIn(t.Context(), here)
	}
	clock.Advance(time.Hour)
	for range 3 {
		attempt(here, 0) // an hour later, 2 of the 5 failures still count
	}
	attempt(here, 10*time.Second)
	clock.Advance(3 * time.Hour)
	for range 5 {
		attempt(here, 0) // still later, no failure counts
	}
}

func TestAttemptSignIn_LimitsNetwork(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	attempt := attempts(t, s)
	for i := range 50 {
		attempt(store.SignInAttempt{Name: fmt.Sprint("user", i), Network: "10.0.0.3"}, 0)
	}
	attempt(store.SignInAttempt{Name: "somebody", Network: "10.0.0.3"}, 10*time.Second)
	attempt(store.SignInAttempt{Name: "somebody", Network: "10.0.0.4"}, 0)
	attempt(store.SignInAttempt{Name: "somebody", Network: "10.0.0.3", Device: "d1"}, 0)
}

// TestAttemptSignIn_ForgetsMistakesOfBusyNetwork signs in from one network every half
// hour for a week, each time after failed attempts. The test fails if any attempt has
// to wait.
func TestAttemptSignIn_ForgetsMistakesOfBusyNetwork(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	attempt := attempts(t, s)
	for i := range 7 * 48 {
		kim := store.SignInAttempt{Name: "kim", Network: "10.0.0.3"}
		attempt(store.SignInAttempt{Name: fmt.Sprint("user", i), Network: "10.0.0.3"}, 0)
		attempt(kim, 0)
		attempt(kim, 0)
		if err := s.SignInSucceeded(t.Context(), kim); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("got a wrong wait after sign-ins for %v", time.Duration(i)*30*time.Minute)
		}
		clock.Advance(30 * time.Minute)
	}
}

// TestAttemptSignIn_SuccessDoesNotProlong signs in every 50 minutes after a network
// has used its free attempts. The network must still get free attempts back.
func TestAttemptSignIn_SuccessDoesNotProlong(t *testing.T) {
	clock := storetest.NewClock()
	s := storetest.Open(t, clock)
	attempt := attempts(t, s)
	for i := range 50 {
		attempt(store.SignInAttempt{Name: fmt.Sprint("user", i), Network: "10.0.0.3"}, 0)
	}
	clock.Advance(10 * time.Second)
	for range 8 {
		kim := store.SignInAttempt{Name: "kim", Network: "10.0.0.3"}
		attempt(kim, 0)
		if err := s.SignInSucceeded(t.Context(), kim); err != nil {
			t.Fatal(err)
		}
		clock.Advance(50 * time.Minute)
	}
	for i := range 50 {
		attempt(store.SignInAttempt{Name: fmt.Sprint("user", i), Network: "10.0.0.3"}, 0)
	}
}

// TestAttemptSignIn_NewPasswordKeepsNetwork changes the password of a user after many
// attempts from one network, for other users. This must not clear the count of the network.
func TestAttemptSignIn_NewPasswordKeepsNetwork(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	attempt := attempts(t, s)
	if err := s.AddUser(t.Context(), store.User{Name: "kim", Role: store.Viewer}, "correct horse battery", "test"); err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		attempt(store.SignInAttempt{Name: fmt.Sprint("user", i), Network: "10.0.0.3"}, 0)
	}
	if err := s.SetPassword(t.Context(), "kim", "another long one", false, "test"); err != nil {
		t.Fatal(err)
	}
	attempt(store.SignInAttempt{Name: "kim", Network: "10.0.0.3"}, 10*time.Second)
}

// TestAttemptSignIn_NewPasswordClearsName guesses passwords from a hundred networks. An
// admin then sets a password, creates a one-time password, or unlocks the user. Each of
// these must clear the count of the user name, and so must the command that unlocks a user
// who is not locked.
func TestAttemptSignIn_NewPasswordClearsName(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	attempt := attempts(t, s)
	for _, u := range []store.User{{Name: "kim", Role: store.Viewer}, {Name: "ada", Role: store.Admin}} {
		if err := s.AddUser(t.Context(), u, "correct horse battery", "test"); err != nil {
			t.Fatal(err)
		}
	}
	admin := s.As(&store.User{Name: "ada", Role: store.Admin})
	version := 1
	change := func(do func() error) func() error {
		return func() error {
			err := do()
			version++
			return err
		}
	}
	setLocked := func(locked bool) func() error {
		return change(func() error { return admin.SetLocked(t.Context(), "kim", version, locked, "") })
	}
	unlock := setLocked(false)
	for name, clearCounts := range map[string]func() error{
		"new password": change(func() error { return s.SetPassword(t.Context(), "kim", "another long one", false, "test") }),
		"one-time password": change(func() error {
			_, err := admin.ResetPassword(t.Context(), "kim", version)
			return err
		}),
		"unlocking": func() error {
			if err := setLocked(true)(); err != nil {
				return err
			}
			return unlock()
		},
		"unlocking without a lock": func() error {
			if err := s.UnlockUser(t.Context(), "kim", "test"); !errors.Is(err, store.ErrUnchanged) {
				return fmt.Errorf("got %v, want ErrUnchanged", err)
			}
			return nil
		},
	} {
		for i := range 100 {
			attempt(store.SignInAttempt{Name: "kim", Network: fmt.Sprint("10.0.0.", i)}, 0)
		}
		attempt(store.SignInAttempt{Name: "kim", Network: "10.0.1.1"}, 10*time.Second)
		if err := clearCounts(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		attempt(store.SignInAttempt{Name: "kim", Network: "10.0.1.1"}, 0)
		if err := s.WithdrawSignIn(t.Context(), store.SignInAttempt{Name: "kim", Network: "10.0.1.1"}); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatal("got a wrong wait after " + name)
		}
	}
}

// TestAttemptSignIn_LimitsName guesses a password from a hundred networks, on two
// servers. The count of the user name must limit further attempts, but not those in a
// known browser, nor one attempt a minute.
func TestAttemptSignIn_LimitsName(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	servers := []*store.Store{store.New(db, "OnlineShop", clock.Now), store.New(db, "OnlineShop", clock.Now)}
	if err := servers[0].CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		attempts(t, servers[i%2])(store.SignInAttempt{Name: "kim", Network: fmt.Sprint("10.0.0.", i)}, 0)
	}
	attempt := attempts(t, servers[0])
	attempt(store.SignInAttempt{Name: "kim", Network: "10.0.1.1"}, 10*time.Second)
	attempt(store.SignInAttempt{Name: "kim", Network: "10.0.1.1", Device: "d1"}, 0)
	for range 20 {
		clock.Advance(time.Minute)
		attempt(store.SignInAttempt{Name: "kim", Network: "10.0.1.1"}, 0)
		if err := servers[1].SignInSucceeded(t.Context(), store.SignInAttempt{Name: "kim", Network: "10.0.1.1"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAttemptSignIn_CountsParallelAttempts(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	var allowed atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			wait, err := s.AttemptSignIn(t.Context(), store.SignInAttempt{Name: "kim", Network: "10.0.0.1"})
			if err != nil {
				t.Error(err)
			}
			if wait.Now == 0 {
				allowed.Add(1)
			}
		})
	}
	all.Wait()
	if n := allowed.Load(); n != 5 {
		t.Errorf("got %d parallel attempts allowed, want 5", n)
	}
}

// TestAttemptSignIn_NewPasswordKeepsCodes enters wrong codes, and sets a new password after
// each fourth code. This must not clear the count of codes, in a known browser or elsewhere.
func TestAttemptSignIn_NewPasswordKeepsCodes(t *testing.T) {
	for _, device := range []string{"", "d1"} {
		s := storetest.Open(t, storetest.NewClock())
		if err := s.AddUser(t.Context(), store.User{Name: "kim", Role: store.Viewer}, "correct horse battery", "test"); err != nil {
			t.Fatal(err)
		}
		attempt, code := attempts(t, s), store.SignInAttempt{Name: "kim", Network: "10.0.0.1", Device: device, Code: true}
		for try := range 20 {
			attempt(code, 0)
			if try%4 == 3 {
				if err := s.SetPassword(t.Context(), "kim", fmt.Sprint("another long one ", try), false, "test"); err != nil {
					t.Fatal(err)
				}
			}
		}
		attempt(code, 10*time.Second)
		attempt(store.SignInAttempt{Name: "kim", Network: "10.0.0.1", Device: "d2", Code: true}, 0)
		if t.Failed() {
			t.Fatalf("got a wrong wait on the device %q", device)
		}
	}
}
