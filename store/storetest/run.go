package storetest

import (
	"os"
	"runtime/debug"
	"testing"
)

// gcPercent uses more memory to save time, as the server does. With the default,
// a sixth of the processor time of tests is garbage collection.
const gcPercent = 300

// Run runs the tests of a package with gcPercent. GOGC overrides it.
func Run(m *testing.M) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	return m.Run()
}
