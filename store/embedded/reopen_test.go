package embedded_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store/embedded"
)

// fewAllocations replaces reopenAfter in tests, so that the file is reopened after a few
// writes.
const fewAllocations = 64

// reopenings is a log that counts how often the file was reopened and how often this
// failed.
type reopenings struct{ reopened, failed atomic.Int64 }

func (r *reopenings) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("reopened the data file")) {
		r.reopened.Add(1)
	}
	if bytes.Contains(line, []byte("cannot")) {
		r.failed.Add(1)
	}
	return len(line), nil
}

// openReopening opens a new store with the shop table, and replaces reopenAfter.
func openReopening(t *testing.T, dir string, after int64) (*embedded.DB, *reopenings) {
	t.Helper()
	t.Cleanup(embedded.SetReopenAfter(after))
	log := &reopenings{}
	db, err := embedded.Open(dir, newTestClock().now, embedded.Options{
		SweepEvery: time.Hour, NoSync: true, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil && !errors.Is(err, embedded.ErrClosed) {
			t.Error(err)
		}
	})
	create(t, db, shopTable())
	return db, log
}

// TestReopen_WhileWriting checks that reopening the file and compacting it lose nothing
// while other goroutines read and write.
func TestReopen_WhileWriting(t *testing.T) {
	db, log := openReopening(t, t.TempDir(), fewAllocations)
	const places = 10
	for i := range places {
		put(t, db, with(stockKey(i), "Quantity", n(20)))
	}
	stop := make(chan struct{})
	stopped := func() bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	}
	var wait sync.WaitGroup
	results := make([]map[string]bool, 4)
	for writer := range results {
		wait.Go(func() {
			var err error
			if results[writer], err = writeOwnItems(db, writer, stop); err != nil {
				t.Errorf("write: %v", err)
			}
		})
	}
	wait.Go(func() {
		for i := 0; !stopped(); i++ {
			if err := transferOne(db, stockKey(i%places), stockKey((i+3)%places)); err != nil {
				t.Errorf("transfer: %v", err)
				return
			}
		}
	})
	for range 3 {
		wait.Go(func() {
			for !stopped() {
				if sum, lowest, err := stockOf(context.Background(), db); err != nil || sum != places*20 || lowest < 0 {
					t.Errorf("got a stock of %d, lowest %d, error %v; want %d, none below 0", sum, lowest, err, places*20)
					return
				}
			}
		})
	}
	for i := range int64(4) {
		waitFor(t, "reopening", func() bool { return log.reopened.Load() >= 5*i || t.Failed() })
		if _, err := db.Compact(t.Context()); err != nil {
			t.Errorf("compact: %v", err)
		}
	}
	close(stop)
	wait.Wait()
	for writer, exist := range results {
		got := map[string]bool{}
		for _, it := range partition(t, db, fmt.Sprint("writer ", writer)) {
			got[text(it["SK"])] = true
		}
		if !reflect.DeepEqual(got, exist) {
			t.Errorf("writer %d: got items %v, want %v", writer, got, exist)
		}
	}
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
	if failed := log.failed.Load(); failed > 0 {
		t.Errorf("got %d errors in the log, want none", failed)
	}
}

// transferOne transfers one piece between two stock items, if there is one.
func transferOne(db *embedded.DB, from, to item) error {
	_, err := db.TransactWriteItems(context.Background(), &dynamodb.TransactWriteItemsInput{TransactItems: transfer(from, to, 1)})
	if err != nil && strings.Contains(err.Error(), "ConditionalCheckFailed") {
		return nil
	}
	return err
}

// partition returns all items of a partition of the shop table, which must fit in one page
// of a query.
func partition(t *testing.T, db *embedded.DB, pk string) []item {
	t.Helper()
	out, err := db.Query(t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(shop), KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s(pk)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items
}

// pausedContext is a context whose second call of Err waits until resume is closed.
type pausedContext struct {
	context.Context
	calls          atomic.Int64
	paused, resume chan struct{}
}

func (c *pausedContext) Err() error {
	if c.calls.Add(1) == 2 {
		close(c.paused)
		<-c.resume
	}
	return c.Context.Err()
}

// TestReopen_WaitsForBackup writes during a backup. The writes must not wait, the file must
// be reopened only after the backup, and the backup must have the state before the writes.
func TestReopen_WaitsForBackup(t *testing.T) {
	dir := t.TempDir()
	db, log := openReopening(t, dir, fewAllocations)
	large := make([]item, 50) // 18 MB, so that the backup calls Err while it copies
	for i := range large {
		large[i] = with(key("large", fmt.Sprint(i)), "Data", s(strings.Repeat("x", 350<<10)))
	}
	load(t, db, large...)
	overwrite := func(value int) {
		for i := range fewAllocations {
			put(t, db, with(key("small", fmt.Sprint(i)), "Status", s("OPEN"), "Total", n(value)))
		}
	}
	overwrite(1)
	ctx := &pausedContext{Context: t.Context(), paused: make(chan struct{}), resume: make(chan struct{})}
	var backup bytes.Buffer
	done := make(chan error)
	go func() { done <- db.Backup(ctx, &backup) }()
	<-ctx.paused
	before := log.reopened.Load()
	overwrite(2)
	if after := log.reopened.Load(); before == 0 || after != before {
		t.Errorf("got the file reopened %d times before and %d times during the backup, want some and none", before, after-before)
	}
	close(ctx.resume)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	overwrite(3)
	if after := log.reopened.Load(); after == before {
		t.Error("got the file not reopened after the backup, want it reopened")
	}
	other := t.TempDir()
	if err := embedded.Restore(t.Context(), other, newTestClock().now, "the backup", &backup); err != nil {
		t.Fatal(err)
	}
	for value, db := range map[int]*embedded.DB{1: open(t, other), 3: db} {
		items := partition(t, db, "small")
		if len(items) != fewAllocations {
			t.Errorf("got %d items, want %d", len(items), fewAllocations)
		}
		for _, it := range items {
			if got := number(t, it["Total"]); got != value {
				t.Fatalf("got total %d, want %d", got, value)
			}
		}
	}
}

// TestReopen_Fails makes reopening fail. If bbolt was not yet asked to open the file, writes
// must continue. Otherwise the lock on the file may be lost, so all writes must fail. Reads
// must continue.
func TestReopen_Fails(t *testing.T) {
	for name, test := range map[string]struct {
		duplicate func(*os.File, int64) (*os.File, error)
		want      error
	}{
		"before opening":  {func(*os.File, int64) (*os.File, error) { return nil, errors.New("too many open files") }, nil},
		"while opening":   {func(file *os.File, _ int64) (*os.File, error) { return closedFile(file.Name()) }, embedded.ErrNotReopened},
		"not implemented": {func(*os.File, int64) (*os.File, error) { return nil, errors.ErrUnsupported }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Cleanup(embedded.SetDuplicate(test.duplicate))
			dir := t.TempDir()
			db, log := openReopening(t, dir, fewAllocations)
			put(t, db, key("a", "first"))
			var err error
			last := 0
			for ; last < fewAllocations && err == nil; last++ {
				_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: key("a", fmt.Sprint(last))})
			}
			if !errors.Is(err, test.want) {
				t.Errorf("got error %v, want %v", err, test.want)
			}
			if failed := log.failed.Load(); failed > 0 != (name != "not implemented") || log.reopened.Load() > 0 {
				t.Errorf("got %d errors in the log and %d times reopened, want errors only", failed, log.reopened.Load())
			}
			if get(t, db, key("a", "first")) == nil {
				t.Error("got no item, want the first one")
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			db = open(t, dir)
			if items := partition(t, db, "a"); test.want == nil && len(items) != last+1 {
				t.Errorf("got %d items, want %d", len(items), last+1)
			}
			put(t, db, key("a", "next"))
		})
	}
}

func closedFile(path string) (*os.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return file, file.Close()
}

// TestReopen_OnlyLargeFiles checks that a file with fewer pages than reopenAfter is not
// reopened, because bbolt's map cannot become large.
func TestReopen_OnlyLargeFiles(t *testing.T) {
	db, log := openReopening(t, t.TempDir(), 5000) // the file has 4,099 pages, and each put allocates five
	for i := range 1500 {
		put(t, db, with(key("a", "b"), "Status", s("OPEN"), "Total", n(i)))
	}
	if reopened := log.reopened.Load(); reopened > 0 {
		t.Errorf("got the file with %d pages reopened %d times, want never", db.Stats().FileBytes/4096, reopened)
	}
}

// reopenLoop writes like transferLoop, and reopens the file after few writes.
func reopenLoop(dir string) error {
	embedded.SetReopenAfter(fewAllocations)
	return transferLoop(dir)
}

// TestCrash_ReopenKeepsAcknowledgedWrites checks that no acknowledged write is lost if a
// writer that also reopens its file is killed.
func TestCrash_ReopenKeepsAcknowledgedWrites(t *testing.T) {
	killTransfers(t, "reopen", max(*crashes/3, 1), shopTable())
}
