package exchange_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

var importAdmin = &store.User{Name: "admin", Role: store.Admin}

// soldFiles returns CSV files with orders of two account reps on three days. Some of their
// lines are cancelled or returned. It also returns the expected totals and quotas.
func soldFiles(now time.Time) (files map[string]string, orders map[string]store.DayTotal, quotas map[string]store.Quota) {
	day := func(back int) string { return now.AddDate(0, 0, -back).Format(time.RFC3339) }
	employees := "EmployeeID,Name\ne1,Ann\ne2,Bo\n"
	order, lines := "OrderID,CustomerID,Date,Status,Total,AccountRepID\n", "OrderID,ProductID,CustomerID,Price,Quantity,Shipped,Returned,Cancelled,Date\n"
	orders, quotas = map[string]store.DayTotal{}, map[string]store.Quota{}
	for n := range 90 {
		back, rep, status := n%3, fmt.Sprint("e", n%2+1), "OPEN"
		kept := 50
		switch n % 10 {
		case 7:
			status, kept = "CANCELLED", 0
		case 8:
			kept = 30 // without two units of the second product, which are returned
		}
		order += fmt.Sprintf("o%d,c1,%s,%s,50,%s\n", n, day(back), status, rep)
		lines += fmt.Sprintf("o%d,p1,c1,10,1,0,0,,%s\n", n, day(back))
		shipped, returned, cancelled := 0, 0, ""
		switch n % 10 {
		case 7:
			cancelled = "true"
		case 8:
			shipped, returned = 4, 2
		}
		lines += fmt.Sprintf("o%d,p2,c1,10,4,%d,%d,%s,%s\n", n, shipped, returned, cancelled, day(back))
		if kept == 0 {
			continue
		}
		date := now.AddDate(0, 0, -back)
		total := orders[date.Format(time.DateOnly)]
		total.Count++
		total.Amount = total.Amount.Plus(store.MinorUnits(int64(kept) * 100).Sum())
		orders[date.Format(time.DateOnly)] = total
		key := rep + "/" + store.QuarterOf(date).String()
		quota := quotas[key]
		quota.Orders++
		quota.OrderTotal = quota.OrderTotal.Plus(store.MinorUnits(int64(kept) * 100).Sum())
		quotas[key] = quota
	}
	subscriptions := "AccountID,SubscriptionID,SKU,PaymentDay,PaymentAmount,NextPaymentDate,NextAttemptDate,Status\n"
	receipts := "AccountID,DueDate,SKU,SubscriptionID,ProcessedDate,ProcessedAmount\n"
	for n := range 20 {
		subscriptions += fmt.Sprintf("a%d,s,k,1,5,%s,%s,ACTIVE\n", n, now.AddDate(0, 0, 5).Format(time.DateOnly), now.AddDate(0, 0, 5).Format(time.DateOnly))
		receipts += fmt.Sprintf("a%d,%s,k,s,%s,5\n", n, day(1)[:10], day(1))
	}
	return map[string]string{
		"customers.csv": "CustomerID,Name\nc1,Kim\n", "products.csv": "ProductID,Price,Detail.Name\np1,10,Lamp\np2,10,Desk\n", "employees.csv": employees, "orders.csv": order, "order-items.csv": lines, "subscriptions.csv": subscriptions, "receipts.csv": receipts,
	}, orders, quotas
}

func filesOf(contents map[string]string, names ...string) []exchange.File {
	if len(names) == 0 {
		names = slices.Sorted(maps.Keys(contents))
	}
	var files []exchange.File
	for _, name := range names {
		files = append(files, newFile(name, contents[name]))
	}
	return files
}

// charted returns the totals of a kind by day, for days around now.
func charted(t *testing.T, s *store.Store, kind store.TotalKind) map[string]store.DayTotal {
	t.Helper()
	days, err := s.As(importAdmin).Totals(t.Context(), kind, store.DateRange{From: storetest.Now.AddDate(0, 0, -40), To: storetest.Now.AddDate(0, 0, 40)})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]store.DayTotal{}
	for _, d := range days {
		all[d.Day.Format(time.DateOnly)] = store.DayTotal{Count: d.Count, Amount: d.Amount}
	}
	return all
}

func soldByReps(t *testing.T, s *store.Store) map[string]store.Quota {
	t.Helper()
	all := map[string]store.Quota{}
	for _, rep := range []string{"e1", "e2"} {
		quotas, err := s.As(importAdmin).QuotasOfRep(t.Context(), rep, store.Page{})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range quotas.Rows {
			all[rep+"/"+q.Period.String()] = store.Quota{Orders: q.Orders, OrderTotal: q.OrderTotal}
		}
	}
	return all
}

func checkCounted(t *testing.T, s *store.Store, orders map[string]store.DayTotal, quotas map[string]store.Quota) {
	t.Helper()
	if got := charted(t, s, store.TotalOrders); fmt.Sprint(got) != fmt.Sprint(orders) {
		t.Errorf("orders per day:\n got %v\nwant %v", got, orders)
	}
	if got := soldByReps(t, s); fmt.Sprint(got) != fmt.Sprint(quotas) {
		t.Errorf("quotas:\n got %v\nwant %v", got, quotas)
	}
	hundred := store.MinorUnits(100_00).Sum()
	due := map[string]store.DayTotal{storetest.Now.AddDate(0, 0, 5).Format(time.DateOnly): {Count: 20, Amount: hundred}}
	if got := charted(t, s, store.TotalDue); fmt.Sprint(got) != fmt.Sprint(due) {
		t.Errorf("due payments: got %v, want %v", got, due)
	}
	paid := map[string]store.DayTotal{storetest.Now.AddDate(0, 0, -1).Format(time.DateOnly): {Count: 20, Amount: hundred}}
	if got := charted(t, s, store.TotalPayments); fmt.Sprint(got) != fmt.Sprint(paid) {
		t.Errorf("payments: got %v, want %v", got, paid)
	}
}

// TestImport_CountsEntities imports the order lines alone, then all files, and then
// the orders again. The totals and quotas must count each entity once.
func TestImport_CountsEntities(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		contents, orders, quotas := soldFiles(storetest.Now)
		for _, names := range [][]string{{"order-items.csv"}, nil, {"orders.csv"}} {
			if _, rejected := importFiles(t, s, exchange.ImportOptions{Lenient: true}, filesOf(contents, names...)...); len(rejected) > 0 {
				t.Fatal(rejected)
			}
		}
		checkCounted(t, s, orders, quotas)
		if ranked, err := s.As(importAdmin).RankedReps(t.Context(), store.QuarterOf(storetest.Now), store.Page{}); err != nil || len(ranked.Rows) != 2 || ranked.Rows[0].Name == "" {
			t.Errorf("ranking of reps: got %+v, %v; want both with their names", ranked.Rows, err)
		}
	})
}

// stoppingTarget is a target that fails after a number of writes, as if the process were
// killed.
type stoppingTarget struct {
	exchange.Target
	writes int
}

var errKilled = errors.New("killed")

func (s *stoppingTarget) Load(ctx context.Context, entities []store.Entity, options store.LoadOptions) (store.LoadResult, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	options.Progress = func(int) {
		if s.writes--; s.writes <= 0 {
			cancel(errKilled)
		}
	}
	result, err := s.Target.Load(ctx, entities, options)
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return result, err
}

func TestImport_CountsOnceAfterInterruptions(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		contents, orders, quotas := soldFiles(storetest.Now)
		interrupted := 0
		for run := range 20 {
			sources, err := exchange.Open(filesOf(contents), "")
			if err != nil {
				t.Fatal(err)
			}
			target, known := &stoppingTarget{s, 1 + run/2}, exchange.NewKnown()
			for _, source := range sources {
				_, err := exchange.Import(t.Context(), target, source, exchange.ImportOptions{Known: known, Rejected: func([]exchange.RejectedRow) error { return nil }})
				if errors.Is(err, context.Canceled) || errors.Is(err, errKilled) {
					interrupted++
					break
				}
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		if interrupted < 3 {
			t.Errorf("got %d interrupted imports, want some", interrupted)
		}
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(contents)...); len(rejected) > 0 {
			t.Error(rejected)
		}
		checkCounted(t, s, orders, quotas)
	})
}

// TestImport_OfAnExportCountsOnce imports the files of an export: all of them together,
// and all except totals and quotas, each time twice. It also imports each file alone,
// except those of invoices and credit notes. Totals and quotas must count each record
// once.
func TestImport_OfAnExportCountsOnce(t *testing.T) {
	contents, orders, quotas := soldFiles(storetest.Now)
	from := storetest.Open(t, storetest.NewClock())
	importFiles(t, from, exchange.ImportOptions{}, filesOf(contents)...)
	want := readTable(t, from)
	for _, format := range []exchange.Format{exchange.FormatCSV, exchange.FormatLines} {
		for _, how := range []string{"together", "without totals", "file by file"} {
			t.Run(string(format)+"/"+how, func(t *testing.T) {
				s := storetest.Open(t, storetest.NewClock())
				names, exported := exportTable(t, from, format)
				if how == "without totals" {
					names = slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "totals") || strings.HasPrefix(name, "quotas") })
				}
				groups := [][]string{names, names}
				if how == "file by file" {
					groups = nil
					for _, name := range names {
						if !strings.HasPrefix(name, "invoice") && !strings.HasPrefix(name, "credit-note") { // these must be imported together with their lines and payments
							groups = append(groups, []string{name})
						}
					}
				}
				for _, group := range groups {
					if _, rejected := importFiles(t, s, exchange.ImportOptions{Lenient: how == "file by file"}, filesOf(exported, group...)...); len(rejected) > 0 {
						t.Fatal(rejected)
					}
				}
				checkCounted(t, s, orders, quotas)
				checkLevels(t, s)
				want := want
				if how == "file by file" {
					want = withLaterLines(want)
				}
				compareTables(t, readTable(t, s), want)
			})
		}
	}
}

// withLaterLines returns the table as it is if orders and lines are imported separately.
// Orders with open lines then have Version 2, because the import of the lines changes them.
func withLaterLines(table map[string]store.Item) map[string]store.Item {
	changed := maps.Clone(table)
	for place, item := range table {
		if item["OpenLines"] != nil {
			changed[place] = maps.Clone(item)
			changed[place]["Version"] = &types.AttributeValueMemberN{Value: "2"}
		}
	}
	return changed
}

// exportTable returns the contents of an export by file, and the names of the files
// in the export's order.
func exportTable(t *testing.T, s *store.Store, format exchange.Format) (names []string, contents map[string]string) {
	t.Helper()
	contents = map[string]string{}
	for _, path := range export(t, s, format) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		contents[filepath.Base(path)] = string(text)
	}
	files, err := exchange.FileNames(format, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if name += "." + string(format); contents[name] != "" {
			names = append(names, name)
		}
	}
	return names, contents
}

// TestImport_CountsRepeatedRows checks the counts of an import that contains the same
// customer three times.
func TestImport_CountsRepeatedRows(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	sources, err := exchange.Open([]exchange.File{newFile("customers.csv", "CustomerID,Name\nc1,Kim\nc1,Kim\nc1,Kim\n")}, "")
	if err != nil {
		t.Fatal(err)
	}
	got, err := exchange.Import(t.Context(), s, sources[0], exchange.ImportOptions{})
	if err != nil || got.Sum() != (exchange.Counts{Read: 3, Added: 1, Unchanged: 2}) {
		t.Errorf("got %+v, %v; want 1 added and 2 unchanged", got.Sum(), err)
	}
}

// TestImport_RejectsRepeatedItems checks that an import of JSON Lines rejects a repeated
// customer with another name.
func TestImport_RejectsRepeatedItems(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	line := func(name string) string {
		return `{"Item":{"PK":{"S":"c#c1"},"SK":{"S":"c#c1"},"Name":{"S":"` + name + `"}}}` + "\n"
	}
	got, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile("items.jsonl", line("Kim")+line("Kim")+line("Lee")))
	if want := (exchange.Counts{Read: 3, Added: 1, Unchanged: 1, Rejected: 1}); got.Counts != want {
		t.Errorf("got %+v, want %+v", got.Counts, want)
	}
	if want := []string{"items.jsonl 3: The customer c1 (Lee) appears twice with different values of Name."}; !slices.Equal(rejected, want) {
		t.Errorf("got %q, want %q", rejected, want)
	}
	if c, err := s.As(importAdmin).Customer(t.Context(), "c1"); err != nil || c.Name != "Kim" {
		t.Errorf("got %+v, %v, want the first row", c, err)
	}
}

// TestImport_RejectsStockOfUnknownWarehouse imports stock in a warehouse that neither the
// files nor the table contain. Only this row must be rejected.
func TestImport_RejectsStockOfUnknownWarehouse(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	_, rejected := importFiles(
		t, s, exchange.ImportOptions{}, csvFile("products.csv", "ProductID,Price,Detail.Name\np1,5,Lamp\n"), csvFile("warehouses.csv", "WarehouseID,Name\nw1,Aarhus\n"),
		csvFile("warehouse-items.csv", "ProductID,WarehouseID,Quantity\np1,w1,3\np1,w9,4\n"),
	)
	if len(rejected) != 1 || !strings.HasPrefix(rejected[0], "warehouse-items.csv 3: Unknown warehouse w9") {
		t.Errorf("got %q, want only the row with the unknown warehouse", rejected)
	}
	checkLevels(t, s)
}

// checkLevels checks that the stock levels are the sums of stock and order lines.
func checkLevels(t *testing.T, s *store.Store) {
	t.Helper()
	if _, err := s.CheckTotals(t.Context(), store.TotalsCheck{Found: func(d store.TotalDifference) {
		if d.ProductID != "" {
			t.Error(d)
		}
	}}); err != nil {
		t.Error(err)
	}
}

// TestImport_NamesColumnsInReasons imports records whose values differ from those in the
// table. The reasons must name the record and the columns, not keys of the table.
func TestImport_NamesColumnsInReasons(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	files := func(name string) []exchange.File {
		return []exchange.File{
			csvFile("customers.csv", "CustomerID,Name,Email,Phones,Address.City\nc1,"+name+","+name+"@example.com,+46 70 1234567,"+name+"\n"),
			csvFile("products.csv", "ProductID,Detail.Name,Price\np1,"+name+",5\n"),
		}
	}
	importFiles(t, s, exchange.ImportOptions{}, files("Kim")...)
	_, rejected := importFiles(t, s, exchange.ImportOptions{}, files("Lee")...)
	want := []string{
		"customers.csv 2: The customer c1 (Lee) already exists with different values of Address.City, Email, Name. It was not changed. To change it, use -update.",
		"products.csv 2: The product p1 already exists with different values of Detail.Name. It was not changed. To change it, use -update.",
	}
	if !slices.Equal(rejected, want) {
		t.Errorf("got %q, want %q", rejected, want)
	}
	_, rejected = importFiles(t, s, exchange.ImportOptions{}, csvFile("customers.csv", "CustomerID,Name\nc1,Lee\n"), csvFile("products.csv", "ProductID,Price,Detail.Name\np1,5,Lamp\n"))
	want = []string{
		"customers.csv 2: The customer c1 (Lee) already exists with different values of Name. It was not changed. To change it, use -update.",
		"products.csv 2: The product p1 already exists with different values of Detail.Name. It was not changed. To change it, use -update.",
	}
	if !slices.Equal(rejected, want) {
		t.Errorf("without columns: got %q, want %q", rejected, want)
	}
	twice := csvFile("customers.csv", "CustomerID,Name\nc2,Kim\nc2,Lee\n")
	_, rejected = importFiles(t, s, exchange.ImportOptions{}, twice)
	if want := []string{"customers.csv 3: The customer c2 (Lee) appears twice with different values of Name."}; !slices.Equal(rejected, want) {
		t.Errorf("got %q, want %q", rejected, want)
	}
}
