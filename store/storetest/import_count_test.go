package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// largeOrder returns an order with 150 lines, every second of which is cancelled.
func largeOrder(id string) []store.Entity {
	all := []store.Entity{&store.Order{ID: id, CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(150_00), Version: 1}}
	for n := range 150 {
		all = append(all, &store.OrderItem{
			OrderID: id, ProductID: fmt.Sprintf("p%03d", n), CustomerID: "c1", Date: storetest.Now,
			Price: store.MinorUnits(1_00), Quantity: 1, Cancelled: n%2 == 0, Version: 1,
		})
	}
	return all
}

// wantOrders fails the test unless today's total is that of the given number of large
// orders.
func wantOrders(t *testing.T, s *store.Store, orders int) {
	t.Helper()
	days, err := s.As(admin).Totals(t.Context(), store.TotalOrders, store.DateRange{From: storetest.Now, To: storetest.Now})
	if err != nil || len(days) != 1 || days[0].Count != orders || days[0].Amount.Compare(store.MinorUnits(int64(orders)*75_00).Sum()) != 0 {
		t.Errorf("got the day's totals %+v, %v; want %d orders of 75", days, err, orders)
	}
	if got, _ := checkTotals(t, s, false); len(got) > 0 {
		t.Errorf("got differences %q, want none", got)
	}
}

func loadAll(ctx context.Context, s *store.Store, entities []store.Entity) error {
	loaded, err := s.Load(ctx, entities, store.LoadOptions{})
	if err == nil && len(loaded.Rejected) > 0 {
		err = fmt.Errorf("rejected: %+v", loaded.Rejected)
	}
	return err
}

// TestLoad_CountsOrdersLargerThanTransaction checks that each order is counted
// once, even if its items do not fit into one transaction.
func TestLoad_CountsOrdersLargerThanTransaction(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		var all []store.Entity
		for n := range 12 {
			all = append(all, largeOrder(fmt.Sprint("o", n))...)
		}
		if err := loadAll(t.Context(), s, all); err != nil {
			t.Fatal(err)
		}
		wantOrders(t, s, 12)
	})
}

// TestLoad_CountsPartsOfOrderImportedAtOnce checks that each order is counted once,
// even if several imports insert its parts at the same time.
func TestLoad_CountsPartsOfOrderImportedAtOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		const orders, imports = 8, 4
		var parts [imports][]store.Entity
		for n := range orders {
			for i, e := range largeOrder(fmt.Sprint("o", n)) {
				parts[(i+n)%imports] = append(parts[(i+n)%imports], e)
			}
		}
		var importing sync.WaitGroup
		for _, part := range parts {
			importing.Go(func() {
				if err := loadAll(t.Context(), s, part); err != nil {
					t.Error(err)
				}
			})
		}
		importing.Wait()
		wantOrders(t, s, orders)
	})
}

// hookDB is a table that calls the function queried after each query, unless it is nil.
type hookDB struct {
	store.DB
	queried func()
}

func (h *hookDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := h.DB.Query(ctx, in, options...)
	if h.queried != nil {
		h.queried()
	}
	return out, err
}

// TestLoad_CountsLinesInsertedBeforeTheirOrder inserts the lines of an order while another
// import loads the order itself: after that import has read the existing lines, and before
// it writes the order. The order must be counted correctly.
func TestLoad_CountsLinesInsertedBeforeTheirOrder(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		hook := &hookDB{DB: db}
		s := store.New(hook, table, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		all := largeOrder("o1")
		var once sync.Once
		var linesErr error
		hook.queried = func() { once.Do(func() { linesErr = loadAll(t.Context(), s, all[1:]) }) }
		if err := errors.Join(loadAll(t.Context(), s, all[:1]), linesErr); err != nil {
			t.Fatal(err)
		}
		hook.queried = nil
		wantOrders(t, s, 1)
	})
}
