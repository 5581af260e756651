package embedded_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/bbolt"

	"stockroom/store/embedded"
)

func problems(t testing.TB, db *embedded.DB) []string {
	t.Helper()
	var found []string
	if err := db.Check(t.Context(), func(problem string) { found = append(found, problem) }); err != nil {
		t.Fatal(err)
	}
	return found
}

// populatedStore creates a store with items, indexes, expiry and tokens. It closes the
// store and returns its folder.
func populatedStore(t testing.TB, items int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	if _, err := db.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
		TableName: aws.String(shop), TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("TTL"), Enabled: aws.Bool(true)},
	}); err != nil {
		t.Fatal(err)
	}
	all := make([]item, items)
	for i := range all {
		all[i] = with(order(i), "TTL", n(4e9+float64(i)))
	}
	load(t, db, all...)
	for i := range 3 {
		if _, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{
			ClientRequestToken: aws.String(fmt.Sprint("token ", i)), TransactItems: []types.TransactWriteItem{putOf(key("t", fmt.Sprint(i)), "")},
		}); err != nil {
			t.Fatal(err)
		}
	}
	if found := problems(t, db); found != nil {
		t.Fatalf("got problems %v in an intact store, want none", found)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func modifyFile(t *testing.T, dir string, change func(*bbolt.Tx) error) {
	t.Helper()
	bolt, err := bbolt.Open(file(dir), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(bolt.Update(change), bolt.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestCheck_FindsInconsistencies(t *testing.T) {
	id := "\x00\x00\x00\x01"
	deleteLast := func(bucket string) func(*bbolt.Tx) error {
		return func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte(bucket))
			c := b.Cursor()
			c.Last() // moves to the key filler, which every bucket has at its end
			k, _ := c.Prev()
			return b.Delete(k)
		}
	}
	for _, c := range []struct {
		name   string
		change func(*bbolt.Tx) error
		want   string
	}{
		{"missing item", deleteLast("items/" + id), "its item is missing"},
		{"missing index entry", deleteLast("index/" + id + "\x00\x00\x00\x01"), "missing entries: 1"},
		{"missing expiry entry", deleteLast("expiry/" + id), "missing entries: 1"},
		{"missing name", func(tx *bbolt.Tx) error { return tx.Bucket([]byte("names/" + id)).Delete([]byte{0, 0, 0, 0}) }, "the preceding name is missing"},
		{"missing token time", deleteLast("token times"), "its entry by time is missing"},
		{"extra bucket", func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket([]byte("more"))
			return err
		}, `a bucket "more" that belongs to no table`},
		{"item under another key", func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte("items/" + id))
			k, v := b.Cursor().First()
			k, v = bytes.Clone(k), bytes.Clone(v)
			k[len(k)-3]++
			return b.Put(k, v)
		}, "the checksum does not match"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := populatedStore(t, 50)
			modifyFile(t, dir, c.change)
			db, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
			if errors.Is(err, embedded.ErrDamaged) && strings.Contains(err.Error(), c.want) {
				return // a table without its names cannot be opened
			}
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if found := problems(t, db); !strings.Contains(strings.Join(found, "\n"), c.want) {
				t.Errorf("got problems %q, want %q", found, c.want)
			}
		})
	}
}

// ordersWithTTL returns the orders that populatedStore writes, but with TTL 0, because
// readAll sets the TTL of each item to 0.
func ordersWithTTL(items int) []item {
	all := make([]item, items)
	for i := range all {
		all[i] = with(order(i), "TTL", n(0))
	}
	return all
}

// readAll reads every item by key, and all items with scans of the table and of an index.
// It returns the number of reads that reported damage or found no item. It compares the
// items it reads with want, except for their TTL.
func readAll(t *testing.T, db *embedded.DB, want []item) (failed int) {
	t.Helper()
	checkItem := func(got item, i int) {
		if i < len(want) && !reflect.DeepEqual(with(got, "TTL", n(0)), want[i]) {
			t.Fatalf("item %d: got %s, want %s", i, show(got), show(want[i]))
		}
	}
	for i := range want {
		k := item{"PK": want[i]["PK"], "SK": want[i]["SK"]}
		out, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: k})
		switch {
		case errors.Is(err, embedded.ErrDamaged):
			failed++
		case err != nil:
			t.Fatalf("item %d: got error %v, want ErrDamaged or none", i, err)
		case out.Item == nil:
			failed++ // Check must report the missing item
		default:
			checkItem(out.Item, i)
		}
	}
	for _, index := range []*string{nil, aws.String("ByStatus")} {
		in := &dynamodb.ScanInput{TableName: aws.String(shop), IndexName: index, Limit: aws.Int32(17)}
		for {
			out, err := db.Scan(t.Context(), in)
			if errors.Is(err, embedded.ErrDamaged) {
				failed++
				break
			}
			if err != nil {
				t.Fatalf("scan: got error %v, want ErrDamaged or none", err)
			}
			for _, it := range out.Items {
				var i int
				if sk, ok := it["SK"].(*types.AttributeValueMemberS); ok {
					if _, err := fmt.Sscanf(sk.Value, "o#%d", &i); err == nil {
						checkItem(it, i)
					}
				}
			}
			if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
				break
			}
		}
	}
	return failed
}

// TestDamage_IsNeverReturned flips bits and truncates files at random positions. The
// store must detect the damage and must not return wrong data.
func TestDamage_IsNeverReturned(t *testing.T) {
	const items, rounds = 120, 200
	var backup bytes.Buffer // used instead of the file, which can end in unused pages, where damage has no effect
	used := open(t, populatedStore(t, items))
	if err := errors.Join(used.Backup(t.Context(), &backup), used.Close()); err != nil {
		t.Fatal(err)
	}
	intact, want := backup.Bytes(), ordersWithTTL(items)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	failedOpen, failedRead, foundByCheck, unaffected := 0, 0, 0, 0
	for round := range rounds {
		dir := t.TempDir()
		damaged := bytes.Clone(intact)
		if round%10 == 0 {
			damaged = damaged[:random.IntN(len(damaged))]
		} else {
			at := random.IntN(len(damaged))
			for range 1 + random.IntN(8) {
				damaged[min(at+random.IntN(8), len(damaged)-1)] ^= 1 << random.IntN(8)
			}
		}
		if len(damaged) == 0 {
			continue // Open would return ErrEmpty; see TestOpen_TruncatedFile
		}
		if err := os.WriteFile(file(dir), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := embedded.Open(dir, newTestClock().now, embedded.Options{NoSync: true})
		if err != nil {
			if !errors.Is(err, embedded.ErrDamaged) && !errors.Is(err, embedded.ErrForeign) {
				t.Fatalf("round %d: Open: got %v, want ErrDamaged or ErrForeign", round, err)
			}
			failedOpen++
			continue
		}
		failed, found := readAll(t, db, want), problems(t, db)
		switch {
		case failed > 0 && found == nil:
			t.Errorf("round %d: got no problem from Check, want one because %d reads failed", round, failed)
		case failed > 0:
			failedRead++
		case found != nil:
			foundByCheck++
		default:
			unaffected++ // the damage is in unused space
		}
		if err := db.Close(); err != nil {
			t.Errorf("round %d: Close: %v", round, err)
		}
	}
	t.Logf("of %d damaged files: %d failed to open, %d failed reads, %d found only by Check, %d damaged in unused space",
		rounds, failedOpen, failedRead, foundByCheck, unaffected)
	if failedOpen == 0 || failedRead == 0 {
		t.Error("got no round that failed to open, or none that failed a read, want both")
	}
}

func TestBackup_DuringWrites(t *testing.T) {
	db := openShop(t)
	for i := range 100 {
		put(t, db, order(i))
	}
	var backup bytes.Buffer
	slow := writerFunc(func(p []byte) (int, error) {
		put(t, db, with(key("during", fmt.Sprint(backup.Len())), "Name", s("x")))
		return backup.Write(p)
	})
	if err := db.Backup(t.Context(), slow); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := embedded.Restore(t.Context(), dir, newTestClock().now, "the backup", bytes.NewReader(backup.Bytes())); err != nil {
		t.Fatal(err)
	}
	restored := open(t, dir)
	mustEqual(t, readAll(t, restored, ordersWithTTL(100)), 0)
	out, err := restored.Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(shop), Select: types.SelectCount})
	if err != nil || out.Count != 100 {
		t.Errorf("restored store: got %d items, error %v; want 100", out.Count, err)
	}

	err = embedded.Restore(t.Context(), dir, newTestClock().now, "the backup", bytes.NewReader(backup.Bytes()))
	if !errors.Is(err, embedded.ErrExists) {
		t.Errorf("Restore over a store: got %v, want ErrExists", err)
	}
	changed := bytes.Clone(backup.Bytes()) // a wrong value, and a damaged header page
	copy(changed[bytes.LastIndex(changed, []byte("value 3 of ")):], "VALUE")
	changed[20]++
	for name, c := range map[string]struct {
		kind   error
		backup io.Reader
	}{
		"foreign":   {embedded.ErrForeign, strings.NewReader("not a backup")},
		"empty":     {embedded.ErrEmpty, strings.NewReader("")},
		"truncated": {embedded.ErrDamaged, bytes.NewReader(backup.Bytes()[:backup.Len()/2])},
		"changed":   {embedded.ErrDamaged, bytes.NewReader(changed)},
	} {
		dir := t.TempDir()
		err := embedded.Restore(t.Context(), dir, newTestClock().now, "the backup", c.backup)
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: got %v, want %q", name, err, c.kind)
		}
		if err != nil && (!strings.HasPrefix(err.Error(), "the backup "+c.kind.Error()+": ") || strings.Contains(err.Error(), dir)) {
			t.Errorf("%s: got %v, want only the name of the backup and no path", name, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("after a failed Restore: got files %v, error %v; want none", left, err)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Backup(cancelled, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("Backup with cancelled context: got %v, want context.Canceled", err)
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	blocks, dir := 0, t.TempDir()
	err = embedded.Restore(interrupted, dir, newTestClock().now, "the backup", readerFunc(func(p []byte) (int, error) {
		blocks++
		interrupt()
		if blocks > 3 {
			return 0, io.EOF
		}
		return len(p), nil
	}))
	if left, _ := os.ReadDir(dir); !errors.Is(err, context.Canceled) || blocks > 1 || len(left) > 0 {
		t.Errorf("Restore interrupted in its first block: got %v after %d blocks and the files %v; want context.Canceled after 1 block and no file", err, blocks, left)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
