package embedded_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded"
)

// benchItems returns the number of items for benchmarks of reads: the value of
// STOCKROOM_BENCH_ITEMS, or by default a number of items that do not fit into the CPU
// caches.
func benchItems() int {
	if count, err := strconv.Atoi(os.Getenv("STOCKROOM_BENCH_ITEMS")); err == nil {
		return count
	}
	return 50_000
}

// order returns an item that resembles an order, with 24 attributes and two index
// entries.
func order(i int) item {
	it := with(key(fmt.Sprintf("c#%05d", i/40), fmt.Sprintf("o#%08d", i)),
		"Status", s(fmt.Sprintf("S%04d", i%997)), "Total", n(i%5000))
	for a := range 20 {
		it[fmt.Sprintf("Attribute%02d", a)] = s(fmt.Sprintf("value %d of %d", a, i))
	}
	return it
}

func orders(count int) []item {
	all := make([]item, count)
	for i := range all {
		all[i] = order(i)
	}
	return all
}

// load inserts new items with a Load, as imports do.
func load(t testing.TB, db *embedded.DB, items ...item) {
	t.Helper()
	for chunk := range slices.Chunk(items, 20_000) {
		if skipped, err := loadInto(t, db, shop, groupsOf(chunk)...); err != nil || len(skipped) > 0 {
			t.Fatalf("load: skipped %v, error %v; want none", skipped, err)
		}
	}
}

func loadInto(t testing.TB, db *embedded.DB, table string, groups ...[]item) ([]int, error) {
	t.Helper()
	l := db.StartLoad(table)
	for _, group := range groups {
		if err := l.Add(group...); err != nil {
			return nil, err
		}
	}
	taken, _, err := l.Commit(t.Context())
	return taken, err
}

func groupsOf(items []item) [][]item {
	groups := make([][]item, len(items))
	for i := range items {
		groups[i] = items[i : i+1]
	}
	return groups
}

// benchTable returns the shop table with two global indexes that project all attributes.
func benchTable() *dynamodb.CreateTableInput {
	in := shopTable()
	in.LocalSecondaryIndexes = nil
	in.GlobalSecondaryIndexes[1].Projection = &types.Projection{ProjectionType: types.ProjectionTypeAll}
	return in
}

var projectedNames = func() []string {
	names := []string{"PK", "SK", "Status", "Total"}
	for a := range 8 {
		names = append(names, fmt.Sprintf("Attribute%02d", 2*a))
	}
	return names
}()

// BenchmarkQuery queries pages of 26 items on the engine. If STOCKROOM_TEST_ENDPOINT
// is set, it also queries that endpoint.
func BenchmarkQuery(b *testing.B) {
	db := open(b, b.TempDir())
	create(b, db, benchTable())
	load(b, db, orders(benchItems())...)
	b.Run("engine", func(b *testing.B) { benchmarkQuery(b, db.Query) })
	b.Run("engine, rows", func(b *testing.B) {
		benchmarkQuery(b, func(ctx context.Context, in *dynamodb.QueryInput, _ ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
			_, out, err := db.QueryRows(ctx, in)
			return out, err
		})
	})
	if endpoint := os.Getenv(endpointVariable); endpoint != "" {
		other := endpointWithOrders(b, endpoint)
		b.Run("endpoint", func(b *testing.B) { benchmarkQuery(b, other.Query) })
	}
}

func benchmarkQuery(b *testing.B, query func(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)) {
	projection := ""
	names := map[string]string{"#k": "PK"}
	for i, name := range projectedNames {
		names[fmt.Sprint("#p", i)] = name
		projection += fmt.Sprintf(", #p%d", i)
	}
	random := rand.New(rand.NewPCG(1, 2))
	byKey := func() types.AttributeValue { return s(fmt.Sprintf("c#%05d", random.IntN(benchItems()/40))) }
	byStatus := func() types.AttributeValue { return s(fmt.Sprintf("S%04d", random.IntN(997))) }
	for _, c := range []struct {
		name       string
		index      *string
		key        string
		value      func() types.AttributeValue
		projection *string
		mode       types.Select
	}{
		{"key order, count", nil, "PK", byKey, nil, types.SelectCount},
		{"key order, all", nil, "PK", byKey, nil, ""},
		{"key order, 12 of 24", nil, "PK", byKey, aws.String(projection[2:]), ""},
		{"index, count", aws.String("ByStatus"), "Status", byStatus, nil, types.SelectCount},
		{"index, all", aws.String("ByStatus"), "Status", byStatus, nil, ""},
		{"index, 12 of 24", aws.String("ByStatus"), "Status", byStatus, aws.String(projection[2:]), ""},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			in := &dynamodb.QueryInput{
				TableName: aws.String(shop), IndexName: c.index, Limit: aws.Int32(26), KeyConditionExpression: aws.String("#k = :k"),
				ProjectionExpression: c.projection, Select: c.mode, ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
			}
			in.ExpressionAttributeNames = map[string]string{"#k": c.key}
			if c.projection != nil {
				names["#k"] = c.key
				in.ExpressionAttributeNames = names
			}
			for b.Loop() {
				in.ExpressionAttributeValues = item{":k": c.value()}
				out, err := query(b.Context(), in)
				if err != nil || out.Count != 26 {
					b.Fatalf("got %d items, error %v; want 26", out.Count, err)
				}
			}
		})
	}
}

func endpointWithOrders(b *testing.B, endpoint string) client {
	other := connectWith(b, endpoint, benchTable())
	for chunk := range slices.Chunk(puts(orders(benchItems())), 25) {
		_, err := other.BatchWriteItem(b.Context(), &dynamodb.BatchWriteItemInput{RequestItems: map[string][]types.WriteRequest{shop: chunk}})
		if err != nil {
			b.Fatal(err)
		}
	}
	return other
}

func puts(items []item) []types.WriteRequest {
	all := make([]types.WriteRequest, len(items))
	for i, it := range items {
		all[i].PutRequest = &types.PutRequest{Item: it}
	}
	return all
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		dir := b.TempDir()
		db := open(b, dir)
		create(b, db, benchTable())
		load(b, db, orders(benchItems())...)
		info, err := os.Stat(filepath.Join(dir, embedded.FileName))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/float64(benchItems()), "B/item")
	}
	b.ReportMetric(float64(b.N)*float64(benchItems())/b.Elapsed().Seconds(), "items/s")
}
