package jobs_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/embedded/wire"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

// long runs the tests of crashes at their full size: some minutes.
var long = flag.Bool("long", false, "kill runs of 50,000 payments 20 times")

// The child of these tests runs the payments of a day and is killed. What it
// works on is in its environment.
const (
	childTable = "JOBS_TEST_TABLE" // the folder of an embedded store, or the address of one that is served
	childName  = "JOBS_TEST_TABLE_NAME"
	childBank  = "JOBS_TEST_BANK"
)

func TestMain(m *testing.M) {
	if os.Getenv(childTable) == "" {
		os.Exit(m.Run())
	}
	if err := child(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(ctx context.Context) error {
	var db store.DB
	if at := os.Getenv(childTable); strings.HasPrefix(at, "http://") {
		db = storetest.Client(at)
	} else {
		engine, err := embedded.Open(at, embedded.Options{})
		if err != nil {
			return err
		}
		db = engine
	}
	s := store.New(storetest.NewUnreliable(db, 3, rand.Uint64()), os.Getenv(childName), storetest.NewClock().Now)
	// A hold of less than the whole second that the table keeps holds nothing:
	// only the conditions on each subscription stand between two runs.
	r := jobs.New(jobs.Config{
		Store: s, Processor: teller{os.Getenv(childBank)}, Mail: &post{}, Log: slog.New(slog.DiscardHandler),
		Patience: patience, Hold: 500 * time.Millisecond,
	})
	_, err := r.Run(ctx, jobs.Order{Job: store.PaymentsJob, Date: due})
	return err
}

// start starts a child.
func start(t *testing.T, table, name, bank string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), childTable+"="+table, childName+"="+name, childBank+"="+bank)
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// kill lets a child work for a while and kills it.
func kill(t *testing.T, c *exec.Cmd) {
	t.Helper()
	work := 400 * time.Millisecond
	if *long {
		work = 4 * time.Second
	}
	time.Sleep(150*time.Millisecond + rand.N(work))
	if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	if c.Wait() == nil || !strings.Contains(c.ProcessState.String(), "killed") {
		t.Logf("a run ended before it was killed: %s", c.ProcessState)
	}
}

// sizes are how much is due and how often the run is killed.
func sizes() (due, kills int) {
	if *long {
		return 50_000, 20
	}
	return 1_500, 4
}

// TestKilledRunsPayOnce kills the run that has the store's file open.
func TestKilledRunsPayOnce(t *testing.T) {
	n, kills := sizes()
	folder, all := t.TempDir(), many(n)
	fill(t, folder, all)
	b := newBank(t, 97)
	for range kills / 2 {
		kill(t, start(t, folder, "OnlineShop", b.URL))
	}
	// From here on the store is served to two runs at once.
	db, err := embedded.Open(folder, embedded.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	served := httptest.NewServer(wire.Handler(db))
	defer served.Close()
	killTwins(t, served.URL, "OnlineShop", b, kills-kills/2)
	s := openStore(t, db)
	t.Logf("the bank took %d of %d payments before the last run was killed", len(b.taken), n)
	finish(t, s, b)
	wantPaid(t, s, b, all)
}

// TestKilledRunsPayOnceElsewhere does the same, smaller, on another engine
// where there is one.
func TestKilledRunsPayOnceElsewhere(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		all := many(300)
		load(t, s, all...)
		b := newBank(t, 97)
		if address := os.Getenv(storetest.EndpointVariable); strings.HasSuffix(t.Name(), "/endpoint") {
			killTwins(t, address, s.Table(), b, 2)
		}
		finish(t, s, b)
		wantPaid(t, s, b, all)
	})
}

func fill(t *testing.T, folder string, all []*store.Subscription) {
	t.Helper()
	db, err := embedded.Open(folder, embedded.Options{})
	if err != nil {
		t.Fatal(err)
	}
	load(t, openStore(t, db), all...)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// killTwins starts two runs at once and kills them one after the other.
func killTwins(t *testing.T, table, name string, b *bank, times int) {
	t.Helper()
	for range times {
		one, other := start(t, table, name, b.URL), start(t, table, name, b.URL)
		kill(t, one)
		kill(t, other)
	}
}

// finish runs the day to its end, twice at once, as often as it takes until
// nothing is left: the shards of runs that were killed are free after a while.
func finish(t *testing.T, s *store.Store, b *bank) {
	t.Helper()
	for range 100 {
		var twins sync.WaitGroup
		var reports [2]jobs.Report
		for i := range reports {
			twins.Go(func() { reports[i] = run(t, runner(t, s, teller{b.URL}, &post{}), store.PaymentsJob, due) })
		}
		twins.Wait()
		left := reports[0].Failed + reports[1].Failed
		if runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due); err != nil {
			t.Fatal(err)
		} else if left == 0 && allDone(runs) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the run does not come to an end")
}

func allDone(runs []store.JobRun) bool {
	for i := range runs {
		if runs[i].State != store.JobDone {
			return false
		}
	}
	return true
}
