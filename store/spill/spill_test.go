package spill_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"stockroom/store/spill"
)

func sorted(t *testing.T, s *spill.Sorter) (records [][]string) {
	t.Helper()
	if err := s.Sorted(func(fields []string) error {
		records = append(records, slices.Clone(fields))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return records
}

func TestSorted_ReturnsEachRecordInOrder(t *testing.T) {
	folder := t.TempDir()
	s, err := spill.OpenTemp(folder, 1000)
	if err != nil {
		t.Fatal(err)
	}
	parts := []string{"", "a", "a\x00", "a\x00b", "a\x01", "ab", "\xff", "æ", "\x00"}
	random := rand.New(rand.NewPCG(1, 2))
	var want [][]string
	for range 2000 {
		record := []string{parts[random.IntN(len(parts))], parts[random.IntN(len(parts))], fmt.Sprint(random.IntN(50))}
		want = append(want, record)
		if err := s.Add(record...); err != nil {
			t.Fatal(err)
		}
	}
	slices.SortFunc(want, slices.Compare)
	want = slices.CompactFunc(want, slices.Equal)
	if got := sorted(t, s); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %d records %q…, want %d records %q…", len(got), got[:5], len(want), want[:5])
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("got %v, %v, want no files left", left, err)
	}
}

func TestOpen_ContinuesAfterTheLastFlush(t *testing.T) {
	path := filepath.Join(t.TempDir(), "records")
	s, err := spill.Open(path, nil, 100)
	if err != nil {
		t.Fatal(err)
	}
	add := func(from, to int) {
		for n := from; n < to; n++ {
			if err := s.Add(fmt.Sprintf("%03d", n)); err != nil {
				t.Fatal(err)
			}
		}
	}
	add(50, 100)
	ends, err := s.Flush()
	if err != nil {
		t.Fatal(err)
	}
	add(200, 300) // not flushed, so Open discards them
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = spill.Open(path, ends, 100); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	add(0, 50)
	got := sorted(t, s)
	for n := range 100 {
		if len(got) != 100 || got[n][0] != fmt.Sprintf("%03d", n) {
			t.Fatalf("got %d records %q, want 000 to 099", len(got), got)
		}
	}
	if _, err := spill.Open(path, []int64{1 << 40}, 100); err == nil {
		t.Error("file that is shorter than its runs: got no error from Open, want one")
	}
}
