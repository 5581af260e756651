package jobs_test

import (
	"cmp"
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

// long runs the crash tests at full size, which takes some minutes.
var long = flag.Bool("long", false, "kill runs of 50,000 payments 20 times")

// Environment variables of the child process. The child runs a job of a day
// until the test kills it.
const (
	childTable = "JOBS_TEST_TABLE" // folder of an embedded store, or URL of a server
	childName  = "JOBS_TEST_TABLE_NAME"
	childBank  = "JOBS_TEST_BANK"
	childJob   = "JOBS_TEST_JOB" // the job to run; payments if it is not set
)

func TestMain(m *testing.M) {
	if os.Getenv(childTable) == "" {
		os.Exit(storetest.Run(m))
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
	// With this short timeout, leases never protect a shard, because they are stored in
	// whole seconds. Both runs process the same subscriptions. Only the conditions of the
	// writes prevent a second charge.
	r := jobs.New(jobs.Config{
		Store: s, Processor: bankClient{os.Getenv(childBank)}, Mail: &mailbox{}, Log: slog.New(slog.DiscardHandler),
		RequestTimeout: requestTimeout, HeartbeatTimeout: 500 * time.Millisecond, PassPause: time.Millisecond,
	})
	job := store.JobName(cmp.Or(os.Getenv(childJob), string(store.PaymentsJob)))
	_, err := r.Run(ctx, jobs.RunRequest{Job: job, Date: due})
	return err
}

// start starts a child process that runs the payments of the day.
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

// kill waits until the bank has got some more requests, and then kills the child. It
// returns false if the child has already ended. The child can end early, because its table
// fails at random, and because another run can lease its shards.
func kill(t *testing.T, c *exec.Cmd, b *bank, after int) bool {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for until := b.requests() + after; b.requests() < until; {
		select {
		case err := <-ended:
			t.Logf("run ended before the kill: %v", err)
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

// sizes returns the number of due payments and the number of runs to kill.
func sizes() (due, kills int) {
	if *long {
		return 50_000, 20
	}
	return 1_500, 4
}

// TestRun_KilledChargesOnce kills runs while they charge payments. At first, a single run
// opens the store's file itself. Then two runs share a server. Each payment must be charged
// once.
func TestRun_KilledChargesOnce(t *testing.T) {
	t.Parallel()
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
	clock := storetest.NewClock()
	db := storetest.EmbeddedAt(t, folder, clock)
	served := httptest.NewServer(wire.Handler(db))
	defer served.Close()
	killed += killPairs(t, served.URL, "OnlineShop", b, kills-killed, n/kills/2)
	s := openStore(t, db, clock)
	t.Logf("killed %d runs; %d of %d payments charged so far", killed, b.payments(), n)
	finish(t, s, clock, b)
	wantPaid(t, s, b, all)
}

// TestRun_KilledChargesOnceOnEndpoint is like TestRun_KilledChargesOnce, but charges fewer
// payments, and uses the engine at STOCKROOM_TEST_ENDPOINT. Without this variable, it kills
// no runs.
func TestRun_KilledChargesOnceOnEndpoint(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		all := many(300)
		load(t, s, all...)
		statePayments(t, s, store.ServiceStripe)
		b := newBank(t, 97)
		if address := os.Getenv(storetest.EndpointVariable); strings.HasSuffix(t.Name(), "/endpoint") {
			killPairs(t, address, s.Table(), b, 4, 30)
		}
		finish(t, s, clock, b)
		wantPaid(t, s, b, all)
	})
}

func fill(t *testing.T, folder string, all []*store.Subscription) {
	t.Helper()
	clock := storetest.NewClock()
	db := storetest.EmbeddedAt(t, folder, clock)
	s := openStore(t, db, clock)
	load(t, s, all...)
	statePayments(t, s, store.ServiceStripe)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// killPairs repeatedly starts two runs and kills both. It stops when it has killed the
// given number of runs before their end.
func killPairs(t *testing.T, table, name string, b *bank, times, after int) (killed int) {
	t.Helper()
	for n := 0; killed < times; n++ {
		if n == 10*times {
			t.Fatalf("got %d runs killed before their end in %d attempts, want %d", killed, n, times)
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

// finish runs the day with two runners at the same time, until all payments are done.
// Before it repeats this, it advances the clock by more than the heartbeat timeout of the
// killed runs.
func finish(t *testing.T, s *store.Store, clock *storetest.Clock, b *bank) {
	t.Helper()
	for range 100 {
		var runners sync.WaitGroup
		var failures [2]error
		for i := range failures {
			runners.Go(func() {
				_, failures[i] = runner(t, s, bankClient{b.URL}, &mailbox{}).Run(t.Context(), jobs.RunRequest{Job: store.PaymentsJob, Date: due})
			})
		}
		runners.Wait()
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
	t.Fatal("the day is not finished after 100 runs, want it finished")
}

func allDone(runs []store.JobRun) bool {
	for i := range runs {
		if runs[i].State != store.JobDone {
			return false
		}
	}
	return true
}
