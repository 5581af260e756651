package storetest

import (
	"os"
	"runtime/debug"
	"testing"
)

// gcPercent makes the garbage collector use more memory and less time, as in the
// server. With the default, tests spend a sixth of their CPU time on garbage
// collection.
const gcPercent = 300

// Run runs the tests of a package with gcPercent. The environment variable GOGC
// overrides it.
func Run(m *testing.M) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	return m.Run()
}
