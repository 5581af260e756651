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

// killableTable is a table whose server can be killed after some transactions. All later
// transactions then fail.
type killableTable struct {
	store.DB
	mu      sync.Mutex // an import runs concurrent transactions
	left    int        // number of transactions that will succeed; -1 means all
	largest int        // number of actions in the largest transaction
}

var errKilled = errors.New("the server was killed")

func (m *killableTable) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	m.mu.Lock()
	killed := m.left == 0
	if !killed {
		m.left--
		m.largest = max(m.largest, len(in.TransactItems))
	}
	m.mu.Unlock()
	if killed {
		return nil, errKilled
	}
	return m.DB.TransactWriteItems(ctx, in, options...)
}

// onKillableTable runs a test on each engine, with a killable table that contains these
// entities.
func onKillableTable(t *testing.T, entities []store.Entity, test func(t *testing.T, db *killableTable, admin store.Access)) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		m := &killableTable{DB: db, left: -1}
		s := storetest.OpenTable(t, m, table, clock)
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		m.largest = 0
		test(t, m, s.As(&store.User{Name: "admin", Role: store.Admin}))
		if m.largest > 100 {
			t.Errorf("got a transaction of %d actions, want at most 100", m.largest)
		}
	})
}

const manyWarehouses = 150

// widelyKept returns a product that is in stock in 150 warehouses.
func widelyKept() []store.Entity {
	all := []store.Entity{&store.Product{ID: "p", Name: "Old", Price: store.MinorUnits(100), Version: 1}}
	for n := range manyWarehouses {
		id := fmt.Sprintf("w%03d", n)
		all = append(all, &store.Warehouse{ID: id, Name: id, Version: 1},
			&store.WarehouseItem{ProductID: "p", WarehouseID: id, Name: "Old", Quantity: n, Version: 1})
	}
	return all
}

// stockNames returns how many stock items of the product have each name. It also checks
// that their quantities are unchanged.
func stockNames(t *testing.T, a store.Access) map[string]int {
	t.Helper()
	stock, err := a.StockOfProduct(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for n, item := range stock {
		names[item.Name]++
		if item.Quantity != n {
			t.Errorf("%s: got quantity %d, want %d", item.WarehouseID, item.Quantity, n)
		}
	}
	return names
}

func rename(t *testing.T, a store.Access, name, token string) error {
	t.Helper()
	p, err := a.ProductForChange(t.Context(), "p")
	if err != nil {
		t.Fatal(err)
	}
	p.Name = name
	return a.SaveProduct(t.Context(), *p, token)
}

// expectRenamed checks that the product and all its stock have the same name.
func expectRenamed(t *testing.T, a store.Access, name string) {
	t.Helper()
	p, err := a.Product(t.Context(), "p")
	if err != nil || p.Name != name || p.Unfinished {
		t.Errorf("got the product %+v, %v; want it finished with name %s", p, err, name)
	}
	if names := stockNames(t, a); names[name] != manyWarehouses {
		t.Errorf("got stock named %v, want all %s", names, name)
	}
}

func TestSaveProduct_ManyWarehouses(t *testing.T) {
	onKillableTable(t, widelyKept(), func(t *testing.T, _ *killableTable, admin store.Access) {
		if err := rename(t, admin, "New", ""); err != nil {
			t.Fatal(err)
		}
		expectRenamed(t, admin, "New")
	})
}

// TestSaveProduct_ManyWarehouses_Killed kills the server after each transaction of a
// rename except the last. Each way to finish the rename must rename all stock items.
func TestSaveProduct_ManyWarehouses_Killed(t *testing.T) {
	const transactions = 4 // one for the product, and three for 150 items in steps of 50
	resume := map[string]func(t *testing.T, a store.Access) string{
		"continued": func(t *testing.T, a store.Access) string {
			if err := a.FinishRename(t.Context(), "p"); err != nil {
				t.Error(err)
			}
			return "New"
		},
		"edited again": func(t *testing.T, a store.Access) string {
			p, err := a.ProductForChange(t.Context(), "p")
			if err != nil {
				t.Fatal(err)
			}
			p.Category = "Lamps"
			if err := a.SaveProduct(t.Context(), *p, ""); err != nil {
				t.Error(err)
			}
			return "New"
		},
		"renamed again": func(t *testing.T, a store.Access) string {
			if err := rename(t, a, "Newer", ""); err != nil {
				t.Error(err)
			}
			return "Newer"
		},
		"renamed back": func(t *testing.T, a store.Access) string {
			if err := rename(t, a, "Old", ""); err != nil {
				t.Error(err)
			}
			return "Old"
		},
	}
	onKillableTable(t, widelyKept(), func(t *testing.T, db *killableTable, admin store.Access) {
		for how, resume := range resume {
			for killed := 1; killed < transactions; killed++ {
				t.Run(fmt.Sprintf("%s after %d", how, killed), func(t *testing.T) {
					if err := rename(t, admin, "Old", ""); err != nil {
						t.Fatal(err)
					}
					db.left = killed
					if err := rename(t, admin, "New", ""); store.KindOf(err) != store.Unfinished {
						t.Errorf("got %v, want Unfinished", err)
					}
					p, err := admin.Product(t.Context(), "p")
					if err != nil || p.Name != "New" || !p.Unfinished {
						t.Errorf("got the product %+v, %v; want it unfinished with the new name", p, err)
					}
					if names := stockNames(t, admin); names["New"] != 50*(killed-1) || names["New"]+names["Old"] != manyWarehouses {
						t.Errorf("got stock named %v, want %d items named New", names, 50*(killed-1))
					}
					db.left = -1
					expectRenamed(t, admin, resume(t, admin))
				})
			}
		}
		t.Run("before the first", func(t *testing.T) {
			if err := rename(t, admin, "Old", ""); err != nil {
				t.Fatal(err)
			}
			db.left = 0
			if err := rename(t, admin, "New", ""); !errors.Is(err, errKilled) {
				t.Errorf("got %v, want the error", err)
			}
			expectRenamed(t, admin, "Old")
			db.left = -1
		})
	})
}

const manyParcels = 120

// manyShipments returns an order with one line and 120 shipments.
func manyShipments() []store.Entity {
	amount := store.MinorUnits(100 * manyParcels)
	all := []store.Entity{
		&store.Customer{ID: "c", Name: "Ada", Version: 1},
		&store.Product{ID: "p", Name: "Lamp", Price: store.MinorUnits(100), Version: 1},
		&store.Warehouse{ID: "w", Name: "Lund", Version: 1},
		&store.Order{ID: "o", CustomerID: "c", Date: storetest.Now, Status: store.OrderDelivered, Total: amount, ItemCount: manyParcels, ShipmentState: store.FullyShipped, Version: 1},
		&store.OrderItem{OrderID: "o", ProductID: "p", CustomerID: "c", Date: storetest.Now, Name: "Lamp", Price: store.MinorUnits(100), Quantity: manyParcels, Shipped: manyParcels, Version: 1},
		&store.Invoice{ID: "i", OrderID: "o", CustomerID: "c", Date: storetest.Now, Amount: amount, Status: store.InvoiceUnpaid, Version: 1},
	}
	for n := range manyParcels {
		id := fmt.Sprintf("s%03d", n)
		all = append(all, &store.Shipment{ID: id, OrderID: "o", WarehouseID: "w", Date: storetest.Now, Type: "Express", Status: store.ShipmentSent, Version: 1},
			&store.ShipmentItem{ID: "i" + id, OrderID: "o", ShipmentID: id, ProductID: "p", Quantity: 1, Version: 1})
	}
	return all
}

// returned returns the order, and how many of its shipments are marked as returned.
func returned(t *testing.T, a store.Access) (order *store.OrderDetails, shipments int) {
	t.Helper()
	order, err := a.Order(t.Context(), "o")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range order.Shipments {
		if s.Status == store.ShipmentReturned {
			shipments++
		}
	}
	return order, shipments
}

func returnAll(t *testing.T, a store.Access) error {
	t.Helper()
	return a.ReturnItems(t.Context(), store.ReturnRequest{OrderID: "o", Version: 1, Quantities: map[string]int{"p": manyParcels}, WarehouseID: "w", Why: "broken"}, "")
}

// expectReturned checks that the order and all its shipments are returned, and that
// the items were restocked once.
func expectReturned(t *testing.T, a store.Access) {
	t.Helper()
	order, shipments := returned(t, a)
	if order.Status != store.OrderReturned || order.Unfinished || shipments != manyParcels {
		t.Errorf("got an order with status %s, unfinished %t, %d shipments returned; want all", order.Status, order.Unfinished, shipments)
	}
	if item, err := a.StockItem(t.Context(), "p", "w"); err != nil || item.Quantity != manyParcels {
		t.Errorf("got stock %+v, %v; want %d", item, err, manyParcels)
	}
}

func TestReturnItems_ManyShipments(t *testing.T) {
	onKillableTable(t, manyShipments(), func(t *testing.T, _ *killableTable, admin store.Access) {
		if err := returnAll(t, admin); err != nil {
			t.Fatal(err)
		}
		expectReturned(t, admin)
	})
}

// TestReturnItems_ManyShipments_Killed kills the server after each transaction of a
// return of all items except the last transaction. Each way to finish the return must
// mark all shipments, and restock the items once.
func TestReturnItems_ManyShipments_Killed(t *testing.T) {
	t.Parallel()
	resume := map[string]func(t *testing.T, a store.Access){
		"continued": func(t *testing.T, a store.Access) {
			if err := a.FinishOrder(t.Context(), "o"); err != nil {
				t.Error(err)
			}
		},
		"changed": func(t *testing.T, a store.Access) {
			err := a.AdvanceShipment(t.Context(), store.ShipmentUpdate{ShipmentID: "s119", Version: 1, To: store.ShipmentDelivered}, "")
			if store.KindOf(err) != store.Conflict {
				t.Errorf("got %v, want Conflict: the shipment was returned", err)
			}
		},
	}
	const transactions = 4 // one for the return, and three for 120 shipments in steps of 50
	for how, resume := range resume {
		for killed := 1; killed < transactions; killed++ {
			t.Run(fmt.Sprintf("%s after %d", how, killed), func(t *testing.T) {
				onKillableTable(t, manyShipments(), func(t *testing.T, db *killableTable, admin store.Access) {
					db.left = killed
					if err := returnAll(t, admin); store.KindOf(err) != store.Unfinished {
						t.Errorf("got %v, want Unfinished", err)
					}
					order, shipments := returned(t, admin)
					if order.Status != store.OrderReturned || !order.Unfinished || shipments != 50*(killed-1) {
						t.Errorf("got an order with status %s, unfinished %t, %d shipments returned, want it returned and unfinished, with %d shipments", order.Status, order.Unfinished, shipments, 50*(killed-1))
					}
					db.left = -1
					resume(t, admin)
					expectReturned(t, admin)
				})
			})
		}
	}
}

// manyLines returns an imported order with 100 open lines.
func manyLines() []store.Entity {
	const lines = 100
	all := []store.Entity{
		&store.Customer{ID: "c", Name: "Ada", Version: 1},
		&store.Order{ID: "o", CustomerID: "c", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(lines), ItemCount: lines, PaymentState: store.InvoiceUnpaid, ShipmentState: store.NothingShipped, Version: 1},
		&store.Invoice{ID: "i", OrderID: "o", CustomerID: "c", Date: storetest.Now, Amount: store.MinorUnits(lines), Status: store.InvoiceUnpaid, Version: 1},
	}
	for n := range lines {
		all = append(all, &store.OrderItem{OrderID: "o", ProductID: fmt.Sprintf("p%03d", n), CustomerID: "c", Date: storetest.Now, Price: store.MinorUnits(1), Quantity: 1, Version: 1})
	}
	return all
}

// TestCancelOrder_ManyLines_Killed kills the server after each transaction of a
// cancellation except the last. Each way to finish the cancellation must cancel all lines.
// The test also cancels an order without a kill.
func TestCancelOrder_ManyLines_Killed(t *testing.T) {
	t.Parallel()
	cancel := func(t *testing.T, a store.Access, version int) error {
		return a.CancelOrder(t.Context(), store.Cancellation{OrderID: "o", Version: version, Why: "x"}, "")
	}
	resume := map[string]func(t *testing.T, a store.Access){
		"continued": func(t *testing.T, a store.Access) {
			if err := a.FinishOrder(t.Context(), "o"); err != nil {
				t.Error(err)
			}
		},
		"changed": func(t *testing.T, a store.Access) {
			order, err := a.Order(t.Context(), "o")
			if err != nil {
				t.Fatal(err)
			}
			if err := cancel(t, a, order.Version); store.KindOf(err) != store.Conflict {
				t.Errorf("got %v, want Conflict: the order was cancelled", err)
			}
		},
	}
	const transactions = 3 // 45, 45 and 10 lines
	for how, resume := range resume {
		for killed := 1; killed <= transactions; killed++ {
			t.Run(fmt.Sprintf("%s after %d", how, killed), func(t *testing.T) {
				onKillableTable(t, manyLines(), func(t *testing.T, db *killableTable, admin store.Access) {
					imported, err := admin.Order(t.Context(), "o")
					if err != nil {
						t.Fatal(err)
					}
					if db.left = killed; killed == transactions {
						db.left = -1
					}
					err = cancel(t, admin, imported.Version)
					order, errOrder := admin.Order(t.Context(), "o")
					if errOrder != nil || (store.KindOf(err) == store.Unfinished) != (killed < transactions) || order.IsPartlyCancelled() != (killed < transactions) {
						t.Fatalf("got %v, %v, partly cancelled %t, want an unfinished cancellation until the last transaction", err, errOrder, order.IsPartlyCancelled())
					}
					db.left = -1
					if killed < transactions {
						resume(t, admin)
					}
					order, err = admin.Order(t.Context(), "o")
					if err != nil || order.Unfinished || order.Status != store.OrderCancelled || order.Invoices[0].Status != store.InvoiceVoid || eventsWith(order.Events, store.EventOrderCancelled) != 1 {
						t.Errorf("got error %v, unfinished %t, order %s, invoice %s, %d events; want the order cancelled", err, order.Unfinished, order.Status, order.Invoices[0].Status, len(order.Events))
					}
					levels, err := admin.StockLevels(t.Context(), []string{"p000", "p099"})
					if err != nil || levels["p000"].Committed != 0 || levels["p099"].Committed != 0 {
						t.Errorf("got levels %v, %v; want nothing committed", levels, err)
					}
				})
			})
		}
	}
}
