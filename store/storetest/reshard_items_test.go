package storetest_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestReshard_MovesEverything changes the number of shards several times. After each
// change, every item must have the keys with which it would be saved now. Totals and the
// results of job runs must not change.
func TestReshard_MovesEverything(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := store.New(db, table, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		settled := store.Resharding{Wait: func(context.Context, time.Duration) error { clock.Advance(time.Minute); return nil }}
		reshard := func(shards int) {
			t.Helper()
			if _, err := s.Reshard(t.Context(), shards, settled); err != nil {
				t.Fatal(err)
			}
		}
		reshard(15)
		shop := storetest.NewShop()
		shop.Load(t, s)
		selling := &selling{t, s, s.As(admin), shop}
		for range 20 {
			selling.placeOrder()
			clock.Advance(10 * time.Hour)
		}
		work(t, s, shop.Subscriptions)
		shown := charts(t, s)
		for _, shards := range []int{4, 15, 1} {
			reshard(shards)
			checkKeys(t, s, shards)
			if now := charts(t, s); !reflect.DeepEqual(now, shown) {
				t.Errorf("%d shards: got charts\n%v\nwant\n%v", shards, now, shown)
			}
			results(t, s, 15)
		}
		if _, err := s.As(admin).PlaceOrder(t.Context(), selling.sampleOrder(), s.NewToken()); err != nil {
			t.Fatal(err)
		}
		if now := charts(t, s); reflect.DeepEqual(now, shown) {
			t.Error("got the same charts after another order, want it counted")
		}
	})
}

// checkKeys fails the test for each item whose keys differ from those that it would get
// if it were saved now. A total may be in any of the given number of shards.
func checkKeys(t *testing.T, s *store.Store, shards int) {
	t.Helper()
	err := s.Everything(t.Context(), func(items []store.Item) error {
		for _, item := range items {
			entity, err := store.Decode(item)
			if err != nil {
				return err
			}
			if total, is := entity.(*store.Total); is && total.Shard >= shards {
				t.Errorf("%d shards: got a total in shard %d, want none in shards that are not read", shards, total.Shard)
			}
			fresh, err := store.Encode(entity, shards)
			if err != nil {
				return err
			}
			for name, value := range fresh {
				if !reflect.DeepEqual(item[name], value) {
					t.Errorf("%d shards: %v: got %s = %v, want %v", shards, item["PK"], name, item[name], value)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// charts returns the totals by kind and day.
func charts(t *testing.T, s *store.Store) map[store.TotalKind][]store.DayTotal {
	t.Helper()
	all := map[store.TotalKind][]store.DayTotal{}
	for _, kind := range []store.TotalKind{store.TotalOrders, store.TotalPayments, store.TotalDue} {
		days, err := s.As(admin).Totals(t.Context(), kind, store.DateRange{From: storetest.Now.AddDate(0, -3, 0), To: storetest.Now.AddDate(0, 3, 0)})
		if err != nil {
			t.Fatal(err)
		}
		if kind != store.TotalPayments && len(days) < 5 {
			t.Fatalf("got totals of %d days of %s, want at least 5", len(days), kind)
		}
		all[kind] = days
	}
	return all
}

var runDay = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

// work records a run of the payments job in each of 15 shards, each with a failed
// payment. The runs of even shards are done, and the others stopped early.
func work(t *testing.T, s *store.Store, subscriptions []store.Subscription) {
	t.Helper()
	for shard := range 15 {
		run, err := s.LeaseShard(t.Context(), store.JobRun{Job: store.PaymentsJob, Date: runDay, Shard: shard, Owner: "one", By: store.Program})
		if err != nil {
			t.Fatal(err)
		}
		doing := store.RunContext{Job: store.PaymentsJob, Date: runDay, Shard: shard}
		if err := s.RecordFailure(t.Context(), &subscriptions[shard], store.OutcomeFailed, "no line", doing); err != nil {
			t.Fatal(err)
		}
		run.State = []store.JobState{store.JobDone, store.JobStopped}[shard%2]
		if _, err := s.SaveRun(t.Context(), *run); err != nil {
			t.Fatal(err)
		}
	}
}

// results checks the number of runs and their results. The run of a removed shard must be
// done or incomplete.
func results(t *testing.T, s *store.Store, want int) {
	t.Helper()
	runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, runDay)
	if err != nil || len(runs) != want {
		t.Fatalf("got %d runs, error %v, want %d", len(runs), err, want)
	}
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if run.Shard >= settings.ShardsRead && run.State != store.JobDone && run.State != store.JobIncomplete {
			t.Errorf("removed shard %d: got a run with the state %s, want done or incomplete", run.Shard, run.State)
		}
	}
	for _, failures := range []bool{false, true} {
		var found []string
		for r, err := range store.Each(func(p store.Page) (store.List[store.JobResult], error) {
			p.Limit = 4
			return s.As(admin).JobResults(t.Context(), runs, failures, p)
		}) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, r.SubscriptionID)
		}
		slices.Sort(found)
		if len(slices.Compact(found)) != want || found[0] != "sub00" || found[want-1] != fmt.Sprintf("sub%02d", want-1) {
			t.Errorf("%d shards: got results %v, want sub00 to sub%02d", settings.ShardsRead, found, want-1)
		}
	}
}
