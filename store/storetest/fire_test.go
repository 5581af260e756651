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

// fire is how long clients write at once: a moment in every test run, half a
// minute for whoever wants to be sure.
var fire = flag.Duration("fire", 2*time.Second, "how long the writes under fire last, on each engine")

const (
	clients = 16
	badLine = 10 // of a hundred requests fail
)

// underFire is a shop that many clients change at once, over a line on which
// requests are refused and answers get lost.
type underFire struct {
	*testing.T
	shop  storetest.Shop
	calm  *store.Store // over a sound line
	store *store.Store // over the bad one
	table store.DB

	orders []string // the IDs of those that everybody works on

	mu      sync.Mutex
	taken   []string        // the IDs of orders that were taken meanwhile
	done    map[string]bool // the tokens of forms that were answered as done
	refused int             // forms that were out of date, or asked for what is not there
	began   map[string]int  // what lay where before, by product and warehouse
}

// act is one thing that a client does: it looks, fills in a form with this
// token and returns what sends it.
type act func(ctx context.Context, shop store.Access, r *rand.Rand, once string) (send func() error, err error)

// TestWritesUnderFire lets clients do at once whatever can be done with the
// same few products. Each looks at what is there, fills in a form, and sends
// it until there is an answer, as somebody does whose page does not load.
func TestWritesUnderFire(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		f := underFire{T: t, table: db, done: map[string]bool{}, began: map[string]int{}, shop: storetest.NewShop()}
		f.calm = store.New(db, table, clock.Now)
		line := storetest.NewUnreliable(db, badLine, 1)
		f.store = store.New(line, table, clock.Now)
		if err := f.calm.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		f.shop.Load(t, f.calm)
		for _, item := range f.shop.Stock {
			f.began[item.ProductID+" "+item.WarehouseID] = item.Quantity
		}
		f.takeOrders()
		clock.Advance(time.Second) // what follows gets later IDs
		f.burn(append(f.stockActs(), f.orderActs()...))
		f.checkStock()
		f.checkOrders()
		f.checkEvents()
		t.Logf("%d changes were made, %d refused, %d requests failed on the way", len(f.done), f.refused, line.Failed())
		if len(f.done) < clients || line.Failed() == 0 {
			t.Error("that was no fire")
		}
	})
}

// burn runs the clients for as long as the fire lasts.
func (f *underFire) burn(acts []act) {
	f.Helper()
	end := time.Now().Add(*fire)
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

// enough reports whether each client could have made a change: a slow machine
// takes longer than -fire for that.
func (f *underFire) enough() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.done) >= clients
}

// once does one thing and notes how it ended. What is neither done nor
// refused for a reason is tried again.
func (f *underFire) once(do act, r *rand.Rand) error {
	ctx, shop, once := f.Context(), f.store.As(admin), f.store.NewToken()
	send, err := patiently(func() (func() error, error) { return do(ctx, shop, r, once) })
	if err != nil {
		return err
	}
	_, err = patiently(func() (struct{}, error) { return struct{}{}, send() })
	f.mu.Lock()
	defer f.mu.Unlock()
	switch store.KindOf(err) {
	case store.Conflict, store.Invalid:
		f.refused++
	default:
		if err != nil {
			return err
		}
		f.done[once] = true
	}
	return nil
}

// patiently asks again while there is no answer.
func patiently[T any](ask func() (T, error)) (T, error) {
	for try := 0; ; try++ {
		answer, err := ask()
		switch store.KindOf(err) {
		case store.Busy, store.Internal:
		default:
			return answer, err
		}
		if err == nil || try == 50 {
			return answer, err
		}
	}
}

// stockActs are what can be done with stock.
func (f *underFire) stockActs() []act {
	about := func(send func(context.Context, store.Access, *rand.Rand, store.StockForm) error) act {
		return func(ctx context.Context, shop store.Access, r *rand.Rand, once string) (func() error, error) {
			product, warehouse := f.shop.Products[1+r.IntN(3)], f.shop.Warehouses[r.IntN(len(f.shop.Warehouses))]
			item, err := shop.StockItem(ctx, product.ID, warehouse.ID)
			if err != nil {
				return nil, err
			}
			form := store.StockForm{ProductID: product.ID, WarehouseID: warehouse.ID, Seen: item.Version, Once: once, Reason: "fire"}
			seed := r.Uint64() // sent again, a form says the same
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

// checkStock holds every quantity to the sum of its ledger, and every ledger
// to an unbroken chain.
func (f *underFire) checkStock() {
	f.Helper()
	shop := f.calm.As(admin)
	for _, product := range f.shop.Products {
		for _, warehouse := range f.shop.Warehouses {
			item := stockOf(f.T, shop, product.ID, warehouse.ID)
			moves := ledger(f.T, shop, product.ID, warehouse.ID)
			unbroken(f.T, moves, item)
			sum := f.began[product.ID+" "+warehouse.ID]
			if len(moves) > 0 && moves[0].From != sum {
				f.Errorf("%s in %s: the ledger begins at %d, not at %d", product.ID, warehouse.ID, moves[0].From, sum)
			}
			for _, m := range moves {
				sum += m.Delta
			}
			if item.Quantity != sum || item.Quantity < 0 {
				f.Errorf("%s in %s: %d lie there, the moves add up to %d", product.ID, warehouse.ID, item.Quantity, sum)
			}
		}
	}
}

// checkEvents looks through the whole table: each form that was answered as
// done has one event, and there is none of any other.
func (f *underFire) checkEvents() {
	f.Helper()
	told := map[string]int{}
	table := f.calm.Table()
	in := &dynamodb.ScanInput{TableName: &table}
	for {
		out, err := f.table.Scan(f.Context(), in)
		if err != nil {
			f.Fatal(err)
		}
		for _, item := range out.Items {
			if token, _ := item["Token"].(*types.AttributeValueMemberS); token != nil {
				told[token.Value]++
			}
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; len(in.ExclusiveStartKey) == 0 {
			break
		}
	}
	for once := range f.done {
		if told[once] != 1 {
			f.Errorf("the form %s was done, and is told %d times", once, told[once])
		}
		delete(told, once)
	}
	for _, id := range f.orders {
		delete(told, id) // the token with which it was taken before the fire
	}
	if len(told) > 0 {
		f.Errorf("%d forms were refused, but are told of", len(told))
	}
}
