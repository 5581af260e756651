package storetest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/store/storetest"
)

// TestLists_UnevenShards lists orders, most of them in the same shard. The rows must
// be in the right order, although this shard must be queried again for the rest of
// the page.
func TestLists_UnevenShards(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		var orders []store.Entity
		var want []string // oldest first
		for n := 0; len(orders) < 90; n++ {
			id := fmt.Sprintf("o%05d", n)
			if key.Shard(id, key.DefaultShards) == "3" || n%50 == 0 {
				date := storetest.Now.Add(time.Duration(n-10_000) * time.Minute)
				orders = append(orders, &store.Order{ID: id, CustomerID: "c", Date: date, Status: store.OrderOpen, Version: 1})
				want = append(want, id)
			}
		}
		if loaded, err := s.Load(t.Context(), orders, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		for _, reverse := range []bool{false, true} {
			var got []string
			page := store.Page{Limit: 25}
			for first := true; first || page.At != nil; first = false {
				trace := &store.Trace{}
				l, err := s.As(admin).Orders(store.WithTrace(t.Context(), trace), store.OrderFilter{Status: store.OrderOpen}, reverse, page)
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range l.Rows {
					got = append(got, o.ID)
				}
				reads := trace.Reads()
				if last := reads[len(reads)-1]; last.Requests > key.DefaultShards+1 || last.Items > 2*26+26 {
					t.Errorf("got %d requests and %d items for a page, want at most %d and %d", last.Requests, last.Items, key.DefaultShards+1, 2*26+26)
				}
				page.At = l.Next
			}
			if reverse {
				slices.Reverse(got)
			}
			if !slices.Equal(got, want) {
				t.Errorf("reverse %v: %s", reverse, firstDifference(got, want))
			}
		}
	})
}
