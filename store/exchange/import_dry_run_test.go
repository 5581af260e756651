package exchange_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_DryRunCountsAsImport imports files with repeated rows. Some repetitions have
// other values, and some come long after the first row. The dry run and the import must
// count and reject the same rows.
func TestImport_DryRunCountsAsImport(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	people := func(header, prefix string) string {
		rows := []string{header}
		for range 3200 {
			id := random.IntN(2200)
			name, email := "Kim", fmt.Sprintf("%s%d@example.com", prefix, id)
			switch random.IntN(30) {
			case 0:
				name = "Lee"
			case 1:
				email = fmt.Sprintf("other%d@example.com", id)
			case 2:
				email = ""
			}
			rows = append(rows, fmt.Sprintf("x%d,%s,%s", id, name, email))
		}
		return strings.Join(rows, "\n") + "\n"
	}
	products, stock := []string{"ProductID,Detail.Name,Price,SKU"}, []string{"ProductID,WarehouseID,Name,Quantity"}
	for range 3200 {
		id := random.IntN(2700)
		products = append(products, fmt.Sprintf("p%d,Lamp,%d,S%d", id, 5+random.IntN(40)/39, id/2*(1+random.IntN(2))))
		stock = append(stock, fmt.Sprintf("p%d,w1,Lamp,%d", id, 7+random.IntN(40)/39))
	}
	lines := func(prefix string) string {
		var b strings.Builder
		for i := range 1300 {
			fmt.Fprintf(&b, `{"Item":{"EntityType":{"S":"orderItem"},"PK":{"S":"o#%s%d"},"SK":{"S":"p#p1"},"CustomerID":{"S":"x1"},"Name":{"S":"Lamp"},"Price":{"N":"5"},"Quantity":{"N":"1"},"Date":{"S":"2026-11-20T00:00:00Z"}}}`+"\n", prefix, i)
			fmt.Fprintf(&b, `{"Item":{"EntityType":{"S":"order"},"PK":{"S":"o#%s%d"},"SK":{"S":"c#x1"},"Date":{"S":"2026-11-20T00:00:00Z"},"Status":{"S":"OPEN"},"Total":{"N":"5"},"ItemCount":{"N":"1"}}}`+"\n", prefix, i)
		}
		return b.String()
	}
	invoices := []string{"OrderID,InvoiceID,CustomerID,Date,Amount"}
	for i := range 13 {
		invoices = append(invoices, fmt.Sprintf("o%d,i%d,x%d,2026-11-20,1", i*100, i, 1+i%3/2))
	}
	employees, customers, renters := people("EmployeeID,Name,Email", "x"), people("CustomerID,Name,Email", "x"), people("PersonID,Name,Email", "x")
	files := func() []exchange.File {
		return []exchange.File{
			csvFile("employees.csv", employees),
			csvFile("customers.csv", customers),
			csvFile("people.csv", renters),
			csvFile("warehouses.csv", "WarehouseID,Name\nw1,Lund\n"),
			csvFile("products.csv", strings.Join(products, "\n")),
			csvFile("warehouse-items.csv", strings.Join(stock, "\n")),
			csvFile("orders.jsonl", lines("o")),
			csvFile("invoices.csv", strings.Join(invoices, "\n")),
		}
	}
	for _, options := range []exchange.ImportOptions{{Lenient: true}, {SamePeople: true}, {Lenient: true, Update: true}} {
		s := storetest.Open(t, storetest.NewClock())
		planned := options
		planned.DryRun = true
		want, rejected := importFiles(t, s, planned, files()...)
		got, rejectedByImport := importFiles(t, s, options, files()...)
		for _, of := range got.Sequence() {
			if g, w := got.ImportResult.Counts[of], want.ImportResult.Counts[of]; !reflect.DeepEqual(g, w) {
				t.Errorf("%+v, %s: the import counts %+v, but the dry run %+v", options, of.Entity, g, w)
			}
		}
		for n := range min(len(rejected), len(rejectedByImport)) {
			if a, b := rejected[n], rejectedByImport[n]; a[:strings.Index(a, ":")] != b[:strings.Index(b, ":")] {
				t.Fatalf("%+v: the dry run rejects %q, but the import %q", options, a, b)
			}
		}
		if got.Unchanged == 0 || got.Counts.Rejected == 0 || got.Counts.Added == 0 {
			t.Errorf("%+v: got %+v, want some of each", options, got.Counts)
		}
	}
}
