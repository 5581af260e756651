package storetest_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

var (
	rushes = flag.Int("rushes", 25, "how often all clerks check out the same kayak at once")
	kills  = flag.Int("kills", 3, "how often the process that changes rentals is killed")
)

const clerks = 32

// TestCheckOut_ConcurrentClerks makes all clerks check out the same kayak at the same
// time. One must succeed. The others must get a Conflict that names the kayak.
func TestCheckOut_ConcurrentClerks(t *testing.T) {
	onEachShore(t, func(s *shore) {
		for rush := range *rushes {
			var wait sync.WaitGroup
			var won atomic.Int64
			begin := make(chan struct{})
			for clerk := range clerks {
				wait.Go(func() {
					<-begin
					err := s.checkOut(fmt.Sprintf("c%02d", clerk), fmt.Sprintf("form %d %d", rush, clerk), monday, "k09")
					var refused *store.Error
					switch {
					case err == nil:
						won.Add(1)
					case !errors.As(err, &refused) || refused.Kind != store.Conflict || !strings.Contains(refused.Message, "Heron 9 (k09) is already rented out to"):
						s.Errorf("clerk %d: got %v, want the kayak reported as out", clerk, err)
					}
				})
			}
			close(begin)
			wait.Wait()
			if won.Load() != 1 {
				s.Fatalf("rush %d: got %d successful check-outs, want 1", rush, won.Load())
			}
			back, err := s.access.QuoteCheckIn(s.T.Context(), "s0", []string{"k09"})
			if err != nil {
				s.Fatal(err)
			}
			if _, err := s.access.CheckIn(s.T.Context(), checkIn("s0", back.Total, []string{"k09"}), ""); err != nil {
				s.Fatal(err)
			}
			s.clock.Advance(time.Second)
		}
	})
}

// Some tests start this binary as a child process and kill it. The environment of the child
// contains the location of the table: a folder, or an endpoint and a table name.
const (
	folderVariable = "STOCKROOM_TEST_FOLDER"
	tableVariable  = "STOCKROOM_TEST_TABLE"
	startVariable  = "STOCKROOM_TEST_START" // start time of the common clock, in nanoseconds
)

func TestMain(m *testing.M) {
	if os.Getenv(startVariable) == "" {
		start := time.Now()
		_ = os.Setenv(startVariable, strconv.FormatInt(start.UnixNano(), 10))
	}
	clock := sharedClock()
	var db store.DB
	var err error
	table := "OnlineShop"
	switch folder, name := os.Getenv(folderVariable), os.Getenv(tableVariable); {
	case folder != "":
		db, err = storetest.OpenEmbedded(folder, clock)
	case name != "":
		db, table = storetest.Client(os.Getenv(storetest.EndpointVariable)), name
	default:
		os.Exit(storetest.Run(m))
	}
	if err == nil {
		err = workForever(store.New(db, table, clock.Now).As(admin))
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// sharedClock returns a running clock that shows the same time in every process. It
// starts after all times in the shop.
func sharedClock() *storetest.Clock {
	nanoseconds, err := strconv.ParseInt(os.Getenv(startVariable), 10, 64)
	if err != nil {
		panic(err)
	}
	return storetest.RunningClock(storetest.Now.AddDate(20, 0, 0), time.Unix(0, nanoseconds))
}

// workForever makes random changes as clerks, and prints a line for each change. It
// ends at the first error that is neither Conflict nor Invalid.
func workForever(a store.Access) error {
	failed := make(chan error, 8)
	for clerk := range 8 {
		go func() {
			for n := 0; ; n++ {
				at := rand.IntN(24)
				err := doSomething(a, fmt.Sprintf("s%d", at%3), fmt.Sprintf("k%02d", at), fmt.Sprintf("c%02d", rand.IntN(40)))
				switch kind := store.KindOf(err); {
				case err == nil:
					fmt.Println(clerk, n)
				case kind != store.Conflict && kind != store.Invalid:
					failed <- err
				}
			}
		}()
	}
	return <-failed
}

func doSomething(a store.Access, storeID, kayakID, personID string) error {
	ctx := context.Background()
	today, err := a.Today(ctx)
	if err != nil {
		return err
	}
	kayaks := []string{kayakID}
	switch rand.IntN(6) {
	case 0, 1:
		return second(a.CheckOut(ctx, store.CheckOut{StoreID: storeID, Person: personID, KayakIDs: kayaks, Due: today.AddDate(0, 0, 2)}, ""))
	case 2, 3:
		back, err := a.QuoteCheckIn(ctx, storeID, kayaks)
		if err != nil {
			return err
		}
		return second(a.CheckIn(ctx, checkIn(storeID, back.Total, kayaks), ""))
	case 4:
		return second(a.Extend(ctx, store.Extension{StoreID: storeID, Kayaks: kayaks, Due: today.AddDate(0, 0, 3+rand.IntN(300))}, ""))
	}
	k, err := a.Kayak(ctx, kayakID)
	if err != nil {
		return err
	}
	if k.Status == store.KayakRepair {
		return a.CompleteRepair(ctx, kayakID, k.Version, "", "")
	}
	return a.Repair(ctx, kayakID, k.Version, "leaks", "")
}

// TestRentals_ConsistentAfterKill kills a process in which clerks make changes. The
// records of the rentals must stay consistent.
func TestRentals_ConsistentAfterKill(t *testing.T) {
	clock := sharedClock()
	t.Run("embedded", func(t *testing.T) {
		folder := t.TempDir()
		loaded := func(use func(db store.DB)) {
			db := storetest.EmbeddedAt(t, folder, clock)
			use(db)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
		loaded(func(db store.DB) { loadShop(t, db, "OnlineShop", clock) })
		for range *kills {
			killClerks(t, folderVariable+"="+folder)
			loaded(func(db store.DB) { agree(t, db, "OnlineShop") })
		}
	})
	endpoint := os.Getenv(storetest.EndpointVariable)
	if endpoint == "" {
		return
	}
	t.Run("endpoint", func(t *testing.T) {
		db, table := storetest.Client(endpoint), fmt.Sprintf("clerks-%d", os.Getpid())
		loadShop(t, db, table, clock)
		for range *kills {
			killClerks(t, tableVariable+"="+table)
			agreeInTime(t, db, table)
		}
	})
}

func loadShop(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
	t.Helper()
	s := store.New(db, table, clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	shop := storetest.NewShop()
	shop.Load(t, s)
}

func agree(t *testing.T, db store.DB, table string) {
	t.Helper()
	entities, err := storetest.Entities(t.Context(), db, table)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range storetest.RentalFaults(entities) {
		t.Error(fault)
	}
}

// agreeInTime fails unless the rentals become consistent within a minute. Requests
// that were sent before the kill may still be in progress.
func agreeInTime(t *testing.T, db store.DB, table string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		entities, err := storetest.Entities(t.Context(), db, table)
		if err != nil {
			t.Fatal(err)
		}
		if len(storetest.RentalFaults(entities)) == 0 {
			return
		}
	}
	agree(t, db, table)
}

// killClerks starts a process in which clerks make changes, and kills it at a random
// time after the first 20 changes.
func killClerks(t *testing.T, place string) {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Env = append(os.Environ(), place)
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := 0
	for lines := bufio.NewReader(pipe); ; done++ {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || strings.TrimSpace(line) == "" {
			t.Fatal(line, err)
		}
		if done == 20 {
			time.AfterFunc(time.Duration(rand.IntN(200))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // the error says that the process was killed
	if done < 20 {
		t.Fatalf("got %d changes before the process ended, want at least 20", done)
	}
	t.Logf("killed after %d changes", done)
}
