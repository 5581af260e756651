package spill_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"stockroom/store/spill"
)

// TestMap_ReturnsLatestValues sets the same values in a Map with little memory and in a Go
// map. Both must return the same values. The digests at the end of the range fill the last
// pages, so some of their entries are in the first page.
func TestMap_ReturnsLatestValues(t *testing.T) {
	folder := t.TempDir()
	m, want := spill.NewMap(folder, 1000), map[uint64]uint64{}
	random := rand.New(rand.NewPCG(3, 4))
	digests := make([]uint64, 40_000)
	for i := range digests {
		if digests[i] = random.Uint64(); i%8 == 0 {
			digests[i] = ^uint64(i)
		}
	}
	for range 120_000 {
		digest, value := digests[random.IntN(len(digests))], random.Uint64()
		want[digest] = value
		if err := m.Set(digest, value); err != nil {
			t.Fatal(err)
		}
	}
	for i, digest := range digests {
		got, found, err := m.Get(digest)
		if value, isSet := want[digest]; err != nil || found != isSet || got != value {
			t.Fatalf("%d: got %d, %t, %v; want %d, %t", i, got, found, err, value, isSet)
		}
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v, want no files left", left, err)
	}
}

func BenchmarkMap(b *testing.B) {
	m := spill.NewMap(b.TempDir(), 1<<18)
	random := rand.New(rand.NewPCG(3, 4))
	for b.Loop() {
		digest := random.Uint64()
		if _, _, err := m.Get(digest); err != nil {
			b.Fatal(err)
		}
		if err := m.Set(digest, digest); err != nil {
			b.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		b.Fatal(err)
	}
}
