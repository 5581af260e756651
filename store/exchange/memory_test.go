package exchange_test

import (
	"runtime"
	"runtime/debug"
	"testing"

	"stockroom/store/exchange"
)

func unset(string) string { return "" }

// memorySettings returns the settings of the garbage collector.
func memorySettings() (percent int, limit int64) {
	percent = debug.SetGCPercent(100)
	debug.SetGCPercent(percent)
	return percent, debug.SetMemoryLimit(-1)
}

// TestLimitMemory_GrowsWithMemoryInUse checks that an import has memory to allocate,
// however much memory is in use before it.
func TestLimitMemory_GrowsWithMemoryInUse(t *testing.T) {
	defer exchange.LimitMemory(unset)()
	_, small := memorySettings()
	const size = 128 << 20
	used := make([]byte, size)
	defer exchange.LimitMemory(unset)()
	_, large := memorySettings()
	runtime.KeepAlive(used)
	if large < small+size {
		t.Errorf("got a limit of %d MB, and %d MB with %d MB more in use", small>>20, large>>20, size>>20)
	}
}

// TestLimitMemory_RestoredByLast ends two imports in the order in which they began. Only
// the end of the second import must restore the settings.
func TestLimitMemory_RestoredByLast(t *testing.T) {
	percent, limit := memorySettings()
	first, second := exchange.LimitMemory(unset), exchange.LimitMemory(unset)
	first()
	if _, during := memorySettings(); during == limit {
		t.Error("the end of the first import restored the limit")
	}
	second()
	if gotPercent, gotLimit := memorySettings(); gotPercent != percent || gotLimit != limit {
		t.Errorf("got %d %%, %d bytes, want %d %%, %d bytes", gotPercent, gotLimit, percent, limit)
	}
}
