package exchange_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// namelessFiles returns files without the names that orders, stock and rentals copy.
func namelessFiles() []exchange.File {
	return []exchange.File{
		csvFile("orders.csv", "OrderID,CustomerID,Date,Status,Total\no1,c1,2026-11-20,OPEN,10\n"),
		csvFile("order-items.csv", "OrderID,ProductID,CustomerID,Price,Quantity,Date\no1,p1,c1,5,2,2026-11-20\n"),
		csvFile("warehouse-items.csv", "ProductID,WarehouseID,Quantity\np1,w1,9\n"),
		csvFile("rentals.csv", "RentalID,StoreID,PersonID,InventoryID,Out,Returned,Rate\nr1,s1,c1,k1,2026-11-01 10:00,2026-11-01 12:00,5\n"),
		csvFile("employments.csv", "EmploymentID,StoreID,PersonID,From\nm1,s1,e1,2026-01-01\n"),
		csvFile("stock-moves.csv", "ProductID,WarehouseID,StockMoveID,When,From,To,Delta,Reason,By\np1,w1,01KQ0000000000000000000000,2026-11-01,0,9,9,Counted,kim\n"),
	}
}

// TestImport_CopiesNamesFromTable imports files without names. The import must copy the
// names from the table. Importing the files again must change nothing, even after a
// customer was renamed.
func TestImport_CopiesNamesFromTable(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, name string, _ *storetest.Clock) {
		s := openTable(t, db, name)
		if _, rejected := importFiles(t, s, exchange.ImportOptions{},
			csvFile("customers.csv", "CustomerID,Name,Email\nc1,Kim,kim@example.com\n"),
			csvFile("employees.csv", "EmployeeID,Name\ne1,Lee\n"),
			csvFile("products.csv", "ProductID,Detail.Name,Price,SKU\np1,Lamp,5,L1\n"),
			csvFile("warehouses.csv", "WarehouseID,Name\nw1,Lund\n"),
			csvFile("stores.csv", "StoreID,Name\ns1,Beach\n"),
			csvFile("kayaks.csv", "StoreID,InventoryID,Name\ns1,k1,Red\n"),
		); len(rejected) > 0 {
			t.Fatal(rejected)
		}
		if sum, rejected := importFiles(t, s, exchange.ImportOptions{}, namelessFiles()...); len(rejected) > 0 || sum.Counts.Added != 6 {
			t.Fatalf("got %+v, %q; want 6 added", sum.Counts, rejected)
		}
		names := map[string]string{}
		for _, item := range readTable(t, s) {
			for _, column := range []string{"CustomerName", "Name", "SKU", "StoreName", "PersonName", "ItemName"} {
				names[textOf(item, "EntityType")+" "+column] += textOf(item, column)
			}
		}
		for column, want := range map[string]string{
			"order CustomerName": "Kim", "orderItem Name": "Lamp", "orderItem SKU": "L1", "warehouseItem Name": "Lamp", "stockMove Name": "Lamp",
			"rentalRelationship StoreName": "Beach", "rentalRelationship PersonName": "Kim", "rentalRelationship ItemName": "Red",
			"employmentRelationship StoreName": "Beach", "employmentRelationship PersonName": "Lee",
		} {
			if names[column] != want {
				t.Errorf("%s: got %q, want %q", column, names[column], want)
			}
		}
		renamed := csvFile("customers.csv", "CustomerID,Name\nc1,Kim Lee\n")
		if sum, rejected := importFiles(t, s, exchange.ImportOptions{Update: true}, renamed); sum.Updated != 1 {
			t.Fatalf("got %+v, %q; want 1 updated", sum.Counts, rejected)
		}
		for _, options := range []exchange.ImportOptions{{DryRun: true}, {}, {Update: true}} {
			if sum, rejected := importFiles(t, s, options, namelessFiles()...); len(rejected) > 0 || sum.Unchanged != 6 {
				t.Errorf("%+v: got %+v, %q; want 6 unchanged", options, sum.Counts, rejected)
			}
		}
	})
}

// storedTarget is a target that counts the requests for entities whose names are copied.
type storedTarget struct {
	exchange.Target
	calls, entities int
}

func (c *storedTarget) Stored(ctx context.Context, entities []store.Entity) ([]store.Entity, error) {
	c.calls++
	c.entities += len(entities)
	return c.Target.Stored(ctx, entities)
}

// TestImport_ReadsNamesOncePerBatch checks that an import of many lines of few products
// does not read the products for each line.
func TestImport_ReadsNamesOncePerBatch(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	rows := []string{"ProductID,WarehouseID,Quantity"}
	for i := range 3000 {
		rows = append(rows, fmt.Sprintf("p%d,w%d,1", i%5, i))
	}
	for i := range 5 {
		if _, err := s.Load(t.Context(), []store.Entity{&store.Product{ID: fmt.Sprintf("p%d", i), Name: "Lamp", Version: 1}}, store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	sources, err := exchange.Open([]exchange.File{csvFile("warehouse-items.csv", strings.Join(rows, "\n"))}, "")
	if err != nil {
		t.Fatal(err)
	}
	target := &storedTarget{Target: s}
	result, err := exchange.Import(t.Context(), target, sources[0], exchange.ImportOptions{Lenient: true})
	if sum := result.Sum(); err != nil || sum.Added != 3000 || target.calls != 2 || target.entities != 10 {
		t.Errorf("got %+v, %v, %d reads of %d entities; want 3000 added with 2 reads of 5", sum, err, target.calls, target.entities)
	}
}

// textOf returns a string attribute of an item, or "".
func textOf(item store.Item, name string) string {
	s, _ := item[name].(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}
