package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded"
)

// contents returns all items of the shop table and all entries of its index ByStatus.
func contents(t *testing.T, db *embedded.DB) (all []item) {
	t.Helper()
	for _, index := range []*string{nil, aws.String("ByStatus")} {
		in := &dynamodb.ScanInput{TableName: aws.String(shop), IndexName: index}
		for {
			out, err := db.Scan(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, out.Items...)
			if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
				break
			}
		}
	}
	return all
}

func compactItem(i int) item {
	return with(key(fmt.Sprintf("p%02d", i%20), fmt.Sprintf("%05d", i)), "Status", s("OPEN"), "Total", n(i), "Name", s(strings.Repeat("x", i%300)))
}

func TestCompact_KeepsContents(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	items := make([]item, 2400)
	for i := range items {
		items[i] = compactItem(i)
	}
	load(t, db, items...)
	for chunk := range slices.Chunk(items[:1800], 25) {
		deletes := make([]types.WriteRequest, len(chunk))
		for i, it := range chunk {
			deletes[i].DeleteRequest = &types.DeleteRequest{Key: item{"PK": it["PK"], "SK": it["SK"]}}
		}
		if _, err := db.BatchWriteItem(t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{shop: deletes}}); err != nil {
			t.Fatal(err)
		}
	}
	want := contents(t, db)
	result, err := db.Compact(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if size := db.Stats().FileBytes; result.After != size || result.After > result.Before/2 {
		t.Errorf("got %+v and a file of %d bytes, want less than half", result, size)
	}
	check := func(what string) {
		t.Helper()
		if got := contents(t, db); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %d items and entries, want the same %d as before", what, len(got), len(want))
		}
		if found := problems(t, db); found != nil {
			t.Errorf("%s: got problems %v, want none", what, found)
		}
	}
	check("after Compact")
	put(t, db, compactItem(7000))
	want = contents(t, db)
	if got := names(t, dir); !reflect.DeepEqual(got, []string{embedded.FileName}) {
		t.Errorf("got files %q, want the store only", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	check("after reopening")
}

// writeOwnItems puts and deletes items of one partition until stop is closed, and then
// returns the keys of the items that exist.
func writeOwnItems(db *embedded.DB, writer int, stop <-chan struct{}) (exist map[string]bool, err error) {
	exist = map[string]bool{}
	for i := 0; ; i++ {
		select {
		case <-stop:
			return exist, nil
		default:
		}
		k := key(fmt.Sprint("writer ", writer), fmt.Sprint(i%97))
		name := fmt.Sprint(i % 97)
		if exist[name] && i%2 == 0 {
			_, err = db.DeleteItem(context.Background(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: k})
			delete(exist, name)
		} else {
			_, err = db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: with(k, "Status", s("OPEN"), "Total", n(i), fmt.Sprint("Attribute", i%200), s("x"))})
			exist[name] = true
		}
		if err != nil {
			return exist, err
		}
	}
}

// TestCompact_WhileWriting checks that several compactions lose nothing while writers
// change items and tables.
func TestCompact_WhileWriting(t *testing.T) {
	db := openShop(t)
	items := make([]item, 3000)
	for i := range items {
		items[i] = compactItem(i)
	}
	load(t, db, items...)
	stop := make(chan struct{})
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
	deleted := 0
	wait.Go(func() { // deletes the last items
		for i := range slices.Backward(items[1000:]) {
			select {
			case <-stop:
				return
			default:
			}
			k := item{"PK": items[1000+i]["PK"], "SK": items[1000+i]["SK"]}
			if _, err := db.DeleteItem(context.Background(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: k}); err != nil {
				t.Errorf("delete: %v", err)
			}
			deleted++
		}
	})
	wait.Go(func() { // reads
		for {
			select {
			case <-stop:
				return
			default:
			}
			out, err := db.Scan(context.Background(), &dynamodb.ScanInput{TableName: aws.String(shop)})
			if err != nil || out.Count < 1000 {
				t.Errorf("got %d items, %v; want at least 1000", out.Count, err)
				return
			}
		}
	})
	wait.Go(func() { // creates and deletes tables
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			table := shopTable()
			table.TableName = aws.String(fmt.Sprint("Table", i%3))
			_, err := db.CreateTable(context.Background(), table)
			if err == nil && i%3 > 0 {
				_, err = db.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: table.TableName})
			}
			if err != nil && i > 2 && i%3 > 0 {
				t.Errorf("table: %v", err)
			}
		}
	})
	for range 6 {
		if _, err := db.Compact(t.Context()); err != nil {
			t.Errorf("compact: %v", err)
		}
	}
	close(stop)
	wait.Wait()
	for i, it := range items {
		if exists := get(t, db, item{"PK": it["PK"], "SK": it["SK"]}) != nil; exists != (i < len(items)-deleted) {
			t.Errorf("item %d of %d after %d deletes: got exists %v, want %v", i, len(items), deleted, exists, !exists)
		}
	}
	for writer, exist := range results {
		out, err := db.Query(t.Context(), &dynamodb.QueryInput{
			TableName: aws.String(shop), KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s(fmt.Sprint("writer ", writer))},
		})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, it := range out.Items {
			got[text(it["SK"])] = true
		}
		if !reflect.DeepEqual(got, exist) {
			t.Errorf("writer %d: got items %v, want %v", writer, got, exist)
		}
	}
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
}

// TestCompact_WhileSnapshotsAreOpen compacts a store that has two open snapshots of the old
// file. Compact must return, and each snapshot must end, while the other one is open.
func TestCompact_WhileSnapshotsAreOpen(t *testing.T) {
	db := open(t, t.TempDir())
	create(t, db, shopTable())
	load(t, db, compactItem(1))
	first, second := holdSnapshot(t, db), holdSnapshot(t, db)
	defer first()
	if _, err := db.Compact(t.Context()); err != nil {
		t.Fatal(err)
	}
	second()
	if got := len(contents(t, db)); got != 2 {
		t.Errorf("got %d items and entries, want 2", got)
	}
}

// holdSnapshot opens a snapshot. The returned function ends it, and waits until it has
// ended.
func holdSnapshot(t *testing.T, db *embedded.DB) (end func()) {
	t.Helper()
	opened, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		ended <- embedded.HoldSnapshot(db, func() {
			close(opened)
			<-release
		})
	}()
	<-opened
	return func() {
		close(release)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestCompactInBackground(t *testing.T) {
	db := openShop(t)
	put(t, db, compactItem(1))
	if err := db.CompactInBackground(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "end of Compact", func() bool { return !db.CompactStatus().Ended.IsZero() })
	if status := db.CompactStatus(); status.Running || status.Err != nil || status.Result.After == 0 {
		t.Errorf("got %+v, want a result", status)
	}
}

// TestCompactInBackground_StoppedByClose closes the store while it is being compacted.
// The log must say how the compaction ended, and must not contain an error.
func TestCompactInBackground_StoppedByClose(t *testing.T) {
	var log strings.Builder
	db, err := embedded.Open(t.TempDir(), newTestClock().now, embedded.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	create(t, db, shopTable())
	for n := range 200 {
		put(t, db, compactItem(n))
	}
	if err := db.CompactInBackground(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "compact") {
		t.Errorf("got the log %s, want how the compaction ended, and no error", &log)
	}
}

// TestBackgroundWork_NotAfterClose starts a compaction and a check on a closed store.
// Neither may run.
func TestBackgroundWork_NotAfterClose(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.CompactInBackground(); !errors.Is(err, embedded.ErrClosed) {
		t.Errorf("CompactInBackground: got %v, want ErrClosed", err)
	}
	if _, err := db.Compact(t.Context()); !errors.Is(err, embedded.ErrClosed) {
		t.Errorf("Compact: got %v, want ErrClosed", err)
	}
	if status := db.CompactStatus(); status.Running || !status.Ended.IsZero() {
		t.Errorf("got %+v, want no compaction", status)
	}
	db.CheckInBackground(0, time.Hour)
	if status := db.CheckStatus(); !status.Next.IsZero() {
		t.Errorf("got a check planned for %v, want none", status.Next)
	}
	if after, err := os.ReadDir(dir); err != nil || len(after) != len(before) {
		t.Errorf("got files %v, error %v; want %v", after, err, before)
	}
}

// TestCompactInBackground_AtOnce starts compactions from several goroutines. Only those
// that do not overlap may run, and the log must not contain an error.
func TestCompactInBackground_AtOnce(t *testing.T) {
	var log strings.Builder
	db, err := embedded.Open(t.TempDir(), newTestClock().now, embedded.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	var started atomic.Int64
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			switch err := db.CompactInBackground(); {
			case err == nil:
				started.Add(1)
			case !errors.Is(err, embedded.ErrCompacting):
				t.Errorf("got %v, want no error or ErrCompacting", err)
			}
		})
	}
	group.Wait()
	waitFor(t, "end of Compact", func() bool { return !db.CompactStatus().Running })
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(log.String(), "compacted the embedded store"); int64(got) != started.Load() || strings.Contains(log.String(), "level=ERROR") {
		t.Errorf("got %d compactions and the log %s, want %d and no error", got, &log, started.Load())
	}
}

// TestCompact_KeepsFolder compacts a store whose temporary folder cannot be removed.
// Compact must succeed, and log that the folder remains.
func TestCompact_KeepsFolder(t *testing.T) {
	var log strings.Builder
	db, err := embedded.Open(t.TempDir(), newTestClock().now, embedded.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	create(t, db, shopTable())
	put(t, db, compactItem(1))
	embedded.SetRemoveAll(t, func(string) error { return errors.New("folder in use") })
	if result, err := db.Compact(t.Context()); err != nil || result.After == 0 {
		t.Errorf("got %+v, %v; want a result", result, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "folder in use") {
		t.Errorf("got the log %s, want why the folder remains", &log)
	}
}

// TestCompact_Damaged checks that Compact does not change a damaged store.
func TestCompact_Damaged(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	put(t, db, with(key("a", "damaged"), "Name", s("a long and unique name")), key("a", "intact"))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file(dir))
	if err != nil {
		t.Fatal(err)
	}
	data = []byte(strings.ReplaceAll(string(data), "unique", "changed"[:6]))
	if err := os.WriteFile(file(dir), data, 0o600); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	if _, err := db.Compact(t.Context()); !errors.Is(err, embedded.ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
	put(t, db, key("a", "new"))
	if get(t, db, key("a", "intact")) == nil {
		t.Error("got no item, want the intact one")
	}
	if got := names(t, dir); !reflect.DeepEqual(got, []string{embedded.FileName}) {
		t.Errorf("got files %q, want the store only", got)
	}
}

// TestCompact_WaitingProcess opens the store a second time, as another process would.
// Meanwhile, it compacts and closes the store. The second Open waits for the lock of the
// old file. It must then open the new file.
func TestCompact_WaitingProcess(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	put(t, db, compactItem(1))
	opened := make(chan *embedded.DB)
	go func() {
		second, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
		if err != nil {
			t.Error(err)
		}
		opened <- second
	}()
	time.Sleep(100 * time.Millisecond) // less than the second for which Open waits
	_, err := db.Compact(t.Context())
	if err = errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	second := <-opened
	if second == nil {
		t.Fatal("the second process could not open the store, want it to wait and then open it")
	}
	put(t, second, compactItem(2))
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	for i := 1; i <= 2; i++ {
		if k := compactItem(i); get(t, db, item{"PK": k["PK"], "SK": k["SK"]}) == nil {
			t.Errorf("got no item %d, want it", i)
		}
	}
}

// compactLoop compacts again and again while transferLoop writes.
func compactLoop(dir string) error {
	return transfers(dir, func(db *embedded.DB) error {
		for {
			if _, err := db.Compact(context.Background()); err != nil {
				return err
			}
		}
	})
}

// TestCrash_CompactKeepsAcknowledgedWrites checks that no acknowledged write is lost if a
// writer that also compacts its store is killed, and that no temporary folder of a
// compaction remains.
func TestCrash_CompactKeepsAcknowledgedWrites(t *testing.T) {
	dir := killTransfers(t, "compact", max(*crashes/3, 1), shopTable())
	for _, name := range names(t, dir) {
		if strings.HasPrefix(name, ".stockroom-compact-") {
			t.Errorf("got the folder %s of a killed process, want it removed", filepath.Join(dir, name))
		}
	}
}
