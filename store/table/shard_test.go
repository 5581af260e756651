package table

import "testing"

// TestShareOf checks how many rows the first query of a shard reads.
func TestShareOf(t *testing.T) {
	for _, c := range []struct{ want, shards, share int }{
		{25, 1, 25},
		{25, 15, 7},
		{25, 48, 5},
		{99, 15, 16},
		{99, 48, 9},
		{1000, 15, 92},
		{1, 15, 2},
	} {
		if got := shareOf(c.want, c.shards); got != c.share {
			t.Errorf("%d rows in %d shards: got %d rows, want %d", c.want, c.shards, got, c.share)
		}
	}
}
