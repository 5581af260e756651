package exchange

import "runtime/debug"

// Settings of the garbage collector during an import. An import allocates much memory
// for a short time, so the heap may grow by gcPercent before memory is freed. Above
// memoryLimit, in bytes and without the store's file, memory is freed more often.
const (
	gcPercent   = 400
	memoryLimit = 224 << 20
)

// LimitMemory sets the garbage collector for an import, and returns a function that
// restores it. The environment variables GOGC and GOMEMLIMIT override the settings.
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
