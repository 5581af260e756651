package storetest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/store/table"
)

// contestedDB is a table that rejects a transaction if a concurrent one writes the same
// item, as DynamoDB does. It also rejects a number of transactions, the first ones, each
// time that they are tried.
type contestedDB struct {
	store.DB
	mu       sync.Mutex
	rejected map[string]bool // request tokens of the transactions whose attempts are all rejected
	most     int             // maximum number of transactions to reject
	writing  map[string]bool // items that transactions in progress write
	overlaps int
}

func conflict(in *dynamodb.TransactWriteItemsInput) error {
	reasons := make([]types.CancellationReason, len(in.TransactItems))
	for i := range reasons {
		reasons[i].Code = aws.String("None")
	}
	reasons[0].Code = aws.String("TransactionConflict")
	return &types.TransactionCanceledException{CancellationReasons: reasons}
}

// begin adds the items of a transaction to the field writing, or returns an error if the
// transaction must be rejected.
func (c *contestedDB) begin(in *dynamodb.TransactWriteItemsInput, keys []string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if token := aws.ToString(in.ClientRequestToken); c.rejected[token] || len(c.rejected) < c.most {
		c.rejected[token] = true
		return conflict(in)
	}
	for _, k := range keys {
		if c.writing[k] {
			c.overlaps++
			return conflict(in)
		}
	}
	for _, k := range keys {
		c.writing[k] = true
	}
	return nil
}

func (c *contestedDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	var keys []string
	for _, action := range in.TransactItems {
		switch {
		case action.Put != nil:
			keys = append(keys, table.KeyString(action.Put.Item))
		case action.Update != nil:
			keys = append(keys, table.KeyString(action.Update.Key))
		case action.ConditionCheck != nil:
			keys = append(keys, table.KeyString(action.ConditionCheck.Key))
		case action.Delete != nil:
			keys = append(keys, table.KeyString(action.Delete.Key))
		}
	}
	if err := c.begin(in, keys); err != nil {
		return nil, err
	}
	time.Sleep(time.Millisecond) // waits, so that transactions are likely to be concurrent
	out, err := c.DB.TransactWriteItems(ctx, in, options...)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range keys {
		delete(c.writing, k)
	}
	return out, err
}

// contested runs a test with a contestedDB and two shards.
func contested(t *testing.T, test func(t *testing.T, s *store.Store, db *contestedDB)) {
	storetest.OnEachTableInVirtualTime(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		wrapped := &contestedDB{DB: db, rejected: map[string]bool{}, writing: map[string]bool{}}
		s := store.New(wrapped, table, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		settings := store.DefaultSettings()
		settings.Shards, settings.ShardsRead = 2, 2
		if err := s.SaveSettings(t.Context(), settings, "test"); err != nil {
			t.Fatal(err)
		}
		test(t, s, wrapped)
	})
}

func ordersOfThreeDays() []store.Entity {
	var orders []store.Entity
	for n := range 600 {
		orders = append(orders, &store.Order{
			ID: fmt.Sprintf("o%03d", n), CustomerID: "c1", Date: storetest.Now.AddDate(0, 0, -n%3), Status: store.OrderOpen, Total: store.MinorUnits(1_00), Version: 1,
		})
	}
	return orders
}

// TestLoad_WritersShareNoTotals imports many orders of a few days. Concurrent writers
// must not write the same totals.
func TestLoad_WritersShareNoTotals(t *testing.T) {
	contested(t, func(t *testing.T, s *store.Store, db *contestedDB) {
		if err := loadAll(t.Context(), s, ordersOfThreeDays()); err != nil {
			t.Fatal(err)
		}
		if db.overlaps > 0 {
			t.Errorf("got %d conflicts, want none", db.overlaps)
		}
		if got, _ := checkTotals(t, s, false); len(got) > 0 {
			t.Errorf("got differences %q, want none", got)
		}
	})
}

// TestLoad_RepeatsBusyTransactions checks that an import succeeds if the table first
// rejects every attempt of some transactions.
func TestLoad_RepeatsBusyTransactions(t *testing.T) {
	contested(t, func(t *testing.T, s *store.Store, db *contestedDB) {
		orders := ordersOfThreeDays()
		for _, e := range orders {
			e.(*store.Order).AccountRepID = "e1"
		}
		db.most = len(db.rejected) + 2
		quota := &store.Quota{EmployeeID: "e2", Period: store.QuarterOf(storetest.Now), Orders: 1, OrderTotal: store.MinorUnits(1_00).Sum(), Version: 1}
		if err := loadAll(t.Context(), s, append(orders, quota)); err != nil {
			t.Fatal(err)
		}
		if got, _ := checkTotals(t, s, false); len(got) != 1 { // only that of the quota of e2, which has no orders
			t.Errorf("got differences %q, want only that of e2", got)
		}
	})
}

// TestLoad_CountsOnceBesideOthers runs several imports at once. Some orders are in
// more than one import. Each order must be counted once.
func TestLoad_CountsOnceBesideOthers(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		const imports = 3
		added := make([]int, imports)
		var group errgroup.Group
		for n := range imports {
			orders := ordersOfThreeDays()
			for i, e := range orders {
				e.(*store.Order).AccountRepID = fmt.Sprint("e", i%2)
			}
			group.Go(func() error {
				// Each import shares some orders with the others.
				result, err := s.Load(t.Context(), orders[100*n:400+100*n], store.LoadOptions{})
				if len(result.Rejected) > 0 {
					return fmt.Errorf("rejected %v", result.Rejected)
				}
				added[n] = result.Added["order"]
				return err
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
		if sum := added[0] + added[1] + added[2]; sum != 600 {
			t.Errorf("added %v orders, want 600 together", added)
		}
		if got, _ := checkTotals(t, s, false); len(got) > 0 {
			t.Errorf("got differences %q, want none", got)
		}
	})
}

// TestUpdate_RepeatsBusyTransactions checks that an update succeeds although the table
// rejects every attempt of its first two transactions: the update must make the change
// again in a new transaction.
func TestUpdate_RepeatsBusyTransactions(t *testing.T) {
	contested(t, func(t *testing.T, s *store.Store, db *contestedDB) {
		if err := loadAll(t.Context(), s, []store.Entity{&store.Warehouse{ID: "w1", Name: "North", Version: 1}}); err != nil {
			t.Fatal(err)
		}
		db.most = len(db.rejected) + 2
		update := store.EntityUpdate{Entity: &store.Warehouse{ID: "w1", Name: "South", Version: 1}, Paths: [][]string{{"Name"}}}
		got, err := s.Update(t.Context(), []store.EntityUpdate{update}, store.UpdateOptions{})
		if err != nil || got[0].Outcome != store.OutcomeUpdated {
			t.Errorf("got %+v, %v, want the warehouse updated", got, err)
		}
	})
}

// TestImport_ReportsPanicOfWriter makes goroutines of Load and Update panic. Load and
// Update must return an error.
func TestImport_ReportsPanicOfWriter(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	warehouse := &store.Warehouse{ID: "w1", Name: "North", Version: 1}
	if err := loadAll(t.Context(), s, []store.Entity{warehouse}); err != nil {
		t.Fatal(err)
	}
	fail := func(int) { panic("a wrong row") }
	for name, load := range map[string]func() error{
		"new rows": func() error {
			_, err := s.Load(t.Context(), []store.Entity{warehouse}, store.LoadOptions{DryRun: true, Progress: fail})
			return err
		},
		"orders": func() error {
			_, err := s.Load(t.Context(), ordersOfThreeDays(), store.LoadOptions{Progress: fail})
			return err
		},
		"update": func() error {
			_, err := s.Update(t.Context(), []store.EntityUpdate{{Entity: warehouse}}, store.UpdateOptions{Progress: fail})
			return err
		},
	} {
		if err := load(); err == nil || !strings.Contains(err.Error(), "a wrong row") || !strings.Contains(err.Error(), "import_contention_test.go") {
			t.Errorf("%s: got %v, want an error with the stack of the panic", name, err)
		}
	}
}
