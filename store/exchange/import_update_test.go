package exchange_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

func updateFiles(t *testing.T, target exchange.Target, dryRun bool, files ...exchange.File) (sum exchange.ImportResult, rejected []string, err error) {
	t.Helper()
	for i := range files {
		files[i].Partial = true
	}
	sources, err := exchange.Open(files, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		name := files[source.File].Name
		result, failed := exchange.Import(t.Context(), target, source, exchange.ImportOptions{
			Update: true, DryRun: dryRun, Why: "Imported from " + name,
			Rejected: func(rows []exchange.RejectedRow) error {
				for _, r := range rows {
					rejected = append(rejected, fmt.Sprintf("%s %d: %s", name, r.Number, r.Reason))
				}
				return nil
			},
		})
		sum.Add(result)
		err = errors.Join(err, failed)
	}
	return sum, rejected, err
}

// TestUpdate_ListOfStock updates stock from a list that was downloaded from a page before
// pieces were sold. The update must ignore the old quantity.
func TestUpdate_ListOfStock(t *testing.T) {
	const header, row = "WarehouseID,WarehouseName,ProductID,Name,Quantity,ReorderPoint,Bin", "w1,Malmö,p3,Old name,99,40,B-1"
	for _, name := range []string{"low-stock-2026-12-01.csv", "stock-2026-12-01 (1).csv", "low-2026-12-01.csv"} {
		s := shopToUpdate(t, 5)
		sum, rejected, err := updateFiles(t, s, false, newFile(name, header+",OnHand,Committed,Available,Incoming\n"+row+",99,0,99,0\nw1,Malmö,p9,New,1,2,B-2,1,0,1,0\n"))
		if err != nil || sum.Sum().Updated != 1 || len(rejected) != 1 || !strings.Contains(rejected[0], "Unknown product p9") {
			t.Errorf("%s: got %+v, %q, %v; want one updated row and one unknown product", name, sum.Sum(), rejected, err)
		}
		stored, err := s.Stored(t.Context(), []store.Entity{&store.WarehouseItem{WarehouseID: "w1", ProductID: "p3"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := stored[0].(*store.WarehouseItem); got.Quantity != 3 || got.Name != "Product 3" || got.ReorderPoint != 40 || got.Bin != "B-1" {
			t.Errorf("%s: got %+v, want a new reorder point and bin", name, got)
		}
	}
	_, rejected, err := updateFiles(t, shopToUpdate(t, 5), false, newFile("warehouse-items.csv", "WarehouseID,ProductID,Name,Quantity,ReorderPoint,Bin\nw1,p3,Product 3,99,40,B-1\n"))
	if err != nil || len(rejected) != 1 || !strings.Contains(rejected[0], "Quantity") {
		t.Errorf("without stock levels: got %q, %v; want the row rejected because of its quantity", rejected, err)
	}
}

// shopToUpdate returns a store with products, their stock, customers and an
// order.
func shopToUpdate(t *testing.T, products int) *store.Store {
	t.Helper()
	s := storetest.Open(t, storetest.NewClock())
	list, stock := "ProductID,Detail.Name,Price,SKU,Category\n", "ProductID,WarehouseID,Name,Quantity,ReorderPoint,Bin\n"
	for n := range products {
		list += fmt.Sprintf("p%d,Product %d,%d.50,S-%d,Lamps\n", n, n, n+1, n)
		stock += fmt.Sprintf("p%d,w1,Product %d,%d,5,A-%d\n", n, n, n, n)
	}
	_, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("products.csv", list), newFile("warehouse-items.csv", stock), newFile("warehouses.csv", "WarehouseID,Name\nw1,Malmö\n"),
		newFile("employees.csv", "EmployeeID,Name,JobID,JobTitle\ne1,Ann,j1,Clerk\n"), newFile("jobs.csv", "JobID,Title\nj1,Clerk\nj2,Manager\n"),
		newFile("customers.csv", "CustomerID,Name,Email,Phones\nc1,Kim,kim@example.com,+1 202 555 0102\n"),
		newFile("orders.csv", "OrderID,CustomerID,Date,Status,Total\no1,c1,2026-11-01,OPEN,3\n"),
		newFile("order-items.csv", "OrderID,ProductID,CustomerID,Price,Quantity,Date\no1,p1,c1,1.5,2,2026-11-01\n"))
	if len(rejected) > 0 {
		t.Fatal(rejected)
	}
	return s
}

func exportedFiles(t *testing.T, s *store.Store) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, path := range export(t, s, exchange.FormatCSV) {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = string(content)
	}
	return files
}

func withPrices(t *testing.T, list, price string) string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(list)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := slices.Index(records[0], "Price")
	for _, record := range records[1:] {
		record[column] = price
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(records); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func editsOf(t *testing.T, s *store.Store) (all []string) {
	t.Helper()
	var mu sync.Mutex // pages are read concurrently
	err := s.Everything(t.Context(), func(items []store.Item) error {
		mu.Lock()
		defer mu.Unlock()
		for _, item := range items {
			entity, err := store.Decode(item)
			if err != nil {
				return err
			}
			if e, ok := entity.(*store.Event); ok && e.What == store.EventProductEdited {
				all = append(all, fmt.Sprintf("%s by %s, %s: %s → %s", e.Partition, e.By, e.Why, e.Before, e.After))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// stopping is a target whose updates fail after a number of rows, as if the process were
// killed.
type stopping struct {
	exchange.Target
	after int
}

var errStopped = errors.New("stopped")

func (s *stopping) Update(ctx context.Context, updates []store.EntityUpdate, options store.UpdateOptions) ([]store.UpdateResult, error) {
	if _, err := s.Target.Update(ctx, updates[:s.after], options); err != nil {
		return nil, err
	}
	return make([]store.UpdateResult, len(updates)), errStopped
}

// TestImport_UpdatesPriceList checks that an exported price list can be changed and
// imported, even if the first import is interrupted.
func TestImport_UpdatesPriceList(t *testing.T) {
	const products = 130
	s := shopToUpdate(t, products)
	before := exportedFiles(t, s)
	list := withPrices(t, before["products.csv"], "77.25")
	dry, rejected, err := updateFiles(t, s, true, newFile("products.csv", list))
	if err != nil || len(rejected) > 0 || dry.Sum().Updated != products || dry.Changed.Total != products || len(dry.Changed.First) != 100 {
		t.Fatalf("dry run: got %+v, %d changes, rejected %q, %v, want all products updated, the first 100 of them listed, and none rejected", dry.Sum(), dry.Changed.Total, rejected, err)
	}
	if got, want := dry.Changed.First[0], (exchange.CellChange{Row: 2, Entity: "product p0", Column: "Price", Before: "1.5", After: "77.25"}); got != want {
		t.Errorf("got change %+v, want %+v", got, want)
	}
	if got := exportedFiles(t, s); got["products.csv"] != before["products.csv"] {
		t.Error("the dry run changed products, want no change")
	}
	_, _, err = updateFiles(t, &stopping{s, 40}, false, newFile("products.csv", list))
	if !errors.Is(err, errStopped) || len(editsOf(t, s)) != 40 {
		t.Fatalf("interrupted: got %d edits, error %v, want 40 and the error that stopped it", len(editsOf(t, s)), err)
	}
	result, rejected, err := updateFiles(t, s, false, newFile("products.csv", list))
	if c := result.Sum(); err != nil || len(rejected) > 0 || c.Updated != products-40 || c.Unchanged != 40 || c.Read != products {
		t.Fatalf("got %+v, rejected %q, %v, want the other products updated and 40 unchanged", c, rejected, err)
	}
	after := exportedFiles(t, s)
	if got := withPrices(t, after["products.csv"], ""); got != withPrices(t, before["products.csv"], "") || !strings.Contains(after["products.csv"], ",77.25,") {
		t.Errorf("products: got %s, want only the changed prices", got)
	}
	for name, content := range before {
		if name != "products.csv" && name != "events.csv" && after[name] != content {
			t.Errorf("%s changed: got\n%s\nwant\n%s", name, after[name], content)
		}
	}
	all := editsOf(t, s)
	if want := "p#p0 by stockroom, Imported from products.csv: price €1.50 → price €77.25"; len(all) != products || all[0] != want {
		t.Errorf("got %d events, first %q, want %d, %q", len(all), all[0], products, want)
	}
	again, rejected, err := updateFiles(t, s, false, newFile("products.csv", list))
	if c := again.Sum(); err != nil || len(rejected) > 0 || c.Unchanged != products || len(editsOf(t, s)) != products {
		t.Errorf("second import: got %+v, rejected %q, %v, want all unchanged", c, rejected, err)
	}
}

// TestImport_UpdatesOnlyColumnsOfFile checks that an update changes only the
// columns of the file, and rejects changes that are not allowed.
func TestImport_UpdatesOnlyColumnsOfFile(t *testing.T) {
	s := shopToUpdate(t, 3)
	result, rejected, err := updateFiles(t, s, false,
		newFile("products.csv", "ProductID,Category,SKU\np0,Chairs,S-0\np1,,S-1\np2,Lamps,S-1\np9,New,S-9\np0,Chairs,S-0\np1,Other,S-1\n"),
		newFile("customers.csv", "CustomerID,Name,Email\nc1,Kim Lee,kim@example.com\nc2,Lee,lee@example.com\n"),
		newFile("warehouse-items.csv", "ProductID,WarehouseID,ReorderPoint,Bin,Quantity\np0,w1,8,B-1,0\np1,w1,5,A-1,7\n"),
		newFile("warehouses.csv", "WarehouseID,Name\nw1,Lund\n"),
		newFile("employees.csv", "EmployeeID,JobID\ne1,j2\n"),
		newFile("orders.csv", "OrderID,CustomerID,Total\no1,c1,4\n"),
		newFile("jobs.csv", "JobID,Title\nj1,Boss\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range []string{
		"products.csv 4: Row 3 has the same SKU. Enter another SKU, or use -lenient.",
		"products.csv 5: The product p9 does not exist. Correct its ID. To add it, the file needs the columns Price, Detail.Name.",
		"products.csv 7: The product p1 appears twice with different values. Remove one of the rows.",
		"warehouse-items.csv 3: Quantity can't be changed by an import. To change it, count, receive or adjust the stock on its page.",
		"orders.csv 2: The item exists with different values of Total. An import can update customers, employees, products, warehouses, and the reorder points and bins of stock. Change the item on its page.",
		"jobs.csv 2: The item exists with different values of Title. An import can update customers, employees, products, warehouses, and the reorder points and bins of stock. Change the item on its page.",
	} {
		if !slices.Contains(rejected, reason) {
			t.Errorf("got no rejection %q, want it in %q", reason, rejected)
		}
	}
	if c := result.Sum(); c.Updated != 6 || c.Added != 1 || c.Unchanged != 1 || c.Rejected != 6 || len(rejected) != 6 {
		t.Errorf("got %+v, rejected %q, want 6 updated, 1 added, 1 unchanged and 6 rejected", c, rejected)
	}
	a := s.As(importAdmin)
	p, err := a.Product(t.Context(), "p0")
	if err != nil || p.Category != "Chairs" || p.Price.String() != "1.5" || p.Name != "Product 0" {
		t.Errorf("product: got %+v, %v, want the new category, and the old price and name", p, err)
	}
	if p, err := a.Product(t.Context(), "p1"); err != nil || p.Category != "" {
		t.Errorf("product with an empty cell: got %+v, %v, want no category", p, err)
	}
	c, err := a.Customer(t.Context(), "c1")
	if err != nil || c.Name != "Kim Lee" || len(c.Phones) != 1 {
		t.Errorf("customer: got %+v, %v, want Kim Lee with one phone number", c, err)
	}
	stock, err := a.StockItem(t.Context(), "p0", "w1")
	if err != nil || stock.ReorderPoint != 8 || stock.Bin != "B-1" || stock.Quantity != 0 {
		t.Errorf("stock: got %+v, %v, want the new reorder point and bin, and no stock", stock, err)
	}
	e, err := a.Employee(t.Context(), "e1")
	if err != nil || e.JobID != "j2" || e.JobTitle != "Manager" {
		t.Errorf("employee: got %+v, %v, want the job j2 with its title", e, err)
	}
}

// TestImport_UpdateWhileOthersEdit changes the weights of products while an import
// changes their prices. No weight may be lost: each row must change the price or be
// rejected.
func TestImport_UpdateWhileOthersEdit(t *testing.T) {
	const products = 60
	s := shopToUpdate(t, products)
	list := "ProductID,Price\n"
	for n := range products {
		list += fmt.Sprintf("p%d,9\n", n)
	}
	a := s.As(importAdmin)
	saved := map[string]bool{}
	var group sync.WaitGroup
	group.Go(func() {
		for n := products - 1; n >= 0; n-- {
			p, err := a.ProductForChange(context.Background(), fmt.Sprintf("p%d", n))
			if err != nil {
				t.Error(err)
				return
			}
			p.Weight = 700
			err = a.SaveProduct(context.Background(), *p, "")
			if err != nil && store.KindOf(err) != store.Conflict {
				t.Error(err)
			}
			saved[p.ID] = err == nil
		}
	})
	result, rejected, err := updateFiles(t, s, false, newFile("products.csv", list))
	group.Wait()
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for n := range products {
		p, err := a.Product(t.Context(), fmt.Sprintf("p%d", n))
		if err != nil {
			t.Fatal(err)
		}
		if p.Price.String() == "9" {
			changed++
		}
		if saved[p.ID] != (p.Weight == 700) {
			t.Errorf("product %s lost an edit, want both edits: %+v", p.ID, p)
		}
	}
	if result.Sum().Updated != changed || changed+len(rejected) != products {
		t.Errorf("got %+v and %d changed products, rejected %q, want each product changed or rejected", result.Sum(), changed, rejected)
	}
}

// TestImport_UpdatesFromLines exports JSON Lines, changes a name in them, and updates from
// them. The update must accept the rows, although they have all attributes.
func TestImport_UpdatesFromLines(t *testing.T) {
	s := shopToUpdate(t, 3)
	var lines string
	for _, path := range export(t, s, exchange.FormatLines) {
		if content, err := os.ReadFile(path); filepath.Base(path) == "products.jsonl" {
			if err != nil {
				t.Fatal(err)
			}
			lines = string(content)
		}
	}
	changed := strings.Replace(lines, `"Name":{"S":"Product 1"}`, `"Name":{"S":"Desk lamp"}`, 1)
	if changed == lines {
		t.Fatalf("no product to rename in %s, want one", lines)
	}
	result, rejected, err := updateFiles(t, s, false, newFile("products.jsonl", changed))
	if c := result.Sum(); err != nil || len(rejected) > 0 || c.Updated != 1 || c.Unchanged != 2 {
		t.Fatalf("got %+v, rejected %q, %v, want one product updated and two unchanged", c, rejected, err)
	}
	if want := (exchange.CellChange{Row: 2, Entity: "product p1", Column: "Detail.Name", Before: "Product 1", After: "Desk lamp"}); len(result.Changed.First) != 1 || result.Changed.First[0] != want {
		t.Errorf("got changes %+v, want %+v", result.Changed, want)
	}
	stock, err := s.As(importAdmin).StockItem(t.Context(), "p1", "w1")
	if err != nil || stock.Name != "Desk lamp" {
		t.Errorf("stock: got %+v, %v, want the new name", stock, err)
	}
}

// TestImport_UpdateAddsNoNamelessRecords updates from a price list with a mistyped ID. Only
// a lenient import may add a product without a name.
func TestImport_UpdateAddsNoNamelessRecords(t *testing.T) {
	s := shopToUpdate(t, 3)
	for _, dryRun := range []bool{true, false} {
		result, rejected, err := updateFiles(t, s, dryRun, newFile("products.csv", "ProductID,Price\np0,7\np00,8\n"), newFile("customers.csv", "CustomerID,Email\nc99,x@example.com\n"))
		want := []string{
			"customers.csv 2: The customer c99 does not exist. Correct its ID. To add it, the file needs the column Name.",
			"products.csv 3: The product p00 does not exist. Correct its ID. To add it, the file needs the column Detail.Name.",
		}
		if slices.Sort(rejected); err != nil || !slices.Equal(rejected, want) || result.Sum().Updated != 1 || result.Sum().Added != 0 {
			t.Errorf("dry run %t: got %+v, %q, %v; want 1 updated and %q", dryRun, result.Sum(), rejected, err, want)
		}
	}
	added := csvFile("products.csv", "ProductID,Price,Detail.Name\np00,8,Lamp\n")
	if sum, rejected := importFiles(t, s, exchange.ImportOptions{Update: true}, added); sum.Counts.Added != 1 {
		t.Errorf("got %+v, %q; want 1 added", sum.Counts, rejected)
	}
	nameless := csvFile("products.csv", "ProductID,Price\np01,8\n")
	if sum, rejected := importFiles(t, s, exchange.ImportOptions{Update: true, Lenient: true}, nameless); sum.Counts.Added != 1 {
		t.Errorf("lenient: got %+v, %q; want 1 added", sum.Counts, rejected)
	}
}

// TestImport_AddsNoNamelessRecords imports rows without the column of the name, without
// updating records. Only a lenient import may add such records.
func TestImport_AddsNoNamelessRecords(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	files := func() []exchange.File {
		return []exchange.File{
			newFile("products.csv", "ProductID,Price\np00,8\n"),
			newFile("customers.csv", "CustomerID,Email\nc99,x@example.com\n"),
		}
	}
	for _, dryRun := range []bool{true, false} {
		_, rejected := importFiles(t, s, exchange.ImportOptions{DryRun: dryRun}, files()...)
		want := []string{
			"customers.csv 2: The customer c99 does not exist. Correct its ID. To add it, the file needs the column Name.",
			"products.csv 2: The product p00 does not exist. Correct its ID. To add it, the file needs the column Detail.Name.",
		}
		if slices.Sort(rejected); !slices.Equal(rejected, want) {
			t.Errorf("dry run %t: rejected %q, want %q", dryRun, rejected, want)
		}
	}
	if sum, rejected := importFiles(t, s, exchange.ImportOptions{Lenient: true}, newFile("products.csv", "ProductID,Price\np00,8\n")); sum.Counts.Added != 1 || len(sum.Warnings) != 1 {
		t.Errorf("lenient: got %+v, rejected %q; want 1 added with a warning", sum, rejected)
	}
}

// TestUpdate_IDsWithSpaces updates stock whose IDs differ only in the place of a space. None
// of the rows repeats another one.
func TestUpdate_IDsWithSpaces(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	_, rejected := importFiles(t, s, exchange.ImportOptions{},
		newFile("products.csv", "ProductID,Detail.Name,Price\na b,One,1\na,Two,2\n"), newFile("warehouses.csv", "WarehouseID,Name\nc,Malmö\nb c,Lund\n"),
		newFile("warehouse-items.csv", "ProductID,WarehouseID,Quantity\na b,c,1\na,b c,1\n"))
	if len(rejected) > 0 {
		t.Fatal(rejected)
	}
	result, rejected, err := updateFiles(t, s, false, newFile("warehouse-items.csv", "ProductID,WarehouseID,ReorderPoint\na b,c,5\na,b c,6\n"))
	if counts := result.Sum(); err != nil || len(rejected) > 0 || counts.Updated != 2 {
		t.Errorf("got %+v, %v, rejected %q; want two rows updated", counts, err, rejected)
	}
}
