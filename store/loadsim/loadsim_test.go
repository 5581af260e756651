package loadsim_test

import (
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/loadsim"
	"stockroom/store/storetest"
)

// today is the day on which all scenarios begin.
var today = storetest.Now.Truncate(24 * time.Hour)

func TestMain(m *testing.M) { os.Exit(storetest.Run(m)) }

// onEngine calls f in virtual time, with a store on a simulated table that contains
// the entities.
func onEngine(t *testing.T, shards int, limits loadsim.Limits, entities []store.Entity, f func(*testing.T, *store.Store, *loadsim.Engine)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now() // virtual time
		clock := storetest.RunningClock(storetest.Now, began)
		db := storetest.Embedded(t, clock)
		setUp := storetest.OpenTable(t, db, storetest.TableName, clock)
		settings := store.DefaultSettings()
		settings.Shards, settings.ShardsRead, settings.Payments, settings.Numbering = shards, shards, store.ServiceRecord, store.NumberByID
		if err := setUp.SaveSettings(t.Context(), settings, "test"); err != nil {
			t.Fatal(err)
		}
		loaded, err := setUp.Load(t.Context(), entities, store.LoadOptions{TotalsIncluded: slices.ContainsFunc(entities, isTotal)})
		if err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		engine := loadsim.NewEngine(db, limits)
		f(t, store.New(engine, storetest.TableName, clock.Now), engine)
	})
}

func isTotal(e store.Entity) bool {
	_, is := e.(*store.Total)
	return is
}

func simulate(t *testing.T, s *loadsim.Scenario) (counts loadsim.Counts, took time.Duration) {
	t.Helper()
	onEngine(t, s.Shards, s.Limits, s.Entities(today), func(t *testing.T, st *store.Store, engine *loadsim.Engine) {
		settings, err := st.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.Numbering = s.Numbering
		if err := st.SaveSettings(t.Context(), settings, "test"); err != nil {
			t.Fatal(err)
		}
		if counts, took, err = s.Run(t.Context(), engine, opener(engine)); err != nil {
			t.Error(err)
		}
	})
	return counts, took
}

// opener returns a function that opens a store on the engine's table, as another server
// would.
func opener(engine *loadsim.Engine) func() *store.Store {
	began := time.Now() // virtual time
	clock := storetest.RunningClock(storetest.Now, began)
	return func() *store.Store { return store.New(engine, storetest.TableName, clock.Now) }
}

func simulateDue(t *testing.T, d *loadsim.Due) (counts loadsim.Counts, took time.Duration) {
	t.Helper()
	onEngine(t, d.Shards, d.Limits, d.Entities(today), func(t *testing.T, st *store.Store, engine *loadsim.Engine) {
		var err error
		if counts, took, err = d.Run(t.Context(), st, engine.Meter, today); err != nil {
			t.Fatal(err)
		}
	})
	return counts, took
}

func simulateOutage(t *testing.T, o *loadsim.Outage) (counts loadsim.Counts, took time.Duration) {
	t.Helper()
	onEngine(t, o.Shards, o.Limits, o.Entities(today), func(t *testing.T, st *store.Store, engine *loadsim.Engine) {
		var err error
		if counts, took, err = o.Run(t.Context(), st, engine.Meter); err != nil {
			t.Fatal(err)
		}
	})
	return counts, took
}

// TestOrders_KeepThresholds is a short form of the benchmark. It fails if a change adds an
// item that all orders write, because conflicts then grow with the square of the load. The
// orders are random, so about one run in 30 exceeds the threshold of conflicts by chance.
// The test therefore fails only if three runs in a row exceed it.
func TestOrders_KeepThresholds(t *testing.T) {
	for range 3 {
		s := loadsim.Orders(30)
		s.WarmUp, s.Measured = 2*time.Second, 4*time.Second
		counts, took := simulate(t, &s)
		broken := counts.Broken(took)
		if len(broken) == 0 {
			return
		}
		t.Logf("%q\n%s", broken, counts.Report(took))
	}
	t.Error("three runs exceeded a threshold, want at least one run without")
}

// TestPayments_KeepThresholds is a short form of the benchmark with 100 million payments,
// with the same number of workers per shard.
func TestPayments_KeepThresholds(t *testing.T) {
	due := loadsim.DueOnTheFirst(2, jobs.MaxWorkers)
	counts, took := simulateDue(t, &due)
	if broken := counts.Broken(took); len(broken) > 0 {
		t.Errorf("got exceeded thresholds %q, want none:\n%s", broken, counts.Report(took))
	}
}

// TestFlashSale_HasNoConflicts checks that the changes of one server do not conflict. A
// total is divided into slots, and each change waits for slots that no other change of the
// server is using.
func TestFlashSale_HasNoConflicts(t *testing.T) {
	s := loadsim.FlashSale(100)
	s.WarmUp, s.Measured = 0, 2*time.Second
	if counts, took := simulate(t, &s); counts.ConflictShare() > 0 {
		t.Errorf("got conflicts, want none:\n%s", counts.Report(took))
	}
}

// TestThresholds_AreBroken checks that servers whose orders write the same items exceed
// the threshold of conflicts.
func TestThresholds_AreBroken(t *testing.T) {
	s := loadsim.FlashSale(200)
	s.Servers = 4
	s.WarmUp, s.Measured = 0, time.Second
	counts, took := simulate(t, &s)
	if counts.ConflictShare() < loadsim.Thresholds.Conflicts || len(counts.Broken(took)) == 0 {
		t.Errorf("got no conflicts or no exceeded threshold, want both:\n%s", counts.Report(took))
	}
}

// TestOrders_SurviveFailures kills a server or changes the number of shards while users
// place orders. No order may be lost or listed twice, and no user may get an error.
func TestOrders_SurviveFailures(t *testing.T) {
	killed := loadsim.OneServerKilled(10)
	killed.WarmUp, killed.Measured = time.Second, 2*time.Second
	for _, s := range []loadsim.Scenario{killed, loadsim.Reshard(1)} {
		t.Run(s.Name, func(t *testing.T) {
			if counts, took := simulate(t, &s); counts.ErrorShare() > 0 {
				t.Errorf("got failed operations, want none:\n%s", counts.Report(took))
			}
		})
	}
}

// TestOutage_IsMadeUpFor simulates a payment service that does not respond for ten days.
// Afterwards, the payments of these days must be charged exactly once.
func TestOutage_IsMadeUpFor(t *testing.T) {
	o := loadsim.TenDaysOutage(1, 2)
	counts, took := simulateOutage(t, &o)
	if counts.ErrorShare() > 0 { // do not check conflicts, because there are too few payments
		t.Errorf("got failed operations, want none:\n%s", counts.Report(took))
	}
}

// TestPartition_Fails makes one partition of an index reject some requests. Users must see
// no errors, because the program repeats these requests.
func TestPartition_Fails(t *testing.T) {
	s := loadsim.FailingPartition(20, 0.1)
	s.Shards = 1 // all orders are in this partition
	s.WarmUp, s.Measured = time.Second, 2*time.Second
	if counts, took := simulate(t, &s); counts.Throttled() == 0 || counts.ErrorShare() > 0 {
		t.Errorf("got no throttled request or failed operations, want throttled requests that are repeated:\n%s", counts.Report(took))
	}
}
