package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/storetest"
)

// gatheredDB is a table that holds back transactions until a certain number of them are
// waiting. It records the slots to which these transactions add.
type gatheredDB struct {
	store.DB
	mu      sync.Mutex
	missing int // number of transactions that must still arrive
	all     chan struct{}
	slots   map[string]int // number of transactions by key of a stock count
}

func (g *gatheredDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	g.mu.Lock()
	if g.missing > 0 {
		for _, item := range in.TransactItems {
			if item.Update == nil {
				continue
			}
			if sk, _ := item.Update.Key["SK"].(*types.AttributeValueMemberS); strings.HasPrefix(sk.Value, "counts#") {
				g.slots[sk.Value]++
			}
		}
		if g.missing--; g.missing == 0 {
			close(g.all)
		}
	}
	g.mu.Unlock()
	select {
	case <-g.all:
		return g.DB.TransactWriteItems(ctx, in, options...)
	case <-ctx.Done():
		return nil, errors.New("too few concurrent transactions")
	}
}

// TestStockCounts_FreeSlots receives one product in several warehouses at the same time.
// The stock level of a product is stored in four items, called slots, or in eleven with 48
// shards. Two changes must add to each slot.
func TestStockCounts_FreeSlots(t *testing.T) {
	for shards, slots := range map[int]int{15: 4, 48: 11} {
		t.Run(fmt.Sprint(shards), func(t *testing.T) { testFreeSlots(t, shards, slots) })
	}
}

func testFreeSlots(t *testing.T, shards, slots int) {
	changes := 2 * slots
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		all := []store.Entity{&store.Product{ID: "p", Name: "Lamp", Price: store.MinorUnits(100), Version: 1}}
		for n := range changes {
			all = append(all, &store.Warehouse{ID: fmt.Sprintf("w%d", n), Name: "Åre", Version: 1})
		}
		g := &gatheredDB{DB: db, all: make(chan struct{}), slots: map[string]int{}}
		s := storetest.OpenTable(t, db, table, clock)
		setShards(t, s, shards)
		if loaded, err := s.Load(t.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		admin := storetest.OpenTable(t, g, table, clock).As(&store.User{Name: "admin", Role: store.Admin})
		g.missing = changes
		receive, ctx := errgroup.WithContext(t.Context())
		for n := range changes {
			receive.Go(func() error {
				return admin.ReceiveStock(ctx, store.StockForm{ProductID: "p", WarehouseID: fmt.Sprintf("w%d", n), Reason: "delivery"}, 3)
			})
		}
		if err := receive.Wait(); err != nil {
			t.Fatal(err)
		}
		if len(g.slots) != slots {
			t.Errorf("got the slots %v, want %d", g.slots, slots)
		}
		for slot, n := range g.slots {
			if n != changes/slots {
				t.Errorf("slot %s: got %d changes, want %d", slot, n, changes/slots)
			}
		}
	})
}
