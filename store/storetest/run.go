package storetest

import (
	"os"
	"runtime/debug"
	"testing"
)

// gcPercent makes the garbage collector use more memory and less time, as in the
// server. With Go's default, tests spend a sixth of their CPU time on garbage
// collection.
const gcPercent = 300

// Run runs the tests of a package with gcPercent, unless the environment variable
// GOGC is set.
func Run(m *testing.M) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	return m.Run()
}
