package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded"
)

// TestLoad_SkipsExistingKeys checks that a load inserts only new items: it skips an
// item that exists, and the second of two items with the same key.
func TestLoad_SkipsExistingKeys(t *testing.T) {
	const count = 4000
	db := openShop(t)
	before := with(order(7), "Status", s("OLD"), "Name", s("before"))
	put(t, db, before, key("other", "item"))
	items := orders(count)
	items = append(items, with(order(2500), "Name", s("twice")))
	skipped, err := loadInto(t, db, shop, groupsOf(items)...)
	if err != nil || !slices.Equal(skipped, []int{7, count}) {
		t.Fatalf("got skipped %v, error %v; want 7 and %d", skipped, err, count)
	}
	mustEqual(t, get(t, db, item{"PK": order(7)["PK"], "SK": order(7)["SK"]}), before)
	mustEqual(t, get(t, db, item{"PK": order(2500)["PK"], "SK": order(2500)["SK"]}), order(2500))
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
	mustEqual(t, itemCount(t, db), int64(count+1))
}

// TestExistingKeys checks the result for keys before, between and after the stored ones.
func TestExistingKeys(t *testing.T) {
	db := openShop(t)
	put(t, db, key("b", "2"), with(key("a", "1"), "Name", s("name")), key("d", "1"))
	got, err := db.ExistingKeys(t.Context(), shop, []item{
		key("d", "1"), key("b", "1"), key("a", "0"), key("b", "2"), key("c", "1"), key("a", "1"), key("b", "2"), key("e", "1"),
	})
	if err != nil {
		t.Fatal(err)
	}
	mustEqual(t, got, []item{key("a", "1"), key("b", "2"), key("b", "2"), key("d", "1")})
	_, err = db.ExistingKeys(t.Context(), shop, []item{{"PK": s("a")}})
	wantInvalid(t, err, "The provided key element does not match the schema")
	var missing *types.ResourceNotFoundException
	if _, err = db.ExistingKeys(t.Context(), "Nowhere", []item{key("a", "1")}); !errors.As(err, &missing) {
		t.Errorf("ExistingKeys of a missing table: got %v, want ResourceNotFoundException", err)
	}
}

func TestLoad_IsAtomic(t *testing.T) {
	db := openShop(t)
	_, err := loadInto(t, db, shop, []item{key("a", "a")}, []item{{"PK": s("a")}})
	wantInvalid(t, err, "One or more parameter values were invalid: Missing the key SK in the item")
	var missing *types.ResourceNotFoundException
	if _, err = loadInto(t, db, "Nowhere", orders(1)); !errors.As(err, &missing) {
		t.Errorf("Load into missing table: got %v, want ResourceNotFoundException", err)
	}
	mustEqual(t, get(t, db, key("a", "a")), item(nil))
}

// TestLoad_Groups checks which groups are inserted if some of their items exist or
// occur twice.
func TestLoad_Groups(t *testing.T) {
	db := openShop(t)
	before := with(key("b", "2"), "Name", s("before"))
	put(t, db, key("a", "1"), before)
	skipped, err := loadInto(t, db, shop,
		[]item{key("a", "1"), key("a", "2"), key("c", "2")},          // the first item exists in the table
		[]item{key("b", "1"), with(key("b", "2"), "Name", s("new"))}, // the second item exists in the table
		[]item{key("c", "1"), key("c", "2"), key("c", "3")},
		[]item{key("c", "1"), key("c", "4")}, // the first item occurs twice in the load
		[]item{key("d", "1"), key("c", "3")}, // the second item occurs twice in the load
	)
	if err != nil || !slices.Equal(skipped, []int{0, 3}) {
		t.Fatalf("got skipped %v, error %v; want 0 and 3", skipped, err)
	}
	for _, want := range []item{key("a", "1"), key("b", "1"), key("c", "1"), key("c", "2"), key("c", "3"), key("d", "1")} {
		mustEqual(t, get(t, db, want), want)
	}
	mustEqual(t, get(t, db, key("b", "2")), before)
	for _, k := range []item{key("a", "2"), key("c", "4")} {
		mustEqual(t, get(t, db, k), item(nil))
	}
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
}

// TestLoad_FollowsTheDefinition changes the table definition between Add and Commit.
// The new definition must apply to all items.
func TestLoad_FollowsTheDefinition(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, db *embedded.DB){
		"names": func(t *testing.T, db *embedded.DB) { put(t, db, with(key("x", "x"), "Unknown", s("name"))) },
		"new index": func(t *testing.T, db *embedded.DB) {
			_, err := db.UpdateTable(t.Context(), &dynamodb.UpdateTableInput{
				TableName:            aws.String(shop),
				AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("Attribute01"), AttributeType: types.ScalarAttributeTypeS}},
				GlobalSecondaryIndexUpdates: []types.GlobalSecondaryIndexUpdate{{Create: &types.CreateGlobalSecondaryIndexAction{
					IndexName:  aws.String("later"),
					KeySchema:  []types.KeySchemaElement{{AttributeName: aws.String("Attribute01"), KeyType: types.KeyTypeHash}},
					Projection: &types.Projection{ProjectionType: types.ProjectionTypeAll},
				}}},
			})
			if err != nil {
				t.Fatal(err)
			}
		},
		"TTL": func(t *testing.T, db *embedded.DB) {
			_, err := db.UpdateTimeToLive(t.Context(), &dynamodb.UpdateTimeToLiveInput{
				TableName:               aws.String(shop),
				TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String("Total"), Enabled: aws.Bool(true)},
			})
			if err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			db := openShop(t)
			l := db.StartLoad(shop)
			for i := range 50 {
				if err := l.Add(order(i), key("more", order(i)["SK"].(*types.AttributeValueMemberS).Value)); err != nil {
					t.Fatal(err)
				}
			}
			put(t, db, order(7))
			change(t, db)
			if err := l.Add(order(50), with(key("z", "z"), "Later", s("name"))); err != nil {
				t.Fatal(err)
			}
			if taken, _, err := l.Commit(t.Context()); err != nil || !slices.Equal(taken, []int{7}) {
				t.Fatalf("got skipped %v, error %v; want 7", taken, err)
			}
			for _, i := range []int{0, 7, 50} {
				mustEqual(t, get(t, db, item{"PK": order(i)["PK"], "SK": order(i)["SK"]}), order(i))
			}
			if found := problems(t, db); found != nil {
				t.Errorf("got problems %v, want none", found)
			}
		})
	}
}

// TestLoad_TableCreatedAgain deletes and creates the table during a load. The new table has
// none of the attribute names of the items. Commit must write all items completely.
func TestLoad_TableCreatedAgain(t *testing.T) {
	for name, last := range map[string][]item{"Commit adopts": nil, "Add adopts": {with(key("z", "z"), "Later", s("name"))}} {
		t.Run(name, func(t *testing.T) {
			db := openShop(t)
			l := db.StartLoad(shop)
			for i := range 50 {
				if err := l.Add(order(i)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := db.DeleteTable(t.Context(), &dynamodb.DeleteTableInput{TableName: aws.String(shop)}); err != nil {
				t.Fatal(err)
			}
			create(t, db, shopTable())
			if last != nil {
				if err := l.Add(last...); err != nil {
					t.Fatal(err)
				}
			}
			if _, _, err := l.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i := range 50 {
				mustEqual(t, get(t, db, item{"PK": order(i)["PK"], "SK": order(i)["SK"]}), order(i))
			}
			if found := problems(t, db); found != nil {
				t.Errorf("got problems %v, want none", found)
			}
		})
	}
}

// TestLoad_IsFullAtManyPages checks that the number of items at which a load is full is
// smaller after a load that changed many pages. Items that a load skips do not count.
func TestLoad_IsFullAtManyPages(t *testing.T) {
	const count = 1000
	db := openShop(t)
	add := func(from int, note string) embedded.Load {
		l := db.StartLoad(shop)
		for i := range count {
			if l.Full() {
				t.Fatalf("load with %d items: got full, want not full", i)
			}
			if err := l.Add(with(order(from+i), "Note", s(note))); err != nil {
				t.Fatal(err)
			}
		}
		return l
	}
	for round, c := range []struct {
		from int
		note string
		full bool // after the previous load
	}{
		{0, strings.Repeat("n", 30_000), false},
		{1, "", true}, // only the last item is new
		{count + 1, "", true},
		{2*count + 1, "", false},
	} {
		l := add(c.from, c.note)
		if got := l.Full(); got != c.full {
			t.Errorf("round %d: got full %t, want %t", round, got, c.full)
		}
		if _, _, err := l.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLoad_DividesManyPages loads items that change 1.5 times as many pages as one
// transaction may change. The load must take two transactions, and skip the groups whose
// first item exists.
func TestLoad_DividesManyPages(t *testing.T) {
	db, groups, taken := scattered(t)
	before := db.Stats().Commits
	got, err := loadInto(t, db, shop, groups...)
	if err != nil || !slices.Equal(got, taken) {
		t.Fatalf("got skipped %v, error %v; want %v", got, err, taken)
	}
	if commits := db.Stats().Commits - before; commits != 2 {
		t.Errorf("got %d transactions, want 2", commits)
	}
	mustEqual(t, itemCount(t, db), int64(3*len(groups)-len(taken)))
	if found := problems(t, db); found != nil {
		t.Errorf("got problems %v, want none", found)
	}
}

// TestLoad_StopsAfterPart cancels a divided load after its first transaction. Commit must
// return what this transaction did.
func TestLoad_StopsAfterPart(t *testing.T) {
	db, groups, taken := scattered(t)
	l := db.StartLoad(shop)
	for _, group := range groups {
		if err := l.Add(group...); err != nil {
			t.Fatal(err)
		}
	}
	got, done, err := l.Commit(cancelledAfter{t.Context(), db, db.Stats().Commits + 1})
	if want := len(groups) / 2; !errors.Is(err, context.Canceled) || done != want || !slices.Equal(got, taken[:1]) {
		t.Fatalf("got skipped %v, %d groups done, error %v; want %v, %d, cancelled", got, done, err, taken[:1], want)
	}
	mustEqual(t, itemCount(t, db), int64(len(groups)+len(taken)+2*(done-1)))
	mustEqual(t, get(t, db, groups[done-1][1]), groups[done-1][1])
	mustEqual(t, get(t, db, groups[done][1]), item(nil))
}

// cancelledAfter is a context that is cancelled when the database has made a number of
// commits.
type cancelledAfter struct {
	context.Context
	db      *embedded.DB
	commits int64
}

func (c cancelledAfter) Err() error {
	if c.db.Stats().Commits >= c.commits {
		return context.Canceled
	}
	return nil
}

// scattered returns groups of two items. Together they change 1.5 times as many pages as
// one transaction may change. It also returns the positions of two groups whose first
// item exists, one in each half.
func scattered(t *testing.T) (db *embedded.DB, groups [][]item, taken []int) {
	t.Helper()
	const maxPages, perPage = 300, 2
	embedded.SetLoadLimits(t, maxPages, 100)
	db = openShop(t)
	var pages [][]item
	for i := range perPage * (maxPages + maxPages/2) {
		key := func(sort string) item { return key(fmt.Sprintf("c#%06d", i), sort) }
		pages = append(pages, []item{with(key("b"), "Note", s(strings.Repeat("n", 1700)))})
		groups = append(groups, []item{key("a"), key("c")})
	}
	if _, err := loadInto(t, db, shop, pages...); err != nil {
		t.Fatal(err)
	}
	taken = []int{len(groups) / 3, len(groups) - 1}
	for _, i := range taken {
		put(t, db, with(groups[i][0], "Name", s("before")))
	}
	return db, groups, taken
}

func itemCount(t *testing.T, db *embedded.DB) int64 {
	t.Helper()
	out, err := db.DescribeTable(t.Context(), &dynamodb.DescribeTableInput{TableName: aws.String(shop)})
	if err != nil {
		t.Fatal(err)
	}
	return *out.Table.ItemCount
}
