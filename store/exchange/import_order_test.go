package exchange_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// orderFiles returns valid CSV files with two orders.
func orderFiles() map[string]string {
	return map[string]string{
		"customers.csv":        "CustomerID,Name\nc1,Kim\nc2,Lee\n",
		"products.csv":         "ProductID,Price,Detail.Name\np1,10,Lamp\np2,5,Desk\n",
		"warehouses.csv":       "WarehouseID,Name\nw1,Aarhus\n",
		"orders.csv":           "OrderID,CustomerID,Date,Status,Total,ItemCount\no1,c1,2026-11-20,OPEN,25,3\no2,c2,2026-11-20,OPEN,10,1\n",
		"order-items.csv":      "OrderID,ProductID,CustomerID,Date,Price,Quantity,Shipped\no1,p1,c1,2026-11-20,10,2,1\no1,p2,c1,2026-11-20,5,1,0\no2,p1,c2,2026-11-20,10,1,0\n",
		"invoices.csv":         "OrderID,InvoiceID,CustomerID,Date,Amount\no1,i1,c1,2026-11-20,25\n",
		"invoice-payments.csv": "OrderID,InvoiceID,PaymentID,Type,Amount\no1,i1,1,Cash,5\n",
		"shipments.csv":        "OrderID,ShipmentID,WarehouseID,Date,Status\no1,s1,w1,2026-11-20,SENT\n",
		"shipment-items.csv":   "OrderID,ShipmentItemID,ShipmentID,ProductID,Quantity\no1,x1,s1,p1,1\n",
	}
}

// orderRows is the number of rows of order o1 in the files.
const orderRows = 7

// edit is a change to a file: text to replace, or rows to add.
type edit struct{ file, from, to string }

func edited(contents map[string]string, edits ...edit) map[string]string {
	contents = maps.Clone(contents)
	for _, e := range edits {
		if e.from == "" {
			contents[e.file] += e.to
		} else {
			contents[e.file] = strings.Replace(contents[e.file], e.from, e.to, 1)
		}
	}
	return contents
}

// reversal returns an edit that replaces the payments of invoice i1. A payment has a
// PaymentID, a Type, an Amount and a ReversalOf.
func reversal(payments ...string) edit {
	to := "Amount,ReversalOf"
	for _, p := range payments {
		to += "\no1,i1," + p
	}
	return edit{"invoice-payments.csv", "Amount\no1,i1,1,Cash,5", to}
}

// TestImport_Reversal imports a payment, its reversal, another payment, and its refund.
func TestImport_Reversal(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	for range 2 {
		contents := edited(orderFiles(), reversal("1,Cash,5,", "2,Cash,-5,1", "3,Cash,4,", "4,Cash,-2,"))
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(contents)...); len(rejected) > 0 {
			t.Errorf("rejected %q, want none", rejected)
		}
	}
}

func TestImport_WholeOrdersFromCSV(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		got, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(orderFiles())...)
		if len(rejected) > 0 || got.Counts.Added != 14 {
			t.Fatalf("got %+v, rejected %q, want 14 rows added", got.Counts, rejected)
		}
		again, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(orderFiles())...)
		if len(rejected) > 0 || again.Counts.Unchanged != 14 {
			t.Errorf("second import: got %+v, rejected %q, want 14 unchanged", again.Counts, rejected)
		}
	})
}

// TestImport_RejectsBrokenOrdersWhole imports two orders. In each case, one row of the
// first order is invalid. The import must reject this whole order and accept the other one.
func TestImport_RejectsBrokenOrdersWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		edit    edit
		want    string // part of a rejected row and its reason, as text
		lenient bool   // a lenient import accepts the row
	}{
		"unknown customer":        {edit{"customers.csv", "c1,Kim\n", ""}, "orders.csv 2: Unknown customer c1", true},
		"rejected customer":       {edit{"customers.csv", "CustomerID,Name\nc1,Kim\nc2,Lee", "CustomerID,Name,Email\nc1,Kim," + strings.Repeat("x", 300) + "\nc2,Lee,"}, "orders.csv 2: The row of customer c1 was rejected", true},
		"unknown product":         {edit{"products.csv", "p2,5,Desk\n", ""}, "order-items.csv 3: Unknown product p2", true},
		"unknown warehouse":       {edit{"warehouses.csv", "w1,Aarhus\n", ""}, "shipments.csv 2: Unknown warehouse w1", true},
		"unknown shipment":        {edit{"shipment-items.csv", "x1,s1", "x1,s9"}, "shipment-items.csv 2: Unknown shipment s9", true},
		"unknown order":           {edit{"orders.csv", "o1,c1,2026-11-20,OPEN,25,3\n", ""}, "order-items.csv 2: Unknown order o1", true},
		"line of other customer":  {edit{"order-items.csv", "o1,p2,c1", "o1,p2,c2"}, "order-items.csv 3: The row has customer c2, but its order has customer c1. Use the same customer in both.", false},
		"invoice of another":      {edit{"invoices.csv", "c1", "c2"}, "invoices.csv 2: The row has customer c2, but its order has customer c1. Use the same customer in both.", false},
		"shipment of another":     {edit{"shipments.csv", "Date,Status\no1,s1,w1,2026-11-20,SENT", "Date,Status,CustomerID\no1,s1,w1,2026-11-20,SENT,c2"}, "shipments.csv 2: The row has customer c2, but its order has customer c1. Use the same customer in both.", false},
		"invalid line":            {edit{"order-items.csv", "5,1,0", "much,1,0"}, `order-items.csv 3: Price “much” is not valid.`, false},
		"invalid payment":         {edit{"invoice-payments.csv", "Cash,5", "Cash,much"}, `invoice-payments.csv 2: Amount “much” is not valid.`, false},
		"payment without invoice": {edit{"invoice-payments.csv", "", "o1,i9,1,Cash,5\n"}, "invoice-payments.csv 3: This row belongs to a row of invoices.csv that is missing or was rejected.", false},
		"unknown reversed":        {reversal("1,Cash,5,", "2,Cash,-5,9"), "invoices.csv 2: The invoice has the reversal 2 of -5. Expected a payment 9 with the opposite amount.", false},
		"part of reversed":        {reversal("1,Cash,5,", "2,Cash,-4,1"), "invoices.csv 2: The invoice has the reversal 2 of -4. Expected a payment 1 with the opposite amount.", false},
		"positive reversal":       {reversal("1,Cash,5,", "2,Cash,5,1"), "invoices.csv 2: The invoice has the reversal 2 of 5. Expected a payment 1 with the opposite amount.", false},
		"reversed twice":          {reversal("1,Cash,5,", "2,Cash,-5,1", "3,Cash,-5,1"), "invoices.csv 2: The invoice has two reversals of the payment 1. Expected one.", false},
		"total":                   {edit{"orders.csv", "25", "24"}, "orders.csv 2: The sums of the order are wrong: Total is 24, but the lines add up to 25.", true},
		"item count":              {edit{"orders.csv", "25,3", "25,2"}, "orders.csv 2: The sums of the order are wrong: ItemCount is 2", true},
		"invoices":                {edit{"invoices.csv", "25", "26"}, "orders.csv 2: The sums of the order are wrong: the invoices add up to 26", true},
		"shipped":                 {edit{"shipment-items.csv", "p1,1", "p1,2"}, "order-items.csv 2: The sums of the order are wrong: Quantity is 2 and Shipped is 1, but the shipments contain 2.", true},
		"ledger entry":            {edit{"shipment-items.csv", "Quantity\no1,x1,s1,p1,1", "Quantity,Entry,WarehouseID,When,From\no1,x1,s1,p1,1,a#b,w1,2026-11-20,1"}, "shipment-items.csv 2: Entry “a#b” is not valid", false},
		"other warehouse":         {edit{"shipment-items.csv", "Quantity\no1,x1,s1,p1,1", "Quantity,Entry,WarehouseID,When,From\no1,x1,s1,p1,1,e1,w2,2026-11-20,1"}, "shipment-items.csv 2: The row has warehouse w2, but its shipment has warehouse w1. Use the same warehouse in both.", false},
		"order of the future":     {edit{"orders.csv", "o1,c1,2026-11-20", "o1,c1,2026-11-23"}, "orders.csv 2: Date 2026-11-23 is in the future. Enter when this happened.", false},
		"due in 9999":             {edit{"invoices.csv", "Date,Amount\no1,i1,c1,2026-11-20,", "Date,DueDate,Amount\no1,i1,c1,2026-11-20,9999-01-01,"}, "invoices.csv 2: DueDate 9999-01-01 is more than 10 years ahead.", false},
		"order twice":             {edit{"orders.csv", "", "o1,c1,2026-11-20,OPEN,30,3\n"}, "orders.csv 4: Row 2 of orders.csv contains the same order with different values.", false},
	} {
		t.Run(name, func(t *testing.T) {
			contents := edited(orderFiles(), tt.edit)
			ofOrder := 0
			for file, content := range contents {
				if file != "customers.csv" {
					ofOrder += strings.Count(content, "\no1,")
				}
			}
			for _, dryRun := range []bool{true, false} {
				s := storetest.Open(t, storetest.NewClock())
				got, rejected := importFiles(t, s, exchange.ImportOptions{DryRun: dryRun}, filesOf(contents)...)
				if !slices.ContainsFunc(rejected, func(r string) bool { return strings.HasPrefix(r, tt.want) }) {
					t.Errorf("dry run %v: rejected\n%s\nwant %q", dryRun, strings.Join(rejected, "\n"), tt.want)
				}
				parts := slices.DeleteFunc(rejected, func(r string) bool { return strings.HasPrefix(r, "customers") })
				if len(parts) != ofOrder || got.Added["order"] != 1 || got.Added["orderItem"] != 1 || got.Added["invoice"]+got.Added["shipment"]+got.Added["shipmentItem"] != 0 {
					t.Errorf("dry run %v: got added %v and %d rejected, want one order with its line and %d rejected\n%s", dryRun, got.Added, len(parts), ofOrder, strings.Join(rejected, "\n"))
				}
			}
			s := storetest.Open(t, storetest.NewClock())
			got, rejected := importFiles(t, s, exchange.ImportOptions{Lenient: true}, filesOf(contents)...)
			if tt.lenient && (got.Added["orderItem"] != 3 || got.Warned == 0 || !strings.HasPrefix(got.Warnings[0].Reason, tt.want[strings.Index(tt.want, ": ")+2:])) {
				t.Errorf("lenient: got added %v, rejected %q, %d warnings %+v, want %q as a warning", got.Added, rejected, got.Warned, got.Warnings, tt.want)
			}
			if !tt.lenient && got.Added["orderItem"] != 1 {
				t.Errorf("lenient: got added %v, want only the other order", got.Added)
			}
		})
	}
}

// TestImport_UnpackedShipment imports an order whose only shipment was unpacked. Its items
// count neither as shipped nor as lines of the order. Further items can be imported later.
func TestImport_UnpackedShipment(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		contents := edited(orderFiles(), edit{"products.csv", "", "p3,7,Chair\n"}, edit{"shipments.csv", "SENT", "UNPACKED"}, edit{"shipment-items.csv", "", "o1,x2,s1,p3,4\n"})
		contents["order-items.csv"] = "OrderID,ProductID,CustomerID,Date,Price,Quantity\no1,p1,c1,2026-11-20,10,2\no1,p2,c1,2026-11-20,5,1\no2,p1,c2,2026-11-20,10,1\n"
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(contents)...); len(rejected) > 0 {
			t.Fatalf("rejected %q, want none", rejected)
		}
		later := newFile("shipment-items.csv", "OrderID,ShipmentItemID,ShipmentID,ProductID,Quantity\no1,x3,s1,p3,1\n")
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, later); len(rejected) > 0 {
			t.Errorf("another item: rejected %q, want none", rejected)
		}
		o, err := s.As(&store.User{Name: "kim", Role: store.Admin}).Order(t.Context(), "o1")
		if err != nil || o.Status != store.OrderOpen || o.ShipmentState != store.NothingShipped || o.Items[0].Shipped != 0 || len(o.Shipments[0].Items) != 3 {
			t.Errorf("got the order %+v, %v; want it open, with nothing shipped", o, err)
		}
		result, err := s.CheckBusiness(t.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) {
			if f.Rule == store.CheckShipmentItem || f.Rule == store.CheckLineShipped || f.Rule == store.CheckOrderState {
				t.Errorf("%s: %s", f.Rule, f.Text)
			}
		}})
		if err != nil || result.Items == 0 {
			t.Errorf("check: got %+v, %v", result, err)
		}
	})
}

// TestImport_FindsParentsInTable checks that the parts of an order can be imported one
// file after the other. Parts that contradict the order in the table must be rejected.
func TestImport_FindsParentsInTable(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		contents := orderFiles()
		for _, names := range [][]string{{"customers.csv"}, {"products.csv", "warehouses.csv"}, {"orders.csv"}, {"order-items.csv"}, {"invoices.csv", "invoice-payments.csv"}, {"shipments.csv"}, {"shipment-items.csv"}} {
			if _, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(contents, names...)...); len(rejected) > 0 {
				t.Errorf("%s: rejected %q, want none", names, rejected)
			}
		}
		other := newFile("order-items.csv", "OrderID,ProductID,CustomerID,Date,Price,Quantity\no2,p2,c1,2026-11-20,5,1\n")
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, other); len(rejected) != 1 || !strings.Contains(rejected[0], "order o2 in the table has customer c2") {
			t.Errorf("line of another customer: rejected %q, want the line with the reason", rejected)
		}
		shipment := newFile("shipments.csv", "OrderID,ShipmentID,CustomerID,WarehouseID,Date,Status\no2,s2,c1,w1,2026-11-20,SENT\n")
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, shipment); len(rejected) != 1 || !strings.Contains(rejected[0], "order o2 in the table has customer c2") {
			t.Errorf("shipment of another customer: rejected %q, want the shipment with the reason", rejected)
		}
		item := newFile("shipment-items.csv", "OrderID,ShipmentItemID,ShipmentID,ProductID,Quantity,Entry,WarehouseID,When,From\no1,x2,s1,p1,1,e1,w2,2026-11-20,1\n")
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, item); len(rejected) != 1 || !strings.Contains(rejected[0], "its shipment has warehouse w1") {
			t.Errorf("ledger entry of another warehouse: rejected %q, want the shipment item with the reason", rejected)
		}
	})
}

func TestImport_RejectsRepeatedLines(t *testing.T) {
	for name, line := range map[string]string{"equal": "o1,p1,c1,2026-11-20,10,2,1\n", "different": "o1,p1,c1,2026-11-20,9,1,0\n"} {
		s := storetest.Open(t, storetest.NewClock())
		contents := edited(orderFiles(), edit{"order-items.csv", "", line})
		_, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(contents)...)
		const want = "order-items.csv 5: Order o1 has the product p1 twice: the other line is in row 2 of order-items.csv. Remove one of the two rows, or use -merge-lines to add their quantities."
		if len(rejected) != orderRows+1 || !slices.Contains(rejected, want) {
			t.Errorf("%s: rejected\n%s\nwant %d rows and %q", name, strings.Join(rejected, "\n"), orderRows+1, want)
		}
	}
}

func TestImport_MergesLines(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		contents := edited(orderFiles(), edit{"order-items.csv", "", "o1,p1,c1,2026-11-20,10,2,0\no1,p1,c1,2026-11-20,10,1,0\n"}, edit{"orders.csv", "25,3", "55,6"})
		for run, want := range []exchange.Counts{{Read: 5, Added: 3, Merged: 2}, {Read: 5, Unchanged: 3, Merged: 2}} {
			got, rejected := importFiles(t, s, exchange.ImportOptions{MergeLines: true}, filesOf(contents)...)
			for of, counts := range got.ImportResult.Counts {
				if of.Entity == "orderItem" && *counts != want {
					t.Errorf("run %d: got %+v, want %+v", run, *counts, want)
				}
			}
			if len(rejected) > 0 {
				t.Errorf("run %d: rejected %q, want none", run, rejected)
			}
		}
		line, err := s.As(importAdmin).OrderItem(t.Context(), "o1", "p1")
		if err != nil || line.Quantity != 5 || line.Shipped != 1 {
			t.Errorf("got %+v, %v, want 5 of the product, one of them shipped", line, err)
		}
	})
	contents := edited(orderFiles(), edit{"order-items.csv", "", "o1,p1,c1,2026-11-20,9,1,0\n"})
	_, rejected := importFiles(t, storetest.Open(t, storetest.NewClock()), exchange.ImportOptions{MergeLines: true}, filesOf(contents)...)
	if want := "order-items.csv 5: Row 2 of order-items.csv has the same product p1. The rows can't be merged, because their prices differ"; !strings.Contains(strings.Join(rejected, "\n"), want) {
		t.Errorf("another price: rejected\n%s\nwant %q", strings.Join(rejected, "\n"), want)
	}
}

func TestImport_RejectsOrdersWithTooManyLines(t *testing.T) {
	contents := orderFiles()
	lines := "OrderID,ProductID,CustomerID,Date,Price,Quantity\n"
	for n := range 81 {
		contents["products.csv"] += fmt.Sprintf("q%d,1,Bulb\n", n)
		lines += fmt.Sprintf("o1,q%d,c1,2026-11-20,1,1\n", n)
	}
	contents["order-items.csv"] = lines
	_, rejected := importFiles(t, storetest.Open(t, storetest.NewClock()), exchange.ImportOptions{}, filesOf(contents)...)
	if want := "order-items.csv 82: An order can have at most 80 lines."; !slices.Contains(rejected, want) {
		t.Errorf("rejected %q, want %q", rejected, want)
	}
}

// TestImport_RejectsUnknownParents checks that an import rejects rows that refer to
// unknown records, but accepts references to later rows.
func TestImport_RejectsUnknownParents(t *testing.T) {
	contents := map[string]string{
		"warehouse-items.csv": "ProductID,WarehouseID,Quantity\np9,w9,1\n",
		"kayaks.csv":          "StoreID,InventoryID,DailyRate,Status\ns9,k1,30,in\n",
		"rentals.csv":         "RentalID,StoreID,PersonID,InventoryID,Out,Returned,Rate\nr1,s1,p9,k2,2026-11-10,2026-11-11,30\n",
		"employees.csv":       "EmployeeID,Name,JobID,ManagerID\ne1,Ann,j1,e2\ne2,Bo,j9,\ne3,Cy,,e9\n",
		"jobs.csv":            "JobID,Title\nj1,Clerk\n",
		"countries.csv":       "CountryID,Name,RegionID\ndk,Denmark,r9\n",
		"customers.csv":       "CustomerID,Name,AccountRepID\nc1,Kim,e1\nc2,Lee,e9\n",
	}
	want := []string{
		"countries.csv 2: Unknown region r9", "customers.csv 3: Unknown employee e9", "employees.csv 3: Unknown job j9", "employees.csv 4: Unknown employee e9",
		"kayaks.csv 2: Unknown store s9", "rentals.csv 2: Unknown store s1", "warehouse-items.csv 2: Unknown product p9",
	}
	s := storetest.Open(t, storetest.NewClock())
	got, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(contents)...)
	slices.Sort(rejected)
	if got.Added["employee"] != 1 || got.Added["customer"] != 1 || !slices.EqualFunc(rejected, want, strings.HasPrefix) {
		t.Errorf("got added %v, rejected\n%s\nwant\n%s", got.Added, strings.Join(rejected, "\n"), strings.Join(want, "\n"))
	}
	got, rejected = importFiles(t, storetest.Open(t, storetest.NewClock()), exchange.ImportOptions{Lenient: true}, filesOf(contents)...)
	if got.Warned != 7 || len(rejected) != 1 { // the rejected row is a rental of an unknown kayak, which even a lenient import rejects
		t.Errorf("lenient: got %d warnings %+v, rejected %q, want 7 warnings and 1 rejected row", got.Warned, got.Warnings, rejected)
	}
}

// TestImport_CancelsLinesOfCancelledOrder imports a cancelled order with an open line. The
// import must cancel the line. Stock would otherwise stay committed to it.
func TestImport_CancelsLinesOfCancelledOrder(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		contents := edited(orderFiles(), edit{"orders.csv", "o2,c2,2026-11-20,OPEN", "o2,c2,2026-11-20,CANCELLED"},
			edit{"order-items.csv", "Shipped\n", "Shipped,Cancelled\n"}, edit{"order-items.csv", "10,2,1\n", "10,2,1,\n"},
			edit{"order-items.csv", "5,1,0\n", "5,1,0,\n"}, edit{"order-items.csv", "10,1,0\n", "10,1,0,false\n"})
		if _, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(contents)...); len(rejected) > 0 {
			t.Fatal(rejected)
		}
		a := s.As(&store.User{Name: "admin", Role: store.Admin})
		o, err := a.Order(t.Context(), "o2")
		if err != nil || o.Status != store.OrderCancelled || !o.Items[0].Cancelled {
			t.Errorf("got %+v, %v; want the line cancelled", o, err)
		}
		if level, err := a.StockLevelOf(t.Context(), "p1"); err != nil || level.Committed != 1 {
			t.Errorf("got %+v, %v; want 1 committed by the other order", level, err)
		}
	})
}

// TestImport_CancelsLinesOfCancelledOrderInTable imports a cancelled order and its
// open line separately. The import must cancel the line.
func TestImport_CancelsLinesOfCancelledOrderInTable(t *testing.T) {
	contents := edited(orderFiles(), edit{"orders.csv", "o2,c2,2026-11-20,OPEN", "o2,c2,2026-11-20,CANCELLED"})
	const order, line = "OrderID,CustomerID,Date,Status,Total,ItemCount\no2,c2,2026-11-20,CANCELLED,10,1\n", "OrderID,ProductID,CustomerID,Date,Price,Quantity,Shipped\no2,p1,c2,2026-11-20,10,1,0\n"
	for name, parts := range map[string][]map[string]string{
		"order first": {
			edited(contents, edit{"order-items.csv", "o2,p1,c2,2026-11-20,10,1,0\n", ""}),
			{"order-items.csv": line},
		},
		"line first": {
			edited(contents, edit{"orders.csv", "o2,c2,2026-11-20,CANCELLED,10,1\n", ""}),
			{"orders.csv": order},
		},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
				for _, files := range parts {
					if _, rejected := importFiles(t, s, exchange.ImportOptions{Lenient: true}, filesOf(files)...); len(rejected) > 0 {
						t.Fatal(rejected)
					}
				}
				a := s.As(&store.User{Name: "admin", Role: store.Admin})
				o, err := a.Order(t.Context(), "o2")
				if err != nil || o.Status != store.OrderCancelled || len(o.Items) != 1 || !o.Items[0].Cancelled {
					t.Errorf("got %+v, %v; want the line cancelled", o, err)
				}
				if level, err := a.StockLevelOf(t.Context(), "p1"); err != nil || level.Committed != 1 {
					t.Errorf("got %+v, %v; want 1 committed by the other order", level, err)
				}
				again, rejected := importFiles(t, s, exchange.ImportOptions{}, filesOf(parts[1])...)
				if len(rejected) > 0 || again.Counts.Unchanged != 1 {
					t.Errorf("second import: got %+v, rejected %q, want 1 unchanged", again.Counts, rejected)
				}
			})
		})
	}
}
