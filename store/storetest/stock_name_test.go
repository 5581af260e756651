package storetest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// renamedLamp returns a lamp and a shipped order of it. The lamp was renamed after
// the order. Warehouse w has no stock of the lamp.
func renamedLamp() []store.Entity {
	all := manyShipments()[:6]
	all[1] = &store.Product{ID: "p", Name: "Desk lamp", Price: store.MinorUnits(100), Version: 2}
	return append(all, &store.Warehouse{ID: "w2", Name: "Åre", Version: 1},
		&store.WarehouseItem{ProductID: "p", WarehouseID: "w2", Name: "Desk lamp", Quantity: 5, Version: 1})
}

// TestNewStockItem_HasPresentName restocks a returned product that was renamed after it
// was ordered. The new stock item must have the new name.
func TestNewStockItem_HasPresentName(t *testing.T) {
	onKillableTable(t, renamedLamp(), func(t *testing.T, _ *killableTable, admin store.Access) {
		r := store.ReturnRequest{OrderID: "o", Version: 1, Quantities: map[string]int{"p": 2}, WarehouseID: "w", Why: "broken"}
		if err := admin.ReturnItems(t.Context(), r, ""); err != nil {
			t.Fatal(err)
		}
		expectStockName(t, admin, "w", "Desk lamp")
	})
}

func expectStockName(t *testing.T, a store.Access, warehouseID, want string) {
	t.Helper()
	item, err := a.StockItem(t.Context(), "p", warehouseID)
	if err != nil || item.Version == 0 || item.Name != want {
		t.Errorf("got the stock item %+v, %v; want it named %s", item, err, want)
	}
	moves, err := a.StockMoves(t.Context(), "p", warehouseID, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves.Rows {
		if m.Name != want {
			t.Errorf("got a movement of %s, want %s", m.Name, want)
		}
	}
}

// renaming is a table in which the product is renamed once, immediately before a
// transaction.
type renaming struct {
	store.DB
	once   sync.Once
	rename func()
}

func (r *renaming) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	r.once.Do(r.rename)
	return r.DB.TransactWriteItems(ctx, in, options...)
}

// TestNewStockItem_RenamedMeanwhile renames a product while its first stock item in a
// warehouse is being written, so that the rename cannot find the item. The item must
// still get the new name.
func TestNewStockItem_RenamedMeanwhile(t *testing.T) {
	form := store.StockForm{ProductID: "p", WarehouseID: "w", Reason: "new"}
	for name, change := range map[string]func(ctx context.Context, a store.Access) error{
		"return": func(ctx context.Context, a store.Access) error {
			return a.ReturnItems(ctx, store.ReturnRequest{OrderID: "o", Version: 1, Quantities: map[string]int{"p": 2}, WarehouseID: "w", Why: "broken"}, "")
		},
		"receive":       func(ctx context.Context, a store.Access) error { return a.ReceiveStock(ctx, form, 3) },
		"reorder point": func(ctx context.Context, a store.Access) error { return a.SetReorderPoint(ctx, form, 3, "") },
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
				r := &renaming{DB: db}
				admin := &store.User{Name: "admin", Role: store.Admin}
				direct := storetest.OpenTable(t, db, table, clock).As(admin)
				if loaded, err := storetest.OpenTable(t, db, table, clock).Load(t.Context(), renamedLamp(), store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
					t.Fatal(err, loaded.Rejected)
				}
				r.rename = func() {
					if err := rename(t, direct, fmt.Sprintf("Floor lamp of %s", name), ""); err != nil {
						t.Error(err)
					}
				}
				slow := storetest.OpenTable(t, r, table, clock).As(admin)
				if err := change(t.Context(), slow); err != nil {
					t.Fatal(err)
				}
				expectStockName(t, direct, "w", fmt.Sprintf("Floor lamp of %s", name))
			})
		})
	}
}
