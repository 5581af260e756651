package handlers

import (
	"io/fs"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"stockroom/store"
	"stockroom/store/imports"
	"stockroom/store/storetest"
)

// adjustment is the ID of an event in openOrder. undoAdjustment is the address of the
// form that undoes it.
const (
	adjustment     = "01KA8VPDC0000000000000000U"
	undoAdjustment = "/undo?about=p%23p12&event=" + adjustment
)

// openOrder returns the records that many tests need:
//   - an order that is partly shipped and partly paid: warehouse w1 has packed one
//     of 3 pieces of p10, and none of 2 pieces of p08
//   - a credit note for the invoice of that order, because a product was replaced by
//     another
//   - an order whose only shipment, from warehouse w1, is packed
//   - an order whose only shipment, from warehouse w1, was shipped
//   - an overdue delivery of 20 pieces of p07 to w1
//   - an overdue transfer t1 of 6 pieces of p03 from w2 to w1, and a transfer t2 in
//     the other direction
//   - the preview of a bulk change by the admin
//   - a saved view of the admin, and shared views, one of which has the address of
//     another site
//   - an adjustment of the stock of p12 in w1, which can be undone
//   - a customer without orders, and a closed customer
//   - the reports of an erasure and of a check
//   - a card link, and a rejected email
func openOrder() []store.Entity {
	line := func(product string, price int64, quantity, shipped int) *store.OrderItem {
		return &store.OrderItem{
			OrderID: "open", ProductID: product, CustomerID: "c01", Date: storetest.Now, Name: product,
			Price: store.MinorUnits(price), Quantity: quantity, Shipped: shipped,
		}
	}
	return append([]store.Entity{
		&store.Order{
			ID: "open", CustomerID: "c01", CustomerName: "Åsa 1", Date: storetest.Now, Status: store.OrderOpen, ItemCount: 5,
			Total: store.MinorUnits(546), PaymentState: store.InvoicePartial, ShipmentState: store.PartlyShipped, OpenLines: []string{"2 p10", "2 p08"},
		},
		line("p10", 110, 3, 1), line("p08", 108, 2, 0),
		&store.Invoice{
			ID: "iopen", OrderID: "open", CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(546), Status: store.InvoicePartial,
			Payments: []store.Payment{{ID: "1", Type: "GiftCard", Amount: store.MinorUnits(10), Date: storetest.Now, Data: "GC-1"}},
		},
		&store.CreditNote{
			ID: "cnopen", OrderID: "open", CustomerID: "c01", InvoiceID: "iopen", Date: storetest.Now, Reason: store.CreditEdited,
			Lines: []store.DocumentLine{{ProductID: "p07", Name: "p07", Price: store.MinorUnits(108), Quantity: 1}, {ProductID: "p08", Name: "p08", Price: store.MinorUnits(108), Quantity: -1}},
		},
		&store.Shipment{ID: "sopen", OrderID: "open", WarehouseID: "w1", Date: storetest.Now, Status: store.ShipmentPacked},
		&store.ExpectedDelivery{ID: "d1", ProductID: "p07", WarehouseID: "w1", Name: "c-product 7", Due: storetest.Day(2026, time.November, 18), Supplier: "Acme", Quantity: 20, Version: 1},
		&store.Transfer{ID: "t1", ProductID: "p03", SourceID: "w2", TargetID: "w1", Name: "d-product 3", Sent: storetest.Day(2026, time.November, 10), Reason: "Restock", By: "outsider", Quantity: 6, Version: 1},
		&store.Transfer{ID: "t2", ProductID: "p03", SourceID: "w1", TargetID: "w2", Name: "d-product 3", Sent: storetest.Day(2026, time.November, 20), By: "manager", Quantity: 4, Version: 1},
		&store.Event{
			ID: adjustment, Partition: "p#p12", When: storetest.Now.Add(-time.Hour), By: "manager", What: store.EventStockAdjusted, Why: "found",
			Before: "w1: 20", After: "w1: 24", Values: `[{"n":"quantity","p":"w1","b":"20","a":"24"}]`,
		},
		&store.SavedView{ID: "v1", Owner: "admin", Name: "Unpaid", Path: "/invoices?status=UNPAID"},
		&store.SavedView{ID: "v2", Name: "Open orders", Path: "/orders?status=OPEN"},
		&store.SavedView{ID: "v3", Name: "All users", Path: "/admin/users"},
		&store.SavedView{ID: "v4", Name: "Elsewhere", Path: "//example.com/orders"},
		&store.Customer{ID: "quiet", Name: "Quiet", Version: 1},
		&store.Customer{ID: "shut", Name: "Shut", Closed: storetest.Now.AddDate(0, -1, 0), Version: 1},
		&store.ErasureReport{Began: storetest.Now, Ended: storetest.Now, Erased: 2, Skips: 1, Skipped: []store.SkippedErasure{{ID: "c01", Reason: "Order open is still open."}}, Version: 1},
		&store.CheckReport{
			Began: storetest.Now, Ended: storetest.Now, Items: 90, Counts: []store.RuleCount{{Rule: store.CheckOrderTotal, Count: 1}},
			First: []store.CheckEntry{{Rule: store.CheckOrderTotal, PK: "o#open", SK: "c#c01", Text: "The order open has the total 1.", About: []string{"o#open"}}}, Version: 1,
		},
		&store.CardLink{
			ID: "01HZX000000000000000000CAR", Code: "secret", Origin: "https://shop.example.com", AccountID: "c01", SubscriptionID: "sub01", SKU: "PLAN",
			Created: storetest.Now, Expires: storetest.Now.AddDate(1, 0, 0), Version: 1,
		},
		&store.Email{
			ID: knownEmail, Kind: store.EmailReminder, To: "customer1@example.com", CustomerID: "c01", Record: "ACC#c01", Status: store.EmailFailed, Created: storetest.Now, At: storetest.Now, Attempts: 2, Response: "550 No such mailbox",
			Payment: store.EmailPayment{SubscriptionID: "sub01", PlanName: "Tea", Card: "1234", Amount: store.MinorUnits(1250), Currency: "EUR", Due: storetest.Day(2026, time.November, 28)}, Version: 3,
		},
		&store.ShipmentItem{ID: "sopen-1", OrderID: "open", ShipmentID: "sopen", ProductID: "p10", Quantity: 1},
		&store.Order{
			ID: "boxed", CustomerID: "c02", CustomerName: "Łukasz 2", Date: storetest.Now.AddDate(0, 0, -1), Status: store.OrderShipped, ItemCount: 2,
			Total: store.MinorUnits(220), PaymentState: store.InvoiceUnpaid, ShipmentState: store.FullyShipped,
		},
		&store.OrderItem{OrderID: "boxed", ProductID: "p10", CustomerID: "c02", Date: storetest.Now.AddDate(0, 0, -1), Name: "p10", Price: store.MinorUnits(110), Quantity: 2, Shipped: 2},
		&store.Shipment{ID: "sboxed", OrderID: "boxed", WarehouseID: "w1", Date: storetest.Now.AddDate(0, 0, -1), Status: store.ShipmentPacked},
		&store.ShipmentItem{ID: "sboxed-1", OrderID: "boxed", ShipmentID: "sboxed", ProductID: "p10", Quantity: 2},
		&store.Order{
			ID: "gone", CustomerID: "c02", CustomerName: "Łukasz 2", Date: storetest.Now.AddDate(0, 0, -1), Status: store.OrderShipped, ItemCount: 2,
			Total: store.MinorUnits(220), PaymentState: store.InvoiceUnpaid, ShipmentState: store.FullyShipped,
		},
		&store.OrderItem{OrderID: "gone", ProductID: "p10", CustomerID: "c02", Date: storetest.Now.AddDate(0, 0, -1), Name: "p10", Price: store.MinorUnits(110), Quantity: 2, Shipped: 2},
		&store.Shipment{ID: "sgone", OrderID: "gone", WarehouseID: "w1", Date: storetest.Now.AddDate(0, 0, -1), Status: store.ShipmentSent},
		&store.ShipmentItem{ID: "sgone-1", OrderID: "gone", ShipmentID: "sgone", ProductID: "p10", Quantity: 2},
	}, bulkPreview()...)
}

// knownCardLink is the path of a link for a new card.
const knownCardLink = "/card/01HZX000000000000000000CAR/secret"

// knownEmail is the ID of an email that the mail server rejected.
const knownEmail = "01HZX000000000000000000EEE"

// knownBulk is the ID of the bulk change in bulkPreview.
const knownBulk = "01HZX000000000000000000DDD"

// bulkPreview returns a bulk change of p10 in w1 by the admin, with its preview.
func bulkPreview() []store.Entity {
	return []store.Entity{
		&store.BulkChange{
			ID: knownBulk, By: "admin", Kind: store.BulkReorderPoint, State: store.BulkReady, Created: storetest.Now, Updated: storetest.Now,
			WarehouseID: "w1", ReorderPoint: 9, Selected: []string{"p10"}, Listed: true, Rows: 1, Expires: storetest.Now.AddDate(0, 3, 0), Version: 1,
		},
		&store.BulkRow{BulkID: knownBulk, Number: 1, ProductID: "p10", Name: "p10", Seen: 1, Before: "1", After: "9", Expires: storetest.Now.AddDate(0, 3, 0), Version: 1},
	}
}

// failedRun returns today's run of the payments job, with one failed payment.
func failedRun() []store.Entity {
	day := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
	return []store.Entity{
		&store.JobBacklog{Job: store.PaymentsJob, Since: day, Version: 1},
		&store.JobRun{Job: store.PaymentsJob, Date: day, State: store.JobDone, Due: 1, JobCounts: store.JobCounts{Failed: 1}, Version: 1},
		&store.JobResult{Job: store.PaymentsJob, Date: day, AccountID: "c00", SubscriptionID: "sub00", SKU: "PLAN", Outcome: store.OutcomeFailed, Expires: day.AddDate(0, 3, 0)},
		&store.JobCount{Job: store.PaymentsJob, Date: day, JobCounts: store.JobCounts{Failed: 1}, Expires: day.AddDate(0, 3, 0)},
		&store.JobTotal{Day: day, Run: day, Due: day, Next: day.AddDate(0, 1, 0), Version: 1},
	}
}

// IDs of the two uploads that every test server has: one with a mapping, and one
// without.
const (
	matchedUpload   = "01HZX000000000000000000AAA"
	unmatchedUpload = "01HZX000000000000000000BBB"
)

// openImports returns an imports.Runner that stores uploads in folder.
func openImports(t testing.TB, s *store.Store, folder string) *imports.Runner {
	t.Helper()
	uploads.once.Do(func() { uploads.files = prepareUploads(t) })
	if uploads.files == nil {
		t.Fatal("the uploads were not prepared: see the first test that uses them")
	}
	if err := os.CopyFS(folder, uploads.files); err != nil {
		t.Fatal(err)
	}
	return newImports(t, s, folder)
}

func newImports(t testing.TB, s *store.Store, folder string) *imports.Runner {
	t.Helper()
	runner := imports.New(imports.Config{Store: s, Folder: folder, Log: slog.New(slog.DiscardHandler)})
	storetest.Cleanup(t, func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
	return runner
}

// uploads contains the files of the two uploads. Each test server gets a copy, because
// matching their columns is slow.
var uploads struct {
	once  sync.Once
	files fstest.MapFS
}

func prepareUploads(t testing.TB) fstest.MapFS {
	t.Helper()
	s, folder := storetest.Open(t, storetest.NewClock()), t.TempDir()
	runner := newImports(t, s, folder)
	receive(t, s, runner, matchedUpload, "kunden.csv", "Nr;Name;Mail\n1;Kim;kim@example.com\n", "mapping.yaml", "files: {kunden.csv: {entity: customers, columns: {Nr: CustomerID, Mail: Email}}}")
	receive(t, s, runner, unmatchedUpload, "artikel.csv", "Artikelnr;Bezeichnung;Preis\n1;Lampe;9,50\n")
	files, stored := fstest.MapFS{}, os.DirFS(folder)
	err := fs.WalkDir(stored, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(stored, path)
		files[path] = &fstest.MapFile{Data: content, Mode: 0o600}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// receive uploads files. The argument namesAndContents contains the name and the
// content of each file, alternately.
func receive(t testing.TB, s *store.Store, runner *imports.Runner, id string, namesAndContents ...string) {
	t.Helper()
	admin := &store.User{Name: "admin", Role: store.Admin}
	x, err := runner.Receive(admin, id)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Discard()
	for i := 0; i < len(namesAndContents); i += 2 {
		if err := x.Add(namesAndContents[i], strings.NewReader(namesAndContents[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := x.Finish(t.Context(), s.As(admin)); err != nil {
		t.Fatal(err)
	}
}

// openCount returns a stock count of w1 with the ID n1 and two rows. Two people have
// entered different numbers in the second row.
func openCount() []store.Entity {
	return []store.Entity{
		&store.Count{ID: "n1", WarehouseID: "w1", Sheet: "s1", Rows: 2, Started: storetest.Now, By: "manager", Version: 1},
		&store.CountRow{Sheet: "s1", Number: 1, ProductID: "p07", Name: "c-product 7", SKU: "SKU-7", Bin: "A-1", Price: store.MinorUnits(107), Entered: true, Quantity: 12, Seen: 1, By: "manager", At: storetest.Now, Version: 2},
		&store.CountRow{Sheet: "s1", Number: 2, ProductID: "p08", Name: "d-product 8", SKU: "SKU-8", Bin: "A-2", Price: store.MinorUnits(108), Entered: true, Quantity: 3, Disputed: true, Other: 4, OtherBy: "admin", By: "manager", At: storetest.Now, Version: 3},
	}
}
