package exchange_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// openLinesOf returns the open lines of all open orders and whether they have stock, by
// order ID.
func openLinesOf(t *testing.T, s *store.Store) map[string]string {
	t.Helper()
	l, err := s.As(&store.User{Name: "a", Role: store.Admin}).StockedOrders(t.Context(), store.OrderFilter{Status: store.OrderOpen}, false, store.Page{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, o := range l.Rows {
		got[o.ID] = strings.TrimSpace(string(o.Stock) + " " + strings.Join(o.OpenLines, ","))
	}
	return got
}

// TestImport_OpenLinesOfTwoImports imports an order and its lines, in one or more
// imports. The second line has no stock, so its order must not count as ready to
// ship.
func TestImport_OpenLinesOfTwoImports(t *testing.T) {
	const (
		orders = "OrderID,CustomerID,Date,Status,Total\no1,c1,2026-11-20,OPEN,25\n"
		head   = "OrderID,ProductID,CustomerID,Date,Price,Quantity,Shipped\n"
		line1  = "o1,p1,c1,2026-11-20,10,2,0\n"
		line2  = "o1,p2,c1,2026-11-20,5,1,0\n"
		sent   = "o1,p2,c1,2026-11-20,5,1,1\n"
		sent1  = "o1,p3,c1,2026-11-20,5,1,1\n"
	)
	order := map[string]string{"orders.csv": orders}
	lines := func(rows string) map[string]string { return map[string]string{"order-items.csv": head + rows} }
	both := func(rows string) map[string]string {
		return map[string]string{"orders.csv": orders, "order-items.csv": head + rows}
	}
	for name, tt := range map[string]struct {
		parts []map[string]string
		want  string
	}{
		"all lines at once":      {[]map[string]string{both(line1 + line2)}, "PARTLY 2 p1,1 p2"},
		"one file at a time":     {[]map[string]string{order, lines(line1 + line2)}, "PARTLY 2 p1,1 p2"},
		"one line at a time":     {[]map[string]string{order, lines(line2), lines(sent1), lines(line1)}, "PARTLY 2 p1,1 p2"},
		"order without lines":    {[]map[string]string{order}, ""},
		"lines, then the order":  {[]map[string]string{lines(line1 + line2), order}, "PARTLY 2 p1,1 p2"},
		"line of a known order":  {[]map[string]string{both(line1), lines(line2)}, "PARTLY 2 p1,1 p2"},
		"line before its order":  {[]map[string]string{lines(line2), both(line1)}, "PARTLY 2 p1,1 p2"},
		"lines before the order": {[]map[string]string{lines(line1 + line2), both(line1 + line2)}, "PARTLY 2 p1,1 p2"},
		"shipped line":           {[]map[string]string{both(line1), lines(sent)}, "READY 2 p1"},
		"same files again":       {[]map[string]string{both(line1), both(line1)}, "READY 2 p1"},
		"line, and files again":  {[]map[string]string{both(line1), lines(line2), both(line1), lines(line2)}, "PARTLY 2 p1,1 p2"},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
				files := maps.Clone(orderFiles())
				stock := map[string]string{"customers.csv": files["customers.csv"], "products.csv": files["products.csv"], "warehouses.csv": files["warehouses.csv"], "warehouse-items.csv": "ProductID,WarehouseID,Quantity\np1,w1,10\n"}
				for _, part := range append([]map[string]string{stock}, tt.parts...) {
					if _, rejected := importFiles(t, s, exchange.ImportOptions{Lenient: true}, filesOf(part)...); len(rejected) > 0 {
						t.Fatal(rejected)
					}
				}
				if got := openLinesOf(t, s)["o1"]; got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
				for _, f := range findings(t, s) {
					if strings.Contains(f, "open lines") {
						t.Error(f)
					}
				}
			})
		})
	}
}

// TestImport_OpenLinesOfLongOrder checks the OpenLines of an imported order that needs more
// than one transaction.
func TestImport_OpenLinesOfLongOrder(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		const n = 60
		products, lines := "ProductID,Price,Detail.Name\n", "OrderID,ProductID,CustomerID,Date,Price,Quantity,Shipped\n"
		for i := range n {
			products += fmt.Sprintf("q%d,1,Bulb\n", i)
			lines += fmt.Sprintf("o1,q%d,c1,2026-11-20,1,1,0\n", i)
		}
		files := map[string]string{
			"customers.csv": "CustomerID,Name\nc1,Kim\n", "products.csv": products, "order-items.csv": lines,
			"orders.csv": "OrderID,CustomerID,Date,Status\no1,c1,2026-11-20,OPEN\n",
		}
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(files)...); len(rejected) > 0 {
			t.Fatal(rejected)
		}
		if got := openLinesOf(t, s)["o1"]; !strings.HasPrefix(got, "NOT_IN_STOCK") || strings.Count(got, ",") != n-1 {
			t.Errorf("got %q, want %d lines that are not in stock", got, n)
		}
	})
}

// TestImport_ComputesOpenLines imports orders whose OpenLines are missing or wrong.
// The import must compute them from the lines.
func TestImport_ComputesOpenLines(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"", "1 p1", "999 p7", "<b>"} {
		s := storetest.Open(t, storetest.NewClock())
		files := orderFiles()
		files["orders.csv"] = "OrderID,CustomerID,Date,Status,Total,ItemCount,OpenLines\no1,c1,2026-11-20,OPEN,25,3," + value + "\no2,c2,2026-11-20,OPEN,10,1,1 p1\no3,c2,2026-11-20,OPEN,0,0," + value + "\n"
		for range 2 {
			if _, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(files)...); len(rejected) > 0 {
				t.Fatalf("%q: rejected %v, want none", value, rejected)
			}
		}
		got := openLinesOf(t, s)
		for id, want := range map[string]string{"o1": "NOT_IN_STOCK 1 p1,1 p2", "o2": "NOT_IN_STOCK 1 p1", "o3": ""} {
			if got[id] != want {
				t.Errorf("%q, order %s: got %q, want %q", value, id, got[id], want)
			}
		}
	}
}

// TestImport_UpdateComputesOpenLines imports orders twice with the option Update. The
// import must ignore OpenLines in the file and compute them from the lines.
func TestImport_UpdateComputesOpenLines(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.NewClock())
	files := orderFiles()
	files["products.csv"] = "ProductID,Price,Detail.Name\np1,10,Lamp\np2,5,Table\n"
	files["orders.csv"] = "OrderID,CustomerID,Date,Status,Total,ItemCount,OpenLines\no1,c1,2026-11-20,OPEN,25,3,999 p7\no2,c2,2026-11-20,OPEN,10,1,\no3,c2,2026-11-20,OPEN,0,0,999 p7\no4,c2,2026-11-20,CANCELLED,0,0,999 p7\n"
	for range 2 {
		if _, rejected, err := updateFiles(t, s, false, filesOf(files)...); err != nil || len(rejected) > 0 {
			t.Fatal(rejected, err)
		}
	}
	got := openLinesOf(t, s)
	for id, want := range map[string]string{"o1": "NOT_IN_STOCK 1 p1,1 p2", "o2": "NOT_IN_STOCK 1 p1", "o3": ""} {
		if got[id] != want {
			t.Errorf("order %s: got %q, want %q", id, got[id], want)
		}
	}
	if o, err := s.As(&store.User{Name: "a", Role: store.Admin}).Order(t.Context(), "o4"); err != nil || o.OpenLines != nil {
		t.Errorf("cancelled order: got %v, %v, want no open lines", o.OpenLines, err)
	}
}
