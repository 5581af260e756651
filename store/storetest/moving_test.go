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

// TestEverythingMovesWithTheShards holds every item to the keys that it would
// be written with, and every chart and run to what it showed before, each time
// that the shards become fewer or more.
func TestEverythingMovesWithTheShards(t *testing.T) {
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
			selling.take()
			clock.Advance(10 * time.Hour)
		}
		work(t, s, shop.Subscriptions)
		shown := charts(t, s)
		for _, shards := range []int{4, 15, 1} {
			reshard(shards)
			misplaced(t, s, shards)
			if now := charts(t, s); !reflect.DeepEqual(now, shown) {
				t.Errorf("at %d shards charts show\n%v\nwhich was\n%v", shards, now, shown)
			}
			results(t, s, 15)
		}
		if _, err := s.As(admin).PlaceOrder(t.Context(), selling.taking(), s.NewToken()); err != nil {
			t.Fatal(err)
		}
		if now := charts(t, s); reflect.DeepEqual(now, shown) {
			t.Error("what is sold afterwards is counted nowhere")
		}
	})
}

// misplaced tells of items that have other keys than they would be written
// with. What follows from no ID stays where it is, unless that is no longer
// asked.
func misplaced(t *testing.T, s *store.Store, shards int) {
	t.Helper()
	err := s.Everything(t.Context(), func(items []store.Item) error {
		for _, item := range items {
			entity, err := store.Decode(item)
			if err != nil {
				return err
			}
			if total, is := entity.(*store.Total); is && total.Shard >= shards {
				t.Errorf("at %d shards a total lies in shard %d", shards, total.Shard)
			}
			fresh, err := store.Encode(entity, shards)
			if err != nil {
				return err
			}
			for name, value := range fresh {
				if !reflect.DeepEqual(item[name], value) {
					t.Errorf("at %d shards %v has %s = %v, want %v", shards, item["PK"], name, item[name], value)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// charts are the sums of every kind and day.
func charts(t *testing.T, s *store.Store) map[store.TotalKind][]store.DayTotal {
	t.Helper()
	all := map[store.TotalKind][]store.DayTotal{}
	for _, kind := range []store.TotalKind{store.TotalOrders, store.TotalPayments, store.TotalDue} {
		days, err := s.As(admin).Totals(t.Context(), kind, store.DateRange{From: storetest.Now.AddDate(0, -3, 0), To: storetest.Now.AddDate(0, 3, 0)})
		if err != nil {
			t.Fatal(err)
		}
		if kind != store.TotalPayments && len(days) < 5 {
			t.Fatalf("only %d days of %s are counted", len(days), kind)
		}
		all[kind] = days
	}
	return all
}

var runDay = time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)

// work has a run begin in all shards and do something in each: some stop
// before they are through.
func work(t *testing.T, s *store.Store, subscriptions []store.Subscription) {
	t.Helper()
	for shard := range 15 {
		run, err := s.HoldShard(t.Context(), store.JobRun{Job: store.PaymentsJob, Date: runDay, Shard: shard, Owner: "one", By: store.Program})
		if err != nil {
			t.Fatal(err)
		}
		doing := store.Doing{Job: store.PaymentsJob, Date: runDay, Shard: shard}
		if err := s.RecordFailure(t.Context(), &subscriptions[shard], store.OutcomeFailed, "no line", doing); err != nil {
			t.Fatal(err)
		}
		run.State = []store.JobState{store.JobDone, store.JobStopped}[shard%2]
		if _, err := s.SaveRun(t.Context(), *run); err != nil {
			t.Fatal(err)
		}
	}
}

// results holds the run to what it did; shards that are no more have nothing
// to go on with.
func results(t *testing.T, s *store.Store, want int) {
	t.Helper()
	runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, runDay)
	if err != nil || len(runs) != want {
		t.Fatalf("%d runs, %v", len(runs), err)
	}
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if run.Shard >= settings.ShardsRead && run.State != store.JobDone && run.State != store.JobLeft {
			t.Errorf("shard %d is no more, and its run is %s", run.Shard, run.State)
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
			t.Errorf("at %d shards the run did %v", settings.ShardsRead, found)
		}
	}
}
