package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/storetest"
)

// slottedProducts is the number of products in the tests of slots, the items that add up to
// a stock level. A batch read of 100 items can return four slots of each product, but not
// their StockSlots, which are additional slots for many shards.
const slottedProducts = 25

// slottedShop opens a store with a number of shards, and loads products with stock and a
// customer.
func slottedShop(t *testing.T, db store.DB, table string, clock *storetest.Clock, shards int) *store.Store {
	t.Helper()
	s := storetest.OpenTable(t, db, table, clock)
	setShards(t, s, shards)
	all := []store.Entity{
		&store.Customer{ID: "c1", Name: "Kim", Version: 1}, &store.Warehouse{ID: "w1", Name: "Aarhus", Version: 1},
	}
	for n := range slottedProducts {
		id := slottedProduct(n)
		all = append(all,
			&store.Product{ID: id, Name: "Lamp", SKU: strings.ToUpper(id), Price: store.MinorUnits(100), Version: 1},
			&store.WarehouseItem{ProductID: id, WarehouseID: "w1", Name: "Lamp", Quantity: 100 + n, Version: 1},
		)
	}
	if loaded, err := s.Load(t.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	return s
}

func slottedProduct(n int) string { return fmt.Sprintf("p%02d", n) }

func slottedIDs() (ids []string) {
	for n := range slottedProducts {
		ids = append(ids, slottedProduct(n))
	}
	return ids
}

func setShards(t *testing.T, s *store.Store, shards int) {
	t.Helper()
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Shards, settings.ShardsRead = shards, shards
	if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
}

func orderOne(ctx context.Context, s *store.Store, product int) error {
	_, err := s.As(admin).PlaceOrder(ctx, store.NewOrder{
		Basket: store.Basket{Customer: "c1", Lines: []store.BasketLine{{Product: slottedProduct(product), Quantity: 1}}}, Total: store.MinorUnits(100),
	}, s.NewToken())
	return err
}

func stockSlots(t *testing.T, s *store.Store) (slots []*store.StockSlot) {
	t.Helper()
	var mu sync.Mutex
	if err := s.Everything(t.Context(), func(items []store.Item) error {
		mu.Lock()
		defer mu.Unlock()
		for _, item := range items {
			e, err := store.Decode(item)
			if err != nil {
				return err
			}
			if n, is := e.(*store.StockSlot); is {
				slots = append(slots, n)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return slots
}

// TestStockSlots_Sums orders a product several times at once, in a table with 48 shards.
// The additions must go to StockSlots, and the level must be their sum.
func TestStockSlots_Sums(t *testing.T) {
	const orders = 40
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := slottedShop(t, db, table, clock, 48)
		placing, ctx := errgroup.WithContext(t.Context())
		for range orders {
			placing.Go(func() error { return orderOne(ctx, s, 0) })
		}
		if err := placing.Wait(); err != nil {
			t.Fatal(err)
		}
		committed := 0
		for _, n := range stockSlots(t, s) {
			committed += n.Committed
		}
		if committed != orders {
			t.Errorf("got %d committed in StockSlots, want %d", committed, orders)
		}
		level, err := s.As(admin).StockLevelOf(t.Context(), slottedProduct(0))
		if want := (store.StockLevel{OnHand: 100, Committed: orders, Available: 100 - orders}); err != nil || level != want {
			t.Errorf("got level %+v, %v; want %+v", level, err, want)
		}
		requireLevels(t, s)
	})
}

// TestStockSlots_Reads reads the levels of a list of products, with 15 and with 48
// shards, and while the number of shards changes. It checks the number of requests and
// the read units.
func TestStockSlots_Reads(t *testing.T) {
	for _, tt := range []struct {
		shards   int
		moving   bool
		requests int
		units    float64
	}{{15, false, 1, 50}, {48, false, 4, 187.5}, {48, true, 7, 650}} {
		clock := storetest.NewClock()
		s := slottedShop(t, storetest.Embedded(t, clock), storetest.TableName, clock, tt.shards)
		if tt.moving {
			settings, err := s.Settings(t.Context())
			settings.Moving = true
			if err = errors.Join(err, s.SaveSettings(t.Context(), settings, "test")); err != nil {
				t.Fatal(err)
			}
		}
		settings, err := s.Settings(t.Context())
		if got := settings.LevelRequests(slottedProducts); err != nil || got != tt.requests {
			t.Errorf("%d shards: got %d requests, %v; want %d", tt.shards, got, err, tt.requests)
		}
		trace := &store.Trace{}
		stock := store.List[store.WarehouseItem]{}
		for _, id := range slottedIDs() {
			stock.Rows = append(stock.Rows, store.WarehouseItem{ProductID: id})
		}
		if _, err := s.As(admin).WithStockLevels(store.WithTrace(t.Context(), trace), stock, store.Page{}); err != nil {
			t.Fatal(err)
		}
		requests, units := 0, 0.0
		for _, r := range trace.Reads() {
			requests, units = requests+r.Requests, units+r.Units
		}
		if requests != tt.requests || units != tt.units {
			t.Errorf("%d shards: got %d requests and %v read units, want %d and %v", tt.shards, requests, units, tt.requests, tt.units)
		}
	}
}

// levelsOf returns the levels of the products from number first on.
func levelsOf(t *testing.T, s *store.Store, first int) map[string]store.StockLevel {
	t.Helper()
	levels, err := s.As(admin).StockLevels(t.Context(), slottedIDs()[first:])
	if err != nil {
		t.Fatal(err)
	}
	return levels
}

// TestStockSlots_Reshard changes the number of shards from 15 to 48 and back, while users
// of several servers order some products. Each server has its own copy of the settings. The
// levels of all other products must be correct at all times.
func TestStockSlots_Reshard(t *testing.T) {
	const ordered = 3 // number of products that users order
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := slottedShop(t, db, table, clock, 15)
		// Reshard waits until changes and reads with the old settings have ended. The test
		// imitates this: servers work with the old settings for a moment, and Reshard then
		// waits until no change and no read is in progress.
		var working sync.RWMutex
		settled := store.Resharding{Wait: func(context.Context, time.Duration) error {
			time.Sleep(5 * time.Millisecond)
			working.Lock()
			defer working.Unlock()
			clock.Advance(time.Minute)
			return nil
		}}
		var placed atomic.Int64
		for _, shards := range []int{48, 15} {
			for n := ordered; n < slottedProducts; n++ {
				if err := orderOne(t.Context(), s, n); err != nil {
					t.Fatal(err)
				}
			}
			want := levelsOf(t, s, ordered)
			moving, done := context.WithCancel(t.Context())
			var users errgroup.Group
			for user := range 3 {
				server := store.New(db, table, clock.Now)
				users.Go(func() error {
					for n := user; n == user || moving.Err() == nil; n++ {
						working.RLock()
						err := orderOne(t.Context(), server, n%ordered)
						working.RUnlock()
						if err != nil {
							return err
						}
						placed.Add(1)
					}
					return nil
				})
			}
			reader := store.New(db, table, clock.Now)
			users.Go(func() error {
				for first := true; first || moving.Err() == nil; first = false {
					working.RLock()
					got, err := reader.As(admin).StockLevels(t.Context(), slottedIDs()[ordered:])
					working.RUnlock()
					if err != nil || !maps.Equal(got, want) {
						return fmt.Errorf("got levels %v, %w; want %v", got, err, want)
					}
				}
				return nil
			})
			_, err := s.Reshard(t.Context(), shards, settled)
			done()
			if err := errors.Join(err, users.Wait()); err != nil {
				t.Fatalf("to %d shards: %v", shards, err)
			}
			if slots := stockSlots(t, s); (len(slots) > 0) != (shards == 48) {
				t.Errorf("%d shards: got %d StockSlots, want them only with 48 shards", shards, len(slots))
			}
			if got := levelsOf(t, s, ordered); !maps.Equal(got, want) {
				t.Errorf("%d shards: got levels %v, want %v", shards, got, want)
			}
		}
		committed := 0
		for _, level := range levelsOf(t, s, 0) {
			committed += level.Committed
		}
		if want := int(placed.Load()) + 2*(slottedProducts-ordered); committed != want {
			t.Errorf("got %d committed, want %d", committed, want)
		}
		requireLevels(t, s)
	})
}

// pausedDB is a table that calls a function ahead of one batch read.
type pausedDB struct {
	store.DB
	reads  int // before is called ahead of the batch read with this number
	before func()
}

func (p *pausedDB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	if p.reads--; p.reads == 0 {
		p.before()
	}
	return p.DB.BatchGetItem(ctx, in, options...)
}

// TestStockSlots_MoveDuringRead interrupts a change from 48 shards to 15, and finishes it
// between two requests of a read. The levels must be correct after the interruption and
// in the read.
func TestStockSlots_MoveDuringRead(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		paused := &pausedDB{DB: db}
		s, reader := slottedShop(t, db, table, clock, 48), store.New(paused, table, clock.Now)
		for n := range slottedProducts {
			if err := orderOne(t.Context(), s, n); err != nil {
				t.Fatal(err)
			}
		}
		broken := errors.New("interrupted")
		for reads := 2; ; reads++ {
			setShards(t, s, 48)
			if err := orderOne(t.Context(), s, 0); err != nil {
				t.Fatal(err)
			}
			want := levelsOf(t, s, 0)
			waits := 0
			wait := func(context.Context, time.Duration) error {
				clock.Advance(time.Minute)
				if waits++; waits == 2 {
					return broken
				}
				return nil
			}
			if _, err := s.Reshard(t.Context(), 15, store.Resharding{Wait: wait}); !errors.Is(err, broken) {
				t.Fatal(err)
			}
			if got := levelsOf(t, reader, 0); !maps.Equal(got, want) {
				t.Errorf("interrupted: got levels %v, want %v", got, want)
			}
			paused.reads, paused.before = reads, func() {
				if _, err := s.Reshard(t.Context(), 15, store.Resharding{Wait: wait}); err != nil {
					t.Error(err)
				}
			}
			if got := levelsOf(t, reader, 0); !maps.Equal(got, want) {
				t.Errorf("moved before request %d: got levels %v, want %v", reads, got, want)
			}
			if paused.reads > 0 {
				break // the read had fewer requests
			}
		}
		if slots := stockSlots(t, s); len(slots) == 0 {
			t.Error("got no StockSlots after a read without a move, want some")
		}
	})
}

// TestStockSlots_Damaged changes a StockSlot in a table with 48 shards. The check of the
// business must find the wrong level, and a rebuild must correct it.
func TestStockSlots_Damaged(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := slottedShop(t, db, table, clock, 48)
		if err := orderOne(t.Context(), s, 0); err != nil {
			t.Fatal(err)
		}
		findings := func() (found []string) {
			if _, err := s.CheckBusiness(t.Context(), store.BusinessCheck{Folder: t.TempDir(), Wait: atOnce, Found: func(f store.CheckFinding) {
				found = append(found, f.Text)
			}}); err != nil {
				t.Fatal(err)
			}
			return found
		}
		if got := findings(); len(got) > 0 {
			t.Errorf("got findings %q, want none", got)
		}
		slot := stockSlots(t, s)[0]
		slot.OnHand += 7
		item, err := store.Encode(slot, 48)
		if err != nil {
			t.Fatal(err)
		}
		put := types.TransactWriteItem{Put: &types.Put{TableName: &table, Item: item}}
		if _, err := db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{put}}); err != nil {
			t.Fatal(err)
		}
		if got := findings(); len(got) != 1 || !strings.HasPrefix(got[0], "The stock level of "+slot.ProductID+": stored ") {
			t.Errorf("got findings %q, want the stock level of %s", got, slot.ProductID)
		}
		if got, result := checkTotals(t, s, true); len(got) != 1 || result.Rebuilt != 1 {
			t.Errorf("rebuild: got %q, %+v; want one level rebuilt", got, result)
		}
		if got := findings(); len(got) > 0 {
			t.Errorf("after the rebuild: got findings %q, want none", got)
		}
		requireLevels(t, s)
	})
}
