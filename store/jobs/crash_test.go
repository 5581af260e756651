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
	clock := storetest.NewClock()
	if at := os.Getenv(childTable); strings.HasPrefix(at, "http://") {
		db = storetest.Client(at)
	} else {
		engine, err := storetest.OpenEmbedded(at, clock)
		if err != nil {
			return err
		}
		db = engine
	}
	s := store.New(storetest.NewUnreliable(db, 3, rand.Uint64()), os.Getenv(childName), clock.Now)
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

// kill lets a child work until the bank was asked so many times more, kills
// it, and says whether it was still at work then: its line is bad, and its
// shards may be another's.
func kill(t *testing.T, c *exec.Cmd, b *bank, after int) bool {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for until := b.requests() + after; b.requests() < until; {
		select {
		case err := <-ended:
			t.Logf("a run ended before it was killed: %v", err)
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
	if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Error(err)
	}
	<-ended
	return strings.Contains(c.ProcessState.String(), "killed")
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
	killed := 0
	for range kills / 2 {
		if kill(t, start(t, folder, "OnlineShop", b.URL), b, rand.N(n/kills/2)+1) {
			killed++
		}
	}
	// From here on the store is served to two runs at once.
	clock := storetest.NewClock()
	db := storetest.EmbeddedAt(t, folder, clock)
	served := httptest.NewServer(wire.Handler(db))
	defer served.Close()
	killed += killTwins(t, served.URL, "OnlineShop", b, kills-killed, n/kills/2)
	s := openStore(t, db, clock)
	t.Logf("%d runs were killed; by then the bank had taken %d of %d payments", killed, b.payments(), n)
	finish(t, s, clock, b)
	wantPaid(t, s, b, all)
}

// TestKilledRunsPayOnceElsewhere does the same, smaller, on another engine
// where there is one.
func TestKilledRunsPayOnceElsewhere(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		all := many(300)
		load(t, s, all...)
		b := newBank(t, 97)
		if address := os.Getenv(storetest.EndpointVariable); strings.HasSuffix(t.Name(), "/endpoint") {
			killTwins(t, address, s.Table(), b, 4, 30)
		}
		finish(t, s, clock, b)
		wantPaid(t, s, b, all)
	})
}

func fill(t *testing.T, folder string, all []*store.Subscription) {
	t.Helper()
	clock := storetest.NewClock()
	db := storetest.EmbeddedAt(t, folder, clock)
	load(t, openStore(t, db, clock), all...)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// killTwins starts two runs at once and kills them one after the other, until
// so many were killed at work.
func killTwins(t *testing.T, table, name string, b *bank, times, after int) (killed int) {
	t.Helper()
	for try := 0; killed < times; try++ {
		if try == 10*times {
			t.Fatalf("%d runs were killed at work in %d tries, not %d", killed, try, times)
		}
		one, other := start(t, table, name, b.URL), start(t, table, name, b.URL)
		for _, c := range []*exec.Cmd{one, other} {
			if kill(t, c, b, rand.N(after)+1) {
				killed++
			}
		}
	}
	return killed
}

// finish runs the day to its end, twice at once, as often as it takes until
// nothing is left. A run that stopped without letting go of its shards holds
// them for a while: the clock goes on past that.
func finish(t *testing.T, s *store.Store, clock *storetest.Clock, b *bank) {
	t.Helper()
	for range 100 {
		var twins sync.WaitGroup
		var failures [2]error
		for i := range failures {
			twins.Go(func() {
				_, failures[i] = runner(t, s, teller{b.URL}, &post{}).Run(t.Context(), jobs.Order{Job: store.PaymentsJob, Date: due})
			})
		}
		twins.Wait()
		if err := errors.Join(failures[:]...); err != nil {
			t.Fatal(err)
		}
		if runs, err := s.As(admin).RunsOfDay(t.Context(), store.PaymentsJob, due); err != nil {
			t.Fatal(err)
		} else if allDone(runs) {
			return
		}
		clock.Advance(2 * time.Minute)
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
