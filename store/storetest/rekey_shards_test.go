package storetest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

func loadOpenOrders(t *testing.T, s *store.Store) {
	t.Helper()
	orders := make([]store.Entity, 400)
	for n := range orders {
		orders[n] = &store.Order{
			ID: fmt.Sprintf("o%06d", n), CustomerID: "c", Date: storetest.Now.Add(time.Duration(n-len(orders)) * time.Minute),
			Status: store.OrderOpen, Total: store.MinorUnits(100), Version: 1,
		}
	}
	if loaded, err := s.Load(t.Context(), orders, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

// TestRekey_WhileShardsChange changes the number of shards after the first page of a run
// of Rekey. The change must fail until the lease of the run has expired. After that, the
// change must succeed and the run must stop. No order may be missing from the list.
func TestRekey_WhileShardsChange(t *testing.T) {
	for _, ended := range []bool{false, true} {
		t.Run(fmt.Sprintf("lease ended %t", ended), func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
				loadOpenOrders(t, s)
				var once sync.Once
				var reshardErr error
				_, rekeyErr := s.Rekey(t.Context(), store.Rekeying{PageSize: 40, Progress: func(store.RekeyResult) {
					once.Do(func() {
						if ended {
							clock.Advance(2 * time.Minute)
						}
						_, reshardErr = s.Reshard(t.Context(), 4, store.Resharding{Wait: func(context.Context, time.Duration) error {
							clock.Advance(time.Minute)
							return nil
						}})
					})
				}})
				succeeded, stopped := rekeyErr, reshardErr
				if ended {
					succeeded, stopped = stopped, succeeded
				}
				if succeeded != nil || store.KindOf(stopped) != store.Conflict {
					t.Errorf("got rekey %v, reshard %v; want Conflict from one of them", rekeyErr, reshardErr)
				}
				if ids, err := readOpen(t.Context(), s, 100); err != nil || len(ids) != 400 {
					t.Errorf("got %d open orders, %v; want 400", len(ids), err)
				}
			})
		})
	}
}
