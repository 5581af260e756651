package loadsim_test

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/loadsim"
	"stockroom/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Run(m)) }

// onEngine calls f in virtual time, with a store on a simulated table that contains
// the entities.
func onEngine(t *testing.T, shards int, limits loadsim.Limits, entities []store.Entity, f func(*testing.T, *store.Store, *loadsim.Engine)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now() // virtual
		clock := storetest.RunningClock(storetest.Now, began)
		db := storetest.Embedded(t, clock)
		setUp := storetest.OpenTable(t, db, storetest.TableName, clock)
		settings := store.DefaultSettings()
		settings.Shards, settings.ShardsRead, settings.Payments, settings.Numbering = shards, shards, store.ServiceRecord, store.NumberByID
		if err := setUp.SaveSettings(t.Context(), settings, "test"); err != nil {
			t.Fatal(err)
		}
		loaded, err := setUp.Load(t.Context(), entities, store.LoadOptions{})
		if err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		engine := loadsim.NewEngine(db, limits)
		f(t, store.New(engine, storetest.TableName, clock.Now), engine)
	})
}

func simulate(t *testing.T, s *loadsim.Scenario) (counts loadsim.Counts) {
	t.Helper()
	onEngine(t, s.Shards, s.Limits, s.Entities(), func(t *testing.T, st *store.Store, engine *loadsim.Engine) {
		counts = s.Run(t.Context(), st, engine.Meter)
	})
	return counts
}

func simulateDue(t *testing.T, d *loadsim.Due) (counts loadsim.Counts, took time.Duration) {
	t.Helper()
	day := storetest.Now.Truncate(24 * time.Hour)
	onEngine(t, d.Shards, d.Limits, d.Entities(day), func(t *testing.T, st *store.Store, engine *loadsim.Engine) {
		var err error
		if counts, took, err = d.Run(t.Context(), st, engine.Meter, day); err != nil {
			t.Fatal(err)
		}
	})
	return counts, took
}

// TestOrders_KeepThresholds is a short form of the benchmark. Conflicts grow with the
// square of the load, so it fails if a change adds an item that all orders write. The
// orders are random: about one run in 30 exceeds the threshold of conflicts by chance,
// so it fails only if three runs do.
func TestOrders_KeepThresholds(t *testing.T) {
	for range 3 {
		s := loadsim.Orders(30)
		s.WarmUp, s.Measured = 2*time.Second, 4*time.Second
		counts := simulate(t, &s)
		broken := counts.Broken(s.Measured)
		if len(broken) == 0 {
			return
		}
		t.Logf("%q\n%s", broken, counts.Report(s.Measured))
	}
	t.Error("All runs broke a threshold.")
}

// TestPayments_KeepThresholds is a short form of the benchmark with 100 million
// payments. Both have the same number of workers per shard.
func TestPayments_KeepThresholds(t *testing.T) {
	due := loadsim.DueOnTheFirst(2, jobs.MaxWorkers)
	counts, took := simulateDue(t, &due)
	if broken := counts.Broken(took); len(broken) > 0 {
		t.Errorf("%q\n%s", broken, counts.Report(took))
	}
}

// TestThresholds_AreBroken checks that a shop whose orders write the same items breaks
// the threshold of conflicts.
func TestThresholds_AreBroken(t *testing.T) {
	s := loadsim.FlashSale(200)
	s.WarmUp, s.Measured = 0, time.Second
	counts := simulate(t, &s)
	if counts.ConflictShare() < loadsim.Thresholds.Conflicts || len(counts.Broken(s.Measured)) == 0 {
		t.Errorf("got no conflicts:\n%s", counts.Report(s.Measured))
	}
}
