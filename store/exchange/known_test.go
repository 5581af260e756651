package exchange

import (
	"runtime"
	"strconv"
	"testing"
)

// TestKnown_BoundsMemory records half a million entities, such as the customers of a large
// import. Most of them must not be in memory.
func TestKnown_BoundsMemory(t *testing.T) {
	const count, limit = 500_000, 12 << 20
	k := NewKnown()
	k.folder = t.TempDir()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for n := range count {
		if err := k.add(kindCustomer, strconv.Itoa(n)); err != nil {
			t.Fatal(err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > limit {
		t.Errorf("the heap grew by %d MB, want at most %d", grown>>20, limit>>20)
	}
	for n := 0; n <= count; n += count / 100 {
		if known, err := k.has(kindCustomer, strconv.Itoa(n)); err != nil || known != (n < count) {
			t.Errorf("customer %d: got known %t, error %v; want %t", n, known, err, n < count)
		}
	}
	if err := k.Close(); err != nil {
		t.Error(err)
	}
}
