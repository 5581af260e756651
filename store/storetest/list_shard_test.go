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

// TestLists_UnevenShards lists orders, most of them in few shards. The rows must be in the
// right order, although these shards must be queried again for the rest of the page. If
// they are too many, the page must end early, so that it needs no further requests.
func TestLists_UnevenShards(t *testing.T) {
	for _, crowded := range [][]string{{"3"}, {"3", "7"}, {"3", "7", "8"}, {"0", "3", "7", "8", "14"}} {
		t.Run(fmt.Sprint(len(crowded)), func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) { testUnevenShards(t, s, crowded) })
		})
	}
}

func testUnevenShards(t *testing.T, s *store.Store, crowded []string) {
	var orders []store.Entity
	var want []string // oldest first
	for n := 0; len(orders) < 250; n++ {
		id := fmt.Sprintf("o%05d", n)
		if slices.Contains(crowded, key.Shard(id, key.DefaultShards)) || n%50 == 0 {
			date := storetest.Now.Add(time.Duration(n-10_000) * time.Minute)
			orders = append(orders, &store.Order{ID: id, CustomerID: "c", Date: date, Status: store.OrderOpen, Version: 1})
			want = append(want, id)
		}
	}
	if loaded, err := s.Load(t.Context(), orders, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	list := func(reverse bool, page store.Page) store.List[store.Order] {
		trace := &store.Trace{}
		l, err := s.As(admin).Orders(store.WithTrace(t.Context(), trace), store.OrderFilter{Status: store.OrderOpen}, reverse, page)
		if err != nil {
			t.Fatal(err)
		}
		reads := trace.Reads()
		last, bound := reads[len(reads)-1], key.DefaultShards+min(len(crowded), store.MaxRepeats)
		if last.Requests > bound || last.Items > 4*page.Limit {
			t.Errorf("got %d requests and %d items for a page, want at most %d and %d", last.Requests, last.Items, bound, 4*page.Limit)
		}
		return l
	}
	for _, limit := range []int{25, store.MaxLimit} {
		for _, reverse := range []bool{false, true} {
			var got, back []string
			page := store.Page{Limit: limit}
			var l store.List[store.Order]
			for first := true; first || page.At != nil; first = false {
				l = list(reverse, page)
				got = append(got, orderIDs(l)...)
				page.At = l.Next
			}
			back = orderIDs(l)
			for page.At = l.Prev; page.At != nil; page.At = l.Prev {
				l = list(reverse, page)
				back = slices.Concat(orderIDs(l), back)
			}
			if reverse {
				slices.Reverse(got)
				slices.Reverse(back)
			}
			if !slices.Equal(got, want) {
				t.Errorf("limit %d, reverse %v, forwards: %s", limit, reverse, firstDifference(got, want))
			}
			if !slices.Equal(back, want) {
				t.Errorf("limit %d, reverse %v, backwards: %s", limit, reverse, firstDifference(back, want))
			}
		}
	}
}

func orderIDs(l store.List[store.Order]) (ids []string) {
	for _, o := range l.Rows {
		ids = append(ids, o.ID)
	}
	return ids
}
