package storetest

import "testing"

// Cleanup is like t.Cleanup, but frees the memory that f refers to when f has run. Package
// testing keeps the functions of finished parallel tests until the last of these tests ends,
// and with them all servers and stores that they close.
func Cleanup(t testing.TB, f func()) {
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		run := f
		f = nil
		run()
	})
}
