package storetest_test

import (
	"context"
	"flag"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// loadTime is the duration of the load test. Use 30s or more after a change to
// transactions.
var loadTime = flag.Duration("load-time", 2*time.Second, "how long the load test runs on each engine")

const (
	clients     = 16
	failPercent = 10 // percentage of requests that fail
)

// loadTest is a shop that many clients change at once, over a connection that
// throttles requests and loses responses.
type loadTest struct {
	*testing.T
	shop     storetest.Shop
	reliable *store.Store
	store    *store.Store // over the unreliable connection
	table    store.DB

	orders []string // IDs of the orders that all clients change
	forms  []string // tokens of the forms that placed these orders

	mu      sync.Mutex
	placed  []string        // IDs of the orders that clients placed
	done    map[string]bool // form tokens of successful submissions
	refused int             // number of submissions that returned Conflict or Invalid
	began   map[string]int  // initial quantities by product and warehouse
}

// act is a kind of change that clients make. It reads the necessary records, fills in
// a form with the given token, and returns a function that submits the form.
type act func(ctx context.Context, shop store.Access, r *rand.Rand, token string) (send func() error, err error)

// TestWrites_UnderLoad makes many clients change the same few products at once, with
// several kinds of changes to stock and orders. Each client submits a form until it gets
// a response. The records must stay consistent, and each form must be applied at most
// once.
func TestWrites_UnderLoad(t *testing.T) {
	storetest.SmallShopImage.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		f := loadTest{T: t, table: db, done: map[string]bool{}, began: map[string]int{}, shop: storetest.NewSmallShop()}
		f.reliable = store.New(db, table, clock.Now)
		connection := storetest.NewUnreliable(db, failPercent, 1)
		f.store = store.New(connection, table, clock.Now)
		for _, item := range f.shop.Stock {
			f.began[item.ProductID+" "+item.WarehouseID] = item.Quantity
		}
		f.placeOrders()
		f.run(append(f.stockActs(), f.orderActs()...))
		f.checkStock()
		f.checkOrders()
		f.checkEvents()
		f.checkLevels()
		t.Logf("%d changes made, %d rejected, %d requests failed", len(f.done), f.refused, connection.Failed())
		if len(f.done) < clients || connection.Failed() == 0 {
			t.Errorf("got %d changes and %d failed requests, want at least %d and 1", len(f.done), connection.Failed(), clients)
		}
	})
}

// run runs the clients until loadTime is over and they have made enough changes.
func (f *loadTest) run(acts []act) {
	f.Helper()
	end := time.Now().Add(*loadTime)
	var all sync.WaitGroup
	var failed atomic.Bool
	for client := range clients {
		all.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(client)))
			for (time.Now().Before(end) || !f.enough()) && !failed.Load() {
				if err := f.once(acts[r.IntN(len(acts))], r); err != nil {
					failed.Store(true)
					f.Errorf("client %d: %v", client, err)
				}
			}
		})
	}
	all.Wait()
}

// enough reports whether the clients have made as many changes as there are clients.
// On a slow machine, this takes longer than -load-time.
func (f *loadTest) enough() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.done) >= clients
}

// once makes one change and records the outcome. It retries until the change succeeds
// or is rejected.
func (f *loadTest) once(do act, r *rand.Rand) error {
	ctx, shop, token := f.Context(), f.store.As(admin), f.store.NewToken()
	send, err := retry(func() (func() error, error) { return do(ctx, shop, r, token) })
	if err != nil {
		return err
	}
	_, err = retry(func() (struct{}, error) { return struct{}{}, send() })
	f.mu.Lock()
	defer f.mu.Unlock()
	switch store.KindOf(err) {
	case store.Conflict, store.Invalid:
		f.refused++
	default:
		if err != nil {
			return err
		}
		f.done[token] = true
	}
	return nil
}

// retry calls read until its request is neither throttled nor lost. It repeats a
// request at most 50 times.
func retry[T any](read func() (T, error)) (T, error) {
	for try := 0; ; try++ {
		answer, err := read()
		switch store.KindOf(err) {
		case store.Busy, store.Internal, store.Unconfirmed:
		default:
			return answer, err
		}
		if err == nil || try == 50 {
			return answer, err
		}
	}
}

// stockActs returns the kinds of changes to stock.
func (f *loadTest) stockActs() []act {
	about := func(send func(context.Context, store.Access, *rand.Rand, store.StockForm) error) act {
		return func(ctx context.Context, shop store.Access, r *rand.Rand, token string) (func() error, error) {
			product, warehouse := f.shop.Products[1+r.IntN(3)], f.shop.Warehouses[r.IntN(len(f.shop.Warehouses))]
			item, err := shop.StockItem(ctx, product.ID, warehouse.ID)
			if err != nil {
				return nil, err
			}
			form := store.StockForm{ProductID: product.ID, WarehouseID: warehouse.ID, Seen: item.Version, Token: token, Reason: "load"}
			seed := r.Uint64() // a form that is submitted again must have the same values
			return func() error { return send(ctx, shop, rand.New(rand.NewPCG(1, seed)), form) }, nil
		}
	}
	return []act{
		about(func(ctx context.Context, shop store.Access, r *rand.Rand, form store.StockForm) error {
			return shop.ReceiveStock(ctx, form, 1+r.IntN(5))
		}),
		about(func(ctx context.Context, shop store.Access, r *rand.Rand, form store.StockForm) error {
			return shop.AdjustStock(ctx, form, -1-r.IntN(5))
		}),
		about(func(ctx context.Context, shop store.Access, r *rand.Rand, form store.StockForm) error {
			return shop.CountStock(ctx, form, r.IntN(20))
		}),
		about(func(ctx context.Context, shop store.Access, r *rand.Rand, form store.StockForm) error {
			return shop.TransferStock(ctx, form, f.shop.Warehouses[r.IntN(len(f.shop.Warehouses))].ID, 1+r.IntN(5))
		}),
		about(func(ctx context.Context, shop store.Access, r *rand.Rand, form store.StockForm) error {
			return shop.SetReorderPoint(ctx, form, r.IntN(20), "")
		}),
	}
}

// checkStock compares every quantity with its ledger. Each ledger entry must start where
// the previous one ended, and the last one must end at the quantity.
func (f *loadTest) checkStock() {
	f.Helper()
	shop := f.reliable.As(admin)
	for _, product := range f.shop.Products {
		for _, warehouse := range f.shop.Warehouses {
			item := stockOf(f.T, shop, product.ID, warehouse.ID)
			moves := ledger(f.T, shop, product.ID, warehouse.ID)
			unbroken(f.T, moves, item)
			sum := f.began[product.ID+" "+warehouse.ID]
			if len(moves) > 0 && moves[0].From != sum {
				f.Errorf("%s in %s: got a ledger from %d, want from %d", product.ID, warehouse.ID, moves[0].From, sum)
			}
			for _, m := range moves {
				sum += m.Delta
			}
			if item.Quantity != sum || item.Quantity < 0 {
				f.Errorf("%s in %s: got %d on hand, want %d, the sum of the moves", product.ID, warehouse.ID, item.Quantity, sum)
			}
		}
	}
}

// checkLevels checks that each stock level matches the records that it counts.
func (f *loadTest) checkLevels() {
	f.Helper()
	requireLevels(f.T, f.reliable)
}

// checkEvents scans the table. A successful form must have exactly one event, and any
// other form none.
func (f *loadTest) checkEvents() {
	f.Helper()
	events := map[string]int{}
	table := f.reliable.Table()
	in := &dynamodb.ScanInput{TableName: &table}
	for {
		out, err := f.table.Scan(f.Context(), in)
		if err != nil {
			f.Fatal(err)
		}
		for _, item := range out.Items {
			if token, _ := item["Token"].(*types.AttributeValueMemberS); token != nil {
				events[token.Value]++
			}
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			break
		}
	}
	for token := range f.done {
		if events[token] != 1 {
			f.Errorf("form %s: got %d events, want 1", token, events[token])
		}
		delete(events, token)
	}
	for _, token := range f.forms {
		delete(events, token)
	}
	if len(events) > 0 {
		f.Errorf("got events of %d rejected forms, want none", len(events))
	}
}
