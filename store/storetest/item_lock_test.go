package storetest_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// countedTransactions is a table that counts the transactions that it gets.
type countedTransactions struct {
	store.DB
	count atomic.Int64
}

func (c *countedTransactions) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	c.count.Add(1)
	return c.DB.TransactWriteItems(ctx, in, options...)
}

// TestItemLocks_NoRetries places and ships orders at the same time, on one server. All of
// them change the same quota and the same stock item. Nevertheless, no transaction may have
// to be repeated, because the server locks an item while it changes it.
func TestItemLocks_NoRetries(t *testing.T) {
	clock := storetest.NewClock()
	counted := &countedTransactions{DB: storetest.SmallShopImage.Embedded(t, clock)}
	s := store.New(counted, storetest.TableName, clock.Now)
	a := s.As(admin)
	const orders = 16
	var ids [orders]string
	order := store.NewOrder{Basket: store.Basket{Customer: "c04", Lines: []store.BasketLine{line("p10", 1)}}, Total: store.MinorUnits(110)}
	expectTransactions(t, counted, "placing", orders, func(n int) (err error) {
		ids[n], err = a.PlaceOrder(t.Context(), order, s.NewToken())
		return err
	})
	expectTransactions(t, counted, "shipping", orders, func(n int) error { return a.ShipOpenItems(t.Context(), ids[n], "w1", s.NewToken()) })
}

// expectTransactions makes changes at the same time, and expects one transaction for each.
func expectTransactions(t *testing.T, counted *countedTransactions, step string, changes int, change func(n int) error) {
	t.Helper()
	before := counted.count.Load()
	var all sync.WaitGroup
	for n := range changes {
		all.Go(func() {
			if err := change(n); err != nil {
				t.Errorf("%s: %v", step, err)
			}
		})
	}
	all.Wait()
	if got := counted.count.Load() - before; got != int64(changes) {
		t.Errorf("%s %d orders at the same time: got %d transactions, want one for each", step, changes, got)
	}
}
