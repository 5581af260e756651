package embedded_test

import (
	"cmp"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/bbolt"

	"stockroom/store/embedded"
	"stockroom/store/embedded/stream"
)

var damages = flag.Int("damages", 300, "number of damaged files; with 1,000 or more, all answers are compared; with 10,000 or more, the files have 20,000 items")

const itemsPerPartition = 50

var statuses = []string{"OPEN", "SHIPPED", "PAID"}

// damageKey returns the key of the item with number i in the damaged files.
func damageKey(i int) item {
	return key(fmt.Sprintf("customer#%04d", i/itemsPerPartition), fmt.Sprintf("order#%06d", i))
}

func damageItem(i int) item {
	return with(damageKey(i), "Status", s(statuses[i%len(statuses)]), "Total", n(i%500),
		"Name", s(fmt.Sprintf("item %d", i)), "Note", s(strings.Repeat("n", i%150)))
}

// damageStore creates a store with two indexes and a stream, and returns its file. The
// last commit adds the last item.
func damageStore(t testing.TB, items int) []byte {
	t.Helper()
	dir := t.TempDir()
	db := open(t, dir)
	table := streamedTable(types.StreamViewTypeKeysOnly)
	table.LocalSecondaryIndexes = nil
	create(t, db, table)
	all := make([]item, items-1)
	for i := range all {
		all[i] = damageItem(i)
	}
	load(t, db, all...)
	put(t, db, damageItem(items-1))
	if found := problems(t, db); found != nil {
		t.Fatalf("got problems %v in an intact store, want none", found)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file(dir))
	if err != nil {
		t.Fatal(err)
	}
	bolt, err := bbolt.Open(file(dir), 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer bolt.Close()
	if err := bolt.View(func(tx *bbolt.Tx) error {
		data = data[:tx.Size()] // without the space for later pages
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return data
}

// damager changes random bytes of a file.
type damager struct {
	random *rand.Rand
	intact fileFormat
	size   int   // size of the intact file
	trees  []int // offsets of the pages of trees
}

// fileFormat describes the pages of an intact file. Each page has filePage bytes. Its
// methods identify a page by its offset.
type fileFormat interface {
	page(at int) []byte
	header() (pages, length int)                // the header pages, and the length of the header in each
	isTree(page int) bool                       // page belongs to a tree
	isBranch(page int) bool                     // page belongs to a tree and has child pages
	elements(page int) (at, size, count int)    // the list of the elements of a page
	key(page, element int) (at int, length int) // the key of an element
}

// boltFile is the content of a file of the embedded engine.
type boltFile []byte

func (f boltFile) page(at int) []byte          { return f[at : at+filePage] }
func (f boltFile) header() (pages, length int) { return 2, 80 }
func (f boltFile) isBranch(page int) bool      { return binary.NativeEndian.Uint16(f[page+8:]) == 1 }

func (f boltFile) isTree(page int) bool {
	kind := binary.NativeEndian.Uint16(f[page+8:])
	return int(binary.NativeEndian.Uint64(f[page:])) == page/filePage && (kind == 1 || kind == 2)
}

func (f boltFile) elements(page int) (at, size, count int) {
	return page + 16, 16, int(binary.NativeEndian.Uint16(f[page+10:]))
}

func (f boltFile) key(page, element int) (at, length int) {
	element = page + 16 + 16*element
	field := func(i int) int { return int(binary.NativeEndian.Uint32(f[element+4*i:])) }
	if f.isBranch(page) {
		return element + field(0), field(1)
	}
	return element + field(1), field(2)
}

func newDamager(random *rand.Rand, intact fileFormat, size int) *damager {
	d := &damager{random: random, intact: intact, size: size}
	headers, _ := intact.header()
	for page := headers * filePage; page < size; page += filePage {
		if _, _, count := intact.elements(page); intact.isTree(page) && count > 0 {
			d.trees = append(d.trees, page)
		}
	}
	return d
}

// damage changes data, which is a copy of the intact file. It returns a description of the
// change, and the new length of the file.
func (d *damager) damage(data []byte) (what string, length int) {
	page := d.trees[d.random.IntN(len(d.trees))]
	if d.random.IntN(3) == 0 {
		page = d.branch()
	}
	at, name := d.random.IntN(len(data)), "anywhere"
	switch d.random.IntN(10) {
	case 0:
		at, name = d.keyByte(page), "in a key"
	case 1:
		at, name = d.keyByte(page), "in a key"
	case 2:
		at, name = page+d.random.IntN(16), "in the header of a page"
	case 3, 4:
		first, size, count := d.intact.elements(page)
		at, name = first+d.random.IntN(size*count), "in the elements of a page"
	case 5:
		pages, length := d.intact.header()
		at, name = d.random.IntN(pages*filePage), "in the header pages"
		if d.random.IntN(2) == 0 {
			at = d.random.IntN(pages)*filePage + d.random.IntN(length)
		}
	case 6:
		return d.damagePage(data, page/filePage*filePage), len(data)
	case 7:
		length := d.random.IntN(len(data))
		return fmt.Sprintf("cut after %d bytes", length), length
	}
	switch d.random.IntN(3) {
	case 0:
		data[at] ^= 1 << d.random.IntN(8)
		return fmt.Sprintf("a bit of byte %d (page %d) %s", at, at/filePage, name), len(data)
	case 1:
		data[at] += byte(1 + d.random.IntN(255))
		return fmt.Sprintf("byte %d (page %d) %s", at, at/filePage, name), len(data)
	}
	end := min(at+2+d.random.IntN(63), len(data))
	for i := at; i < end; i++ {
		data[i] = byte(d.random.Uint32())
	}
	return fmt.Sprintf("bytes %d to %d (page %d) %s", at, end, at/filePage, name), len(data)
}

func (d *damager) branch() int {
	for {
		page := d.trees[d.random.IntN(len(d.trees))]
		if d.intact.isBranch(page) {
			return page
		}
	}
}

func (d *damager) keyByte(page int) int {
	_, _, count := d.intact.elements(page)
	at, length := d.intact.key(page, d.random.IntN(count))
	return at + d.random.IntN(length)
}

func (d *damager) damagePage(data []byte, at int) string {
	page := data[at : at+filePage]
	switch d.random.IntN(3) {
	case 0:
		clear(page)
		return fmt.Sprintf("page %d with zeros", at/filePage)
	case 1:
		for i := range page {
			page[i] = byte(d.random.Uint32())
		}
		return fmt.Sprintf("page %d with random bytes", at/filePage)
	}
	other := d.random.IntN(d.size/filePage) * filePage
	copy(page, d.intact.page(other))
	return fmt.Sprintf("page %d with page %d", at/filePage, other/filePage)
}

// answers compares the answers of a damaged store with the wanted items. It counts the
// right answers and the errors.
type answers struct {
	want          []item
	changed       bool // items may have been added next to the wanted ones
	right, errors int
}

// matches reports whether got is item i of a.want, or the projection of that item in an
// index.
func (a *answers) matches(got item, i int) bool {
	if i < 0 || i >= len(a.want) {
		return false
	}
	for name, value := range a.want[i] {
		if projected := got["Name"] != nil || name != "Name" && name != "Note"; projected && (text(got[name]) != text(value) || quantityOf(got[name]) != quantityOf(value)) {
			return false
		}
	}
	return true
}

// readAll reads the stream, and then the items in several ways. It also tries to insert
// existing items. It returns one of the wrong answers, or "". To save time, a query returns
// items only with the probability 1/sample, and otherwise only their number. After a query,
// readAll reads each of the items by key with this probability, or all of them if the query
// failed.
func (a *answers) readAll(t *testing.T, db *embedded.DB, random *rand.Rand, sample int) (wrong string) {
	t.Helper()
	failed := func(err error) bool {
		if a.failed(err) && !errors.Is(err, embedded.ErrDamaged) {
			wrong = fmt.Sprintf("error %v, want ErrDamaged", err)
		}
		return err != nil
	}
	if wrong := a.readStream(t, db, failed); wrong != "" {
		return wrong
	}
	return cmp.Or(a.readItems(t, bothWays{db, t}, random, sample, failed), wrong)
}

// failed counts err as an error or, if it is nil, as a right answer. It reports whether err
// is an error.
func (a *answers) failed(err error) bool {
	if err == nil {
		a.right++
	} else {
		a.errors++
	}
	return err != nil
}

// readItems does the part of readAll that works with every database with DynamoDB's API.
// It passes the error of each call, or nil, to its last argument, except the expected
// error of an insert of an existing item.
func (a *answers) readItems(t *testing.T, db client, random *rand.Rand, sample int, failed func(error) bool) (wrong string) {
	t.Helper()
	items := len(a.want)
	for first := 0; first < items; first += itemsPerPartition {
		in := &dynamodb.QueryInput{
			TableName: aws.String(shop), KeyConditionExpression: aws.String("PK = :p AND SK < :s"), ScanIndexForward: aws.Bool(random.IntN(2) == 0),
			ExpressionAttributeValues: item{":p": a.want[first]["PK"], ":s": s("order#~")}, ConsistentRead: aws.Bool(true),
		}
		intact := a.query(t, db, in, random.IntN(sample) > 0, failed, func(i int) bool { return i/itemsPerPartition == first/itemsPerPartition }, &wrong)
		for i := first; i < first+itemsPerPartition; i++ {
			if intact && random.IntN(sample) > 0 {
				continue
			}
			out, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: damageKey(i)})
			if !failed(err) && !a.matches(out.Item, i) {
				return fmt.Sprintf("item %d: got %s", i, show(out.Item))
			}
		}
	}
	for _, index := range []string{"ByStatus", "ByTotal"} {
		for _, status := range statuses {
			in := &dynamodb.QueryInput{
				TableName: aws.String(shop), IndexName: aws.String(index), KeyConditionExpression: aws.String("#s = :s"), ScanIndexForward: aws.Bool(random.IntN(2) == 0),
				ExpressionAttributeNames: map[string]string{"#s": "Status"}, ExpressionAttributeValues: item{":s": s(status)}, Limit: aws.Int32(int32(1 + random.IntN(items))),
			}
			a.query(t, db, in, random.IntN(sample) > 0, failed, func(i int) bool { return statuses[i%len(statuses)] == status }, &wrong)
		}
	}
	for range 20 {
		absent := key(fmt.Sprintf("customer#%04d", random.IntN(items)), fmt.Sprintf("order#%06d-", random.IntN(items)))
		out, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: absent})
		if !failed(err) && out.Item != nil {
			return fmt.Sprintf("item %s: got %s, want none", show(absent), show(out.Item))
		}
		_, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: a.want[random.IntN(items)], ConditionExpression: aws.String("attribute_not_exists(PK)")})
		if exists := new(types.ConditionalCheckFailedException); errors.As(err, &exists) {
			a.right++
		} else if !failed(err) {
			return "an existing item was inserted"
		}
	}
	return wrong
}

// readStream reads the whole stream of the table. If no read fails, it returns a
// description of the first wrong record, or "".
func (a *answers) readStream(t *testing.T, db *embedded.DB, failed func(error) bool) (wrong string) {
	t.Helper()
	table, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if failed(err) {
		return ""
	}
	described, err := db.DescribeStream(t.Context(), &stream.DescribeStreamInput{StreamArn: table.Table.LatestStreamArn})
	if failed(err) {
		return ""
	}
	at, err := db.GetShardIterator(t.Context(), &stream.GetShardIteratorInput{
		StreamArn: table.Table.LatestStreamArn, ShardId: &described.StreamDescription.Shards[0].ShardId, ShardIteratorType: stream.TrimHorizon,
	})
	if failed(err) {
		return ""
	}
	count := 0
	for next := at.ShardIterator; ; {
		out, err := db.GetRecords(t.Context(), &stream.GetRecordsInput{ShardIterator: next})
		if failed(err) {
			return ""
		}
		for _, r := range out.Records {
			if i := count; i < len(a.want) && (r.EventName != stream.Insert || show(r.Change.Keys) != show(damageKey(i))) {
				return fmt.Sprintf("record %d: got %s %s", i, r.EventName, show(r.Change.Keys))
			}
			count++
		}
		if next = out.NextShardIterator; len(out.Records) == 0 {
			break
		}
	}
	if count < len(a.want) || count > len(a.want) && !a.changed {
		return fmt.Sprintf("got %d records, want %d", count, len(a.want))
	}
	return ""
}

// query checks that a query returns exactly the items for which belongs returns true, in
// any order. If the items differ, it sets *wrong. If countOnly is true, it compares only
// the number of items. It reports whether the query succeeded.
func (a *answers) query(t *testing.T, db client, in *dynamodb.QueryInput, countOnly bool, failed func(error) bool, belongs func(int) bool, wrong *string) bool {
	t.Helper()
	if countOnly {
		in.Select = types.SelectCount
	}
	got, seen := 0, make(map[int]bool)
	for {
		out, err := db.Query(t.Context(), in)
		if failed(err) {
			return false
		}
		for _, it := range out.Items {
			var i int
			if strings.HasSuffix(text(it["SK"]), "+") { // written by changeNeighbours
				got--
				continue
			}
			if _, err := fmt.Sscanf(text(it["SK"]), "order#%d", &i); err != nil || !a.matches(it, i) || !belongs(i) || seen[i] {
				*wrong = fmt.Sprintf("got item %s", show(it))
			}
			seen[i] = true
		}
		got += int(out.Count)
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			break
		}
	}
	want := 0
	for i := range a.want {
		if belongs(i) {
			want++
		}
	}
	if got != want && !(countOnly && got > want && a.changed) {
		*wrong = fmt.Sprintf("query %s of %s: got %d items, want %d", *in.KeyConditionExpression, show(in.ExpressionAttributeValues), got, want)
	}
	return true
}

// changeNeighbours loads new items next to existing ones, some of them between the same two
// existing items. It then puts more such items, changes some of these, and deletes them.
// Existing items stay.
func (a *answers) changeNeighbours(t *testing.T, db *embedded.DB, random *rand.Rand) {
	t.Helper()
	a.changed = true
	var loaded [][]item
	for i := range 60 {
		near := damageItem((random.IntN(len(a.want)/20) + i/3*len(a.want)/20) % len(a.want))
		near["SK"] = s(fmt.Sprintf("%s-%d+", text(near["SK"]), i))
		near["Status"] = s("NEW")
		loaded = append(loaded, []item{near})
	}
	if _, err := loadInto(t, db, shop, loaded...); err != nil && !errors.Is(err, embedded.ErrDamaged) {
		t.Fatalf("load: got error %v, want ErrDamaged or none", err)
	}
	for range 30 {
		near := damageItem(random.IntN(len(a.want)))
		near["SK"] = s(text(near["SK"]) + "+")
		near["Status"] = s("NEW")
		_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: near})
		if err == nil && random.IntN(3) > 0 {
			_, err = db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: item{"PK": near["PK"], "SK": near["SK"]}})
		} else if err == nil {
			near["Note"] = s(strings.Repeat("x", 3000))
			if _, err = db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: near}); err == nil {
				_, err = db.DeleteItem(t.Context(), &dynamodb.DeleteItemInput{TableName: aws.String(shop), Key: item{"PK": near["PK"], "SK": near["SK"]}})
			}
		}
		if err != nil && !errors.Is(err, embedded.ErrDamaged) {
			t.Fatalf("write: got error %v, want ErrDamaged or none", err)
		}
	}
}

// TestDamage_IsNeverSilent damages files at random. Each answer must be right or an
// error, also after writes next to existing items. If a header page is damaged, the store
// may open in the state of an earlier commit, but must say so.
func TestDamage_IsNeverSilent(t *testing.T) {
	items, sample := 400, 4
	switch {
	case *damages >= 10_000:
		items, sample = 20_000, 20
	case *damages >= 1000:
		sample = 1
	}
	intact := damageStore(t, items)
	dir := filepath.Join(t.TempDir(), "data") // a private folder, so that only damage causes warnings
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	use := *seed
	if use == 0 {
		use = rand.Uint64()
	}
	t.Logf("-seed %d, %d items, file of %d bytes", use, items, len(intact))
	random := rand.New(rand.NewPCG(use, 0))
	d := newDamager(random, boltFile(intact), len(intact))
	want := make([]item, items)
	for i := range want {
		want[i] = damageItem(i)
	}
	var total answers
	failedOpen, affected, unaffected, warned, silent := 0, 0, 0, 0, 0
	data := make([]byte, len(intact))
	for round := range *damages {
		if round%1000 == 999 {
			t.Logf("%d files: %d gave wrong answers", round+1, silent)
		}
		copy(data, intact)
		what, length := d.damage(data)
		if length == 0 {
			continue // an empty file is a different case
		}
		if err := os.WriteFile(file(dir), data[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := embedded.Open(dir, newTestClock().now, embedded.Options{NoSync: true, SweepEvery: time.Hour})
		if err != nil {
			if !errors.Is(err, embedded.ErrDamaged) && !errors.Is(err, embedded.ErrForeign) {
				t.Fatalf("round %d: %s: Open: got %v, want ErrDamaged or ErrForeign", round, what, err)
			}
			failedOpen++
			continue
		}
		found := answers{want: want}
		wrong := ""
		if round%5 == 0 {
			found.changeNeighbours(t, db, random)
			wrong = "after writes: "
		}
		if result := found.readAll(t, db, random, sample); result != "" {
			wrong += result
		} else {
			wrong = ""
		}
		total.right += found.right
		total.errors += found.errors
		switch {
		case len(db.Warnings()) > 0:
			warned++
		case wrong != "":
			silent++
			t.Errorf("round %d: %s: %s", round, what, wrong)
		case found.errors > 0:
			affected++
		default:
			unaffected++
		}
		if err := db.Close(); err != nil {
			t.Errorf("round %d: %s: Close: %v", round, what, err)
		}
	}
	t.Logf("of %d damaged files: %d failed to open, %d opened with a warning, %d returned errors, %d were damaged in unused space, %d gave wrong answers; %d right answers, %d errors",
		*damages, failedOpen, warned, affected, unaffected, silent, total.right, total.errors)
	if failedOpen == 0 || affected == 0 || warned == 0 {
		t.Error("no file failed to open, returned an error, or opened with a warning, want all three")
	}
}

// TestOpen_DamagedFreelistTwice damages the freelist, on which bbolt panics while it opens
// the file. The failed Open must release the lock on the file.
func TestOpen_DamagedFreelistTwice(t *testing.T) {
	dir := t.TempDir()
	data := damageStore(t, 100)
	for page := 2 * filePage; page < len(data); page += filePage {
		if kind := data[page+8 : page+10]; binary.NativeEndian.Uint16(kind) == 0x10 {
			binary.NativeEndian.PutUint16(kind, 0x02)
		}
	}
	if err := os.WriteFile(file(dir), data, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		wantOpenError(t, dir, embedded.ErrDamaged)
	}
}
