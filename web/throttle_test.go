package web

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store/storetest"
)

func TestAttemptSignIn_Throttles(t *testing.T) {
	clock := storetest.NewClock()
	tools := &Tools{limiter: newLimiter(clock.Now)}
	attempt := func(user, address string, want time.Duration) {
		t.Helper()
		if wait := tools.AttemptSignIn(user, address); wait != want {
			t.Errorf("%s from %s: got wait %v, want %v", user, address, wait, want)
		}
	}
	for range freePerUser {
		attempt("kim", "10.0.0.1", 0)
	}
	attempt("kim", "10.0.0.2", firstWait)
	attempt("other", "10.0.0.1", 0)
	clock.Advance(firstWait)
	attempt("kim", "10.0.0.2", 0)
	attempt("kim", "10.0.0.2", 2*firstWait)
	for range 20 {
		clock.Advance(maxWait)
		attempt("kim", "10.0.0.2", 0)
	}
	attempt("kim", "10.0.0.9", maxWait)

	tools.SignInSucceeded("kim", "10.0.0.2")
	attempt("kim", "10.0.0.9", 0)

	for i := range freePerNetwork {
		attempt(fmt.Sprint(i), "10.0.0.3", 0)
	}
	attempt("somebody", "10.0.0.3", firstWait)
	attempt("somebody", "10.0.0.4", 0)

	for i := range freePerNetwork {
		attempt(fmt.Sprint("v6 ", i), fmt.Sprintf("2001:db8::%x", i), 0)
	}
	attempt("somebody", "2001:db8::ffff:ffff", firstWait)
	attempt("somebody", "2001:db8:0:1::1", 0)

	for i := range 2 * maxTracked {
		tools.AttemptSignIn(fmt.Sprint(i), fmt.Sprint(i))
	}
	if n := len(tools.limiter.attempts); n > maxTracked+1 {
		t.Errorf("got %d users and networks, want at most %d", n, maxTracked+1)
	}
}

func TestAttemptSignIn_CountsParallelAttempts(t *testing.T) {
	tools := &Tools{limiter: newLimiter(storetest.NewClock().Now)}
	var allowed atomic.Int64
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			if tools.AttemptSignIn("kim", "10.0.0.1") == 0 {
				allowed.Add(1)
			}
		})
	}
	all.Wait()
	if n := allowed.Load(); n != freePerUser {
		t.Errorf("got %d parallel attempts through, want %d", n, freePerUser)
	}
}
