package storetest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// splitOrder returns an imported order with open lines of 2 pieces at 1.00, and with
// invoices that share its total. The warehouse w1 has the products, and w0 has none.
func splitOrder(lines, invoices int) []store.Entity {
	total := int64(lines) * 200
	all := []store.Entity{
		&store.Customer{ID: "c", Name: "Ada", Version: 1},
		&store.Employee{ID: "e", Name: "Rep", Version: 1},
		&store.Warehouse{ID: "w0", Name: "Lund", Version: 1},
		&store.Warehouse{ID: "w1", Name: "Aarhus", Version: 1},
		&store.Order{ID: "o", CustomerID: "c", AccountRepID: "e", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(total), ItemCount: lines * 2, PaymentState: store.InvoiceUnpaid, ShipmentState: store.NothingShipped, ShipTo: store.Address{City: "Lund"}, Version: 1},
	}
	for n := range lines {
		id := fmt.Sprintf("p%02d", n)
		all = append(all,
			&store.Product{ID: id, Name: id, Price: store.MinorUnits(100), Version: 1},
			&store.WarehouseItem{ProductID: id, WarehouseID: "w1", Name: id, Quantity: 50, Version: 1},
			&store.OrderItem{OrderID: "o", ProductID: id, CustomerID: "c", Date: storetest.Now, Price: store.MinorUnits(100), Quantity: 2, Version: 1})
	}
	for n := range invoices {
		all = append(all, &store.Invoice{ID: fmt.Sprintf("i%02d", n), OrderID: "o", CustomerID: "c", Date: storetest.Now, Amount: store.MinorUnits(total / int64(invoices)), Status: store.InvoiceUnpaid, Version: 1})
	}
	return all
}

// TestCancelOrder_ManyInvoices checks that an order can be cancelled if it has more
// lines and invoices than one transaction can contain.
func TestCancelOrder_ManyInvoices(t *testing.T) {
	for _, invoices := range []int{9, 90} {
		t.Run(fmt.Sprint(invoices), func(t *testing.T) {
			onKillableTable(t, splitOrder(45, invoices), func(t *testing.T, _ *killableTable, admin store.Access) {
				if err := admin.CancelOrder(t.Context(), store.Cancellation{OrderID: "o", Version: 1, Why: "x"}, ""); err != nil {
					t.Fatal(err)
				}
				o, err := admin.Order(t.Context(), "o")
				if err != nil || o.Status != store.OrderCancelled || o.Unfinished || o.PaymentState != store.InvoiceVoid || eventsWith(o.Events, store.EventOrderCancelled) != 1 {
					t.Errorf("%d invoices: got the order %+v, %v; want it cancelled", invoices, o.Order, err)
				}
			})
		})
	}
}

func eventsWith(events []store.Event, what store.EventCode) int {
	n := 0
	for i := range events {
		if events[i].What == what {
			n++
		}
	}
	return n
}

// TestReturnItems_ManyInvoices returns the lines of an order to a warehouse that never
// had the products. Not all lines fit into one transaction; the message must say how
// many do.
func TestReturnItems_ManyInvoices(t *testing.T) {
	const lines = 18
	onKillableTable(t, splitOrder(lines, 9), func(t *testing.T, _ *killableTable, admin store.Access) {
		if err := admin.ShipOpenItems(t.Context(), "o", "w1", ""); err != nil {
			t.Fatal(err)
		}
		sendAll(t, admin, "o")
		back := func(from, to int) error {
			o, err := admin.Order(t.Context(), "o")
			if err != nil {
				t.Fatal(err)
			}
			r := store.ReturnRequest{OrderID: "o", Version: o.Version, Quantities: map[string]int{}, WarehouseID: "w0", Why: "x"}
			for n := from; n < to; n++ {
				r.Quantities[fmt.Sprintf("p%02d", n)] = 2
			}
			return admin.ReturnItems(t.Context(), r, "")
		}
		const message = "Return at most 15 lines at once. Record the others separately."
		if err := back(0, lines); store.KindOf(err) != store.Invalid || err.Error() != message {
			t.Fatalf("got %v, want Invalid: %s", err, message)
		}
		if err := back(0, 15); err != nil {
			t.Fatal(err)
		}
		if err := back(15, lines); err != nil {
			t.Fatal(err)
		}
		o, err := admin.Order(t.Context(), "o")
		if err != nil || o.Status != store.OrderReturned || o.Shipments[0].Status != store.ShipmentReturned || o.PaymentState != store.InvoiceVoid {
			t.Errorf("got the order %+v, %v; want it returned", o.Order, err)
		}
	})
}

// TestEditOrder_ManyInvoices removes lines of an order with many invoices. The
// message must say how many changes fit into one transaction.
func TestEditOrder_ManyInvoices(t *testing.T) {
	onKillableTable(t, splitOrder(45, 9), func(t *testing.T, _ *killableTable, admin store.Access) {
		remove := func(lines int) error {
			e := store.OrderEdit{OrderID: "o", Version: 1, Total: store.MinorUnits(9000 - int64(lines)*200 + 100)}
			for n := range lines {
				e.Lines = append(e.Lines, store.BasketLine{Product: fmt.Sprintf("p%02d", n), Quantity: 0})
			}
			e.Lines[0].Quantity = 1
			return admin.EditOrder(t.Context(), e, "")
		}
		const message = "Change at most 38 lines at once."
		if err := remove(45); store.KindOf(err) != store.Invalid || err.Error() != message {
			t.Fatalf("got %v, want Invalid: %s", err, message)
		}
		if err := remove(38); err != nil {
			t.Fatal(err)
		}
	})
}

// countedSlots is a table that records the sort keys of the stock counts that
// transactions change.
type countedSlots struct {
	store.DB
	mu   sync.Mutex // an import runs concurrent transactions
	keys map[string]bool
}

func (c *countedSlots) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, item := range in.TransactItems {
		if item.Update != nil {
			if sk, _ := item.Update.Key["SK"].(*types.AttributeValueMemberS); strings.HasPrefix(sk.Value, "counts#") {
				c.keys[sk.Value] = true
			}
		}
	}
	return c.DB.TransactWriteItems(ctx, in, options...)
}

// TestStockCounts_OneSlot changes the stock counts of 20 products in one transaction.
// The counts of each product are stored in several items, called slots. All changes
// of the transaction must use the same slot.
func TestStockCounts_OneSlot(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		counted := &countedSlots{DB: db, keys: map[string]bool{}}
		s := storetest.OpenTable(t, counted, table, clock)
		if loaded, err := s.Load(t.Context(), splitOrder(20, 1), store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
		counted.keys = map[string]bool{}
		if err := s.As(&store.User{Name: "admin", Role: store.Admin}).CancelOrder(t.Context(), store.Cancellation{OrderID: "o", Version: 1, Why: "x"}, ""); err != nil {
			t.Fatal(err)
		}
		if len(counted.keys) != 1 {
			t.Errorf("got the slots %v, want one", counted.keys)
		}
	})
}
