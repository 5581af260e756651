package exchange

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// TestRowSorter_SpillsToFile sorts the same rows in memory and, with little
// memory, in a temporary file, which is gone at the end.
func TestRowSorter_SpillsToFile(t *testing.T) {
	var want []string
	for i := range 1000 {
		want = append(want, fmt.Sprintf("%04d", i))
	}
	for _, limit := range []int{1 << 20, 1000, 1} {
		folder := t.TempDir()
		s := rowSorter{folder: folder, limit: limit}
		for _, i := range rand.Perm(len(want)) {
			if err := s.add([]sortedRow{{key: want[i], text: []byte("t" + want[i]), inclusion: ifChanged, history: "h" + want[i]}}); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for row, err := range s.sorted() {
			if err != nil {
				t.Fatal(err)
			}
			if row.history != "h"+row.key || row.inclusion != ifChanged || string(row.text) != "t"+row.key {
				t.Fatalf("got %+v", row)
			}
			got = append(got, row.key)
		}
		if !slices.Equal(got, want) {
			t.Errorf("limit %d: got %d rows, want %d in order", limit, len(got), len(want))
		}
		if err := s.close(); err != nil {
			t.Error(err)
		}
		if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
			t.Errorf("limit %d: got %v, %v, want no files left", limit, left, err)
		}
	}
}
