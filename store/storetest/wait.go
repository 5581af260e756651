package storetest

import (
	"testing"
	"time"
)

// waitLimit limits how long a test waits for work in the background. It is long enough
// for a slow machine.
const waitLimit = 5 * time.Minute

// WaitFor waits until done returns true. After waitLimit, the test fails with a
// message that names what is missing.
func WaitFor(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(waitLimit); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("got no %s after %s", what, waitLimit)
		}
	}
}
