package exchange

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Settings of the garbage collector during an import. An import allocates much memory that
// it needs only for a short time. The heap may therefore grow by gcPercent between two
// collections, until it reaches a limit. A server already has this percentage. Sizes are in
// bytes, and do not include the mapped file of the store.
//
// The limit is memoryLimit if at most smallHeap is in use before the import, for example on
// the command line. A server or a NoSQL Workbench model can use more. For each byte above
// smallHeap, the limit is two bytes higher: one for this byte, and one for memory that the
// import allocates before the next collection. With a fixed limit, the garbage collector
// would then run almost all the time.
const (
	gcPercent   = 400
	memoryLimit = 184 << 20
	smallHeap   = 16 << 20
)

// limited contains the number of calls of LimitMemory whose settings are not restored yet,
// and the settings before the first of them.
var limited struct {
	sync.Mutex
	calls   int
	percent int
	limit   int64
}

// LimitMemory configures the garbage collector for an import, and returns a function that
// restores the previous settings. The limit depends on the memory in use, so call
// LimitMemory after Open. A server also calls it before Open, because it would otherwise
// need several times the memory of a model to read it. If calls overlap, each can raise the
// limit, and the last function restores the settings before the first call. The environment
// variables GOGC and GOMEMLIMIT override these settings.
func LimitMemory(env func(string) string) (restore func()) {
	limited.Lock()
	defer limited.Unlock()
	debug.FreeOSMemory()
	limit := limitNow()
	if limited.calls++; limited.calls == 1 {
		limited.percent, limited.limit = debug.SetGCPercent(gcPercent), debug.SetMemoryLimit(limit)
	} else {
		debug.SetMemoryLimit(max(limit, debug.SetMemoryLimit(-1)))
	}
	if env("GOGC") != "" {
		debug.SetGCPercent(limited.percent)
	}
	if env("GOMEMLIMIT") != "" {
		debug.SetMemoryLimit(limited.limit)
	}
	return restoreMemory
}

func restoreMemory() {
	limited.Lock()
	defer limited.Unlock()
	if limited.calls--; limited.calls == 0 {
		debug.SetGCPercent(limited.percent)
		debug.SetMemoryLimit(limited.limit)
	}
}

// limitNow computes the memory limit from the size of the heap that is now in use.
func limitNow() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return memoryLimit + 2*max(0, int64(m.HeapAlloc)-smallHeap)
}
