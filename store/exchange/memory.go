package exchange

import "runtime/debug"

// Settings of the garbage collector during an import. An import allocates much memory that
// it needs only for a short time. The heap may therefore grow by gcPercent between two
// collections, until it reaches memoryLimit. memoryLimit is in bytes, and does not include
// the mapped file of the store.
const (
	gcPercent   = 400
	memoryLimit = 184 << 20
)

// LimitMemory configures the garbage collector for an import, and returns a function
// that restores the previous settings. The environment variables GOGC and GOMEMLIMIT
// override these settings.
func LimitMemory(env func(string) string) (restore func()) {
	debug.FreeOSMemory()
	percent, limit := debug.SetGCPercent(gcPercent), debug.SetMemoryLimit(memoryLimit)
	restore = func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
	if env("GOGC") != "" {
		debug.SetGCPercent(percent)
	}
	if env("GOMEMLIMIT") != "" {
		debug.SetMemoryLimit(limit)
	}
	return restore
}
