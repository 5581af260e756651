package storetest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

var openOrders = flag.Int("open-orders", 1_000, "number of open orders that are read while their keys move")

func TestShardsFor(t *testing.T) {
	for _, tt := range []struct {
		orders           int
		open             float64
		bytes            int
		perSecond        float64
		needed, proposed int
	}{
		{3_000_000, 20, 250, 0, 13, 15}, // Amazon's published example
		{1, 20, 250, 0, 1, 2},
		{0, 0, 1, 0, 1, 2},
		{3_000_000, 20, 8000, 0, 400, 48}, // -apply accepts at most 48 shards
		{30_000_000, 20, 500, 0, 250, 48},
		{3_000_000, 20, 250, 1000, 13, 15}, // 8 writes per order need 8 shards
		{3_000_000, 20, 250, 2000, 16, 19},
		{1000, 20, 1500, 1000, 16, 19}, // each write takes two units
		{1000, 20, 250, 100_000, 800, 48},
	} {
		needed, proposed := store.OrderLoad{Orders: tt.orders, OpenPercent: tt.open, Bytes: tt.bytes, PerSecond: tt.perSecond}.Shards()
		if needed != tt.needed || proposed != tt.proposed {
			t.Errorf("%+v: got %d needed, %d proposed, want %d and %d", tt, needed, proposed, tt.needed, tt.proposed)
		}
	}
}

// readOpen reads all open orders, page by page. The argument most is the maximum number
// of requests for the first page. If the page takes more, readOpen returns an error.
func readOpen(ctx context.Context, s *store.Store, most int) (ids []string, err error) {
	page := store.Page{Limit: store.MaxLimit}
	for first := true; first || page.At != nil; first = false {
		trace := &store.Trace{}
		l, err := s.As(admin).Orders(store.WithTrace(ctx, trace), store.OrderFilter{Status: store.OrderOpen}, false, page)
		if err != nil {
			return nil, err
		}
		for _, o := range l.Rows {
			ids = append(ids, o.ID)
		}
		if asked := trace.Reads()[0].Requests; first && asked > most {
			return nil, fmt.Errorf("first page: got %d requests, want %d at most", asked, most)
		}
		page.At = l.Next
	}
	return ids, nil
}

// TestReshard_KeepsOrderOfLists reads a long list with 1, 4 and 15 shards, and while
// its items move. The list must always be complete and in order.
func TestReshard_KeepsOrderOfLists(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		orders := make([]store.Entity, *openOrders)
		want := make([]string, len(orders))
		for n := range orders {
			want[n] = fmt.Sprintf("o%06d", n)
			orders[n] = &store.Order{
				ID: want[n], CustomerID: "c", Date: storetest.Now.Add(time.Duration(n-len(orders)) * time.Minute),
				Status: store.OrderOpen, Total: store.MinorUnits(100), Version: 1,
			}
		}
		for shard := range 15 {
			orders = append(orders, &store.Total{Kind: store.TotalOrders, Day: storetest.Now.Truncate(24 * time.Hour), Shard: shard, Count: 1, Amount: store.MinorUnits(100).Sum()})
		}
		if loaded, err := s.Load(t.Context(), orders, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		// Reshard waits until reads with the old settings have ended. The test imitates
		// this by waiting until no read is in progress.
		var reading sync.RWMutex
		settled := store.Resharding{Wait: func(context.Context, time.Duration) error {
			reading.Lock()
			defer reading.Unlock()
			clock.Advance(time.Minute)
			return nil
		}}
		for _, shards := range []int{1, 4, 15, 4, 15} {
			read := make(chan error, 1)
			moving, done := context.WithCancel(t.Context())
			go func() { read <- readUntil(t.Context(), moving, s, want, &reading) }()
			moved, err := s.Reshard(t.Context(), shards, settled)
			done()
			if err := errors.Join(err, <-read); err != nil {
				t.Fatalf("to %d shards: got %v, want no error", shards, err)
			}
			got, err := readOpen(t.Context(), s, shards)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("%d shards: got error %v, %s", shards, err, firstDifference(got, want))
			}
			if used := shardsOf(t, s); len(used) != shards {
				t.Errorf("got %d items moved into %v, want %d shards", moved, used, shards)
			}
			days, err := s.As(admin).Totals(t.Context(), store.TotalOrders, store.DateRange{From: storetest.Now, To: storetest.Now})
			if err != nil || len(days) != 1 || days[0].Count != 15 {
				t.Errorf("%d shards: got the day's totals %+v, %v, want one day with 15 orders", shards, days, err)
			}
			if again, err := s.Reshard(t.Context(), shards, settled); err != nil || again != 0 {
				t.Errorf("to %d shards again: got %d moved, %v; want none", shards, again, err)
			}
		}
	})
}

// readUntil reads the list at least once, and again until the context moving is done.
// It holds a read lock on reading during each read.
func readUntil(ctx, moving context.Context, s *store.Store, want []string, reading *sync.RWMutex) error {
	for first := true; first || moving.Err() == nil; first = false {
		reading.RLock()
		got, err := readOpen(ctx, s, 48)
		reading.RUnlock()
		if err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("while keys move: %s", firstDifference(got, want))
		}
	}
	return nil
}

// shardsOf returns the number of orders in each shard.
func shardsOf(t *testing.T, s *store.Store) map[string]int {
	t.Helper()
	used := make(chan map[string]int, 1)
	used <- map[string]int{}
	err := s.Everything(t.Context(), func(items []store.Item) error {
		counts := <-used
		defer func() { used <- counts }()
		for _, item := range items {
			if pk, is := item["GSI3-PK"].(*types.AttributeValueMemberS); is && strings.HasPrefix(pk.Value, "orders#") {
				counts[pk.Value]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return maps.Clone(<-used)
}

// TestReshard_ResumesAfterInterruption checks that an interrupted Reshard can be run again.
func TestReshard_ResumesAfterInterruption(t *testing.T) {
	storetest.ShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		wait := func(context.Context, time.Duration) error { clock.Advance(time.Minute); return nil }
		broken := errors.New("interrupted")
		for waits := range 2 {
			waited := 0
			_, err := s.Reshard(t.Context(), 4, store.Resharding{Wait: func(ctx context.Context, d time.Duration) error {
				if waited++; waited > waits {
					return broken
				}
				return wait(ctx, d)
			}})
			if !errors.Is(err, broken) {
				t.Fatal(err)
			}
		}
		stopping, stop := context.WithCancel(t.Context())
		_, err := s.Reshard(stopping, 4, store.Resharding{Wait: wait, Progress: func(int, int) { stop() }})
		if err == nil {
			t.Fatal("interrupted move: got no error, want one")
		}
		clock.Advance(time.Minute)
		if moved, err := s.Reshard(t.Context(), 4, store.Resharding{Wait: wait}); err != nil {
			t.Fatalf("got %d moved, error %v, want no error", moved, err)
		}
		settings, err := s.Settings(t.Context())
		if err != nil || settings.Shards != 4 || settings.ShardsRead != 4 || settings.Moving {
			t.Errorf("got settings %+v, %v, want 4 shards and no move", settings, err)
		}
		if used := shardsOf(t, s); len(used) != 4 {
			t.Errorf("got orders in %v, want 4 shards", used)
		}
	})
}
