package storetest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestReshard_OneRunAtATime starts a second Reshard while the first one waits. The
// second one must fail while the first one has its lease. After the lease has
// expired, the second one must run and the first one must stop.
func TestReshard_OneRunAtATime(t *testing.T) {
	for _, ended := range []bool{false, true} {
		for wait := range 2 {
			t.Run(fmt.Sprintf("lease ended %t, wait %d", ended, wait), func(t *testing.T) {
				storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
					loadOpenOrders(t, s)
					var second error
					waits := 0
					_, first := s.Reshard(t.Context(), 4, store.Resharding{Wait: func(context.Context, time.Duration) error {
						if waits == wait {
							if ended {
								clock.Advance(2 * time.Minute)
							}
							_, second = s.Reshard(t.Context(), 15, store.Resharding{Wait: func(context.Context, time.Duration) error {
								clock.Advance(20 * time.Second)
								return nil
							}})
						}
						waits++
						clock.Advance(20 * time.Second)
						return nil
					}})
					succeeded, stopped, want := first, second, 4
					if ended {
						succeeded, stopped, want = second, first, 15
					}
					if succeeded != nil || store.KindOf(stopped) != store.Conflict {
						t.Errorf("got first %v, second %v; want Conflict from one of them", first, second)
					}
					settings, err := s.As(admin).CurrentSettings(t.Context())
					if err != nil || settings.Moving || settings.Shards != want || settings.ShardsRead != want {
						t.Errorf("got settings %+v, %v; want %d shards", settings, err, want)
					}
					if ids, err := readOpen(t.Context(), s, 100); err != nil || len(ids) != 400 {
						t.Errorf("got %d open orders, %v; want 400", len(ids), err)
					}
				})
			})
		}
	}
}

// TestReshard_StopsWhenSettingsChange checks that a Reshard stops if another one
// starts while items are moving.
func TestReshard_StopsWhenSettingsChange(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		loadOpenOrders(t, s)
		wait := func(context.Context, time.Duration) error {
			clock.Advance(20 * time.Second)
			return nil
		}
		var second error
		taken := false
		_, first := s.Reshard(t.Context(), 4, store.Resharding{Wait: wait, Progress: func(int, int) {
			if !taken {
				taken = true
				clock.Advance(2 * time.Minute)
				_, second = s.Reshard(t.Context(), 15, store.Resharding{Wait: wait})
			}
		}})
		if second != nil || store.KindOf(first) != store.Conflict {
			t.Errorf("got first %v, second %v; want Conflict from the first", first, second)
		}
		if ids, err := readOpen(t.Context(), s, 100); err != nil || len(ids) != 400 {
			t.Errorf("got %d open orders, %v; want 400", len(ids), err)
		}
	})
}
