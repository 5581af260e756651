package browsertest

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"stockroom/handlers"
	"stockroom/store"
	"stockroom/store/imports"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

const password = "correct horse battery"

// shopImage is a store with the shop, an admin and a manager. Each test gets a copy of it.
var shopImage = storetest.NewImage(func(t testing.TB, s *store.Store) {
	shop := storetest.NewShop()
	shop.Load(t, s)
	addUser(t, s, store.User{Name: "manager", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}})
	addUser(t, s, store.User{Name: "admin", Role: store.Admin})
})

// shopStore returns a store with the shop and the given entities.
func shopStore(t *testing.T, entities ...store.Entity) *store.Store {
	t.Helper()
	chromium(t)
	clock := storetest.NewClock()
	s := store.New(shopImage.Embedded(t, clock), "OnlineShop", clock.Now)
	s.WeakenPasswords()
	load(t, s, entities)
	return s
}

func load(t testing.TB, s *store.Store, entities []store.Entity) {
	t.Helper()
	if len(entities) == 0 {
		return
	}
	if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

// serve starts the server with the shop and returns its URL.
func serve(t *testing.T, entities ...store.Entity) string {
	t.Helper()
	return serveStore(t, shopStore(t, entities...), jobs.Record{})
}

func addUser(t testing.TB, s *store.Store, user store.User) {
	t.Helper()
	if err := s.AddUser(t.Context(), user, password, "test"); err != nil {
		t.Fatal(err)
	}
}

// serveStore starts the server with a store and returns its URL.
func serveStore(t *testing.T, s *store.Store, processor jobs.Processor) string {
	t.Helper()
	return serveConfigured(t, s, processor, func(string, *handlers.Config) {})
}

// serveConfigured is like serveStore. Before the server starts, it calls configure with
// the URL of the server. It makes the test run in parallel with others, which is possible
// because each test has its own store and its own tabs.
func serveConfigured(t *testing.T, s *store.Store, processor jobs.Processor, configure func(address string, c *handlers.Config)) string {
	t.Helper()
	t.Parallel()
	keys, err := s.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.StatePayments(t.Context(), processor.Service()); err != nil {
		t.Fatal(err)
	}
	runner := jobs.New(jobs.Config{Store: s, Processor: processor, RequestTimeout: stepTimeout, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
	importer := imports.New(imports.Config{Store: s, Folder: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		if err := importer.Close(); err != nil {
			t.Error(err)
		}
	})
	server := httptest.NewUnstartedServer(nil)
	t.Cleanup(server.Close)
	config := handlers.Config{Store: s, Jobs: runner, Imports: importer, Log: slog.New(slog.DiscardHandler), SessionKeys: keys, RequestTimeout: stepTimeout}
	configure("http://"+server.Listener.Addr().String(), &config)
	handler, err := handlers.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = handler
	server.Start()
	return server.URL
}

// pages lists the pages to audit.
var pages = []string{
	"/", "/search?q=o0005", "/search?q=asa", "/search?q=nothing",
	"/products", "/products?bucket=b", "/products?name=a-&limit=5", "/products?category=Chairs", "/products/p05",
	"/stock/low", "/stock/low?warehouse=w1", "/deliveries", "/deliveries?show=overdue&warehouse=w1", "/deliveries/new?product=p07&warehouse=w1", "/products/p07/stock/w1/deliveries/d1/edit", "/products/p07/stock/w1/deliveries/d1/receive", "/products/p07/stock/w1/deliveries/d1/cancel", "/counts", "/counts/new", "/counts/n1", "/counts/n1/review", "/counts/n1/close", "/transfers", "/transfers?show=sent&warehouse=w1", "/products/p07/transfers/t1/receive", "/products/p07/transfers/t1/cancel", "/warehouses/w1/transfer?product=p07", "/warehouses", "/warehouses/w1", "/warehouses/w1/receive", "/warehouses/w1/receive?product=none",
	"/products/p07/stock/w1", "/products/p07/stock/w2", "/products/p07/stock/w1/adjust", "/products/p07/stock/w1/transfer", "/products/p07/stock/w1/reorder",
	"/orders", "/orders?status=PAID", "/orders?from=2026-01-01&to=2026-01-02", "/orders?from=soon",
	"/orders/o0005", "/orders/o0005/items", "/orders/o0005/invoices", "/orders/o0005/shipments", "/orders/o0005/packing-slip", "/shipments/so0005/packing-slip",
	"/orders/pick?order=o0000&order=o0003&warehouse=w1", "/orders/o0000/edit", "/orders/o0001/edit", "/orders/o0000/address/edit",
	"/invoices", "/invoices?status=PARTIAL", "/invoices/io0004", "/invoices/io0005/payments", "/invoices/io0005/print",
	"/shipments", "/shipments?status=SENT", "/shipments?warehouse=w1", "/shipments?status=UNPACKED", "/shipments/so0005", "/shipments/so0000/unpack",
	"/customers", "/customers?bucket=_", "/customers?email=customer7@example.com", "/customers/c07", "/customers/c07/timeline",
	"/data/patterns", "/data/patterns/getOrderDetailsByOrderId", "/data/patterns/getOrderDetailsByOrderId?try=yes&orderID=o0005", "/data/patterns/getProducts?try=yes",
	"/data/partitions", "/data/partitions?pk=o%23o0005", "/data/partitions?pk=users&index=GSI1", "/data/model", "/data/import", "/data/import/templates", "/data/export",
	"/bulk", "/products/bulk/price?product=p01&product=p02", "/products/bulk/reorder-point?all=yes&category=Chairs", "/orders/bulk/ship?all=yes&status=OPEN", "/orders/slips?order=o0000&order=o0003",
	"/admin/users", "/admin/users/manager", "/admin/events", "/admin/events?by=test&from=soon", "/admin/check", "/admin/settings", "/data/costs",
	"/employees", "/employees?job=j2&name=m", "/employees?from=2026&to=today", "/employees?from=soon", "/employees/e01", "/employees/e05", "/employees/e05/phones",
	"/reps", "/reps?period=soon", "/reference/regions", "/reference/departments", "/reference/departments/d1", "/reference/jobs/j1",
	"/orders/o0005/items/p05", "/products/p05/stock", "/customers/c07/phones",
	"/stores", "/stores/s1", "/stores/s1/rentals?person=c01", "/stores/s1/check-out", "/stores/s1/return?kayaks=k04", "/stores/s1/return?kayaks=none",
	"/stores/s1/hire", "/stores/s1/leave?person=pp0", "/stores/s1/labels", "/rentals/overdue", "/kayaks/k04", "/kayaks/k09/retire", "/kayaks/k09/move", "/people/pp0",
	"/subscriptions", "/subscriptions?status=CANCELLED", "/due", "/due?kind=reminder&span=week", "/due?date=soon", "/due?span=behind", "/jobs", "/jobs/payments/2026-11-21", "/jobs/payments/2026-11-21/dry-run",
	"/accounts/c01", "/accounts/c39", "/accounts/c01/subscribe", "/accounts/c01/subscriptions/sub01/PLAN/change", "/accounts/c01/subscriptions/sub01/PLAN/cancel",
	"/undo?about=p%23p12&event=01KA8VPDC0000000000000000A", "/undo?about=p%23p12&event=01KA8VPDC0000000000000000B", "/undo?about=p%23p12&event=01KA8VPDC0000000000000000C", "/admin/events?about=p%23p12",
	"/orders/o0005?at=2026-11-20", "/products/p07/stock/w1?at=2026-11-20", "/warehouses/w1?at=2026-11-20", "/products/p12?at=soon",
	"/compare?of=/products/p12&from=2026-10-01", "/compare?of=/orders/o0005&from=2026-11-20&to=2026-11-21", "/compare?of=/warehouses/w1&from=2026-11-20", "/compare?of=/orders/o0005&from=soon",
	"/views", "/views/new?path=/orders", "/views/shared/v2",
	"/account", "/orders/none", "/nowhere",
}

// TestPages_AreAccessible audits the sign-in page and each path in the variable pages on
// a desktop and on a phone. For the dark theme, it audits only the colors, because
// nothing else differs.
func TestPages_AreAccessible(t *testing.T) {
	baseURL := serve(t,
		// three events: a change that can be undone, one whose undo conflicts with a later
		// change, and one that cannot be undone
		&store.Event{ID: "01KA8VPDC0000000000000000A", Partition: "p#p12", When: storetest.Now, By: "manager", What: store.EventStockAdjusted, Why: "found", Values: `[{"n":"quantity","p":"w1","b":"20","a":"24"}]`},
		&store.Event{ID: "01KA8VPDC0000000000000000B", Partition: "p#p12", When: storetest.Now, By: "manager", What: store.EventProductEdited, Values: `[{"n":"price","b":"1","a":"2"}]`},
		&store.Event{ID: "01KA8VPDC0000000000000000C", Partition: "p#p12", When: storetest.Now, By: "manager", What: store.EventTransferSent, Subject: "w2"},
		&store.SavedView{ID: "v2", Name: "امروز", Path: "/orders?status=OPEN"}, &store.ExpectedDelivery{ID: "d1", ProductID: "p07", WarehouseID: "w1", Name: "c-product 7", Due: storetest.Day(2026, time.November, 18), Supplier: "Acme", Quantity: 20, Received: 4, Version: 1}, &store.Count{ID: "n1", WarehouseID: "w1", Sheet: "s1", Rows: 2, Started: storetest.Now, By: "manager", Version: 1}, &store.CountRow{Sheet: "s1", Number: 1, ProductID: "p07", Name: "c-product 7", SKU: "SKU-7", Bin: "A-1", Price: store.MinorUnits(107), Entered: true, Quantity: 12, Seen: 1, By: "manager", At: storetest.Now, Version: 2}, &store.CountRow{Sheet: "s1", Number: 2, ProductID: "p08", Name: "d-product 8", SKU: "SKU-8", Bin: "A-2", Price: store.MinorUnits(108), Entered: true, Quantity: 3, Disputed: true, Other: 4, OtherBy: "admin", By: "manager", At: storetest.Now, Version: 3}, &store.Transfer{ID: "t1", ProductID: "p07", SourceID: "w2", TargetID: "w1", Name: "c-product 7", Sent: storetest.Day(2026, time.November, 2), Reason: "Restock", By: "admin", Quantity: 9, Received: 2, Version: 2}, &store.StockMove{ID: "01HZX", ProductID: "p07", WarehouseID: "w1", When: storetest.Now, From: 16, To: 14, Delta: -2, Reason: "sent", By: "manager", OrderID: "o0001"})
	for _, sc := range []screen{{width: 1280}, {width: 390}} {
		t.Run(sc.String(), func(t *testing.T) {
			t.Parallel()
			b := open(t, baseURL, sc)
			check := func(path string) {
				b.do(chromedp.Navigate(baseURL + path))
				b.check(path, sc)
				b.setDark(true)
				b.auditColors(path + ", dark")
				b.setDark(false)
			}
			check("/login")
			b.signIn("admin")
			for _, path := range pages {
				check(path)
			}
		})
	}
}

func TestOrderList_FiltersAndPages(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280})
	b.signIn("admin")
	b.link("Orders")
	first := b.text("tbody")
	b.link("Next")
	second := b.text("tbody")
	if first == second {
		t.Error("Next: got the same orders, want the next page")
	}
	b.link("Previous")
	if back := b.text("tbody"); back != first {
		t.Errorf("Previous: got\n%s\nwant\n%s", back, first)
	}

	b.link("To ship")
	b.do(
		chromedp.SetValue(field("from"), "2026-11-01"),
		chromedp.SetValue(field("to"), "2026-11-20"),
	)
	b.button("Apply")
	rows := run(b, chromedp.Evaluate[int](`document.querySelector("tbody").rows.length`))
	if want := paidInNovember(20); rows != want {
		t.Errorf("got %d paid orders from 1 to 20 November, want %d:\n%s", rows, want, b.text("tbody"))
	}
	if !strings.Contains(b.path(), "status=PAID") || !strings.Contains(b.path(), "from=2026-11-01") {
		t.Errorf("got %s, want the filters in the URL", b.path())
	}

	b.follow(chromedp.Click(chromedp.CSS("tbody a")))
	if !strings.HasPrefix(b.path(), "/orders/o0") {
		t.Errorf("row link: got %s, want an order", b.path())
	}
	b.follow(chromedp.NavigateBack())
	if !strings.Contains(b.path(), "status=PAID") {
		t.Errorf("Back: got %s, want the filtered list", b.path())
	}
}

// paidInNovember returns the number of the shop's paid orders from the 1st to lastDay of
// November.
func paidInNovember(lastDay int) int {
	shop, n := storetest.NewShop(), 0
	for _, d := range shop.Orders {
		if d.Status == store.OrderPaid && d.Date.Month() == storetest.Now.Month() && d.Date.Year() == storetest.Now.Year() && d.Date.Day() <= lastDay {
			n++
		}
	}
	return n
}

func TestOrder_OpensFromSearchAndPrints(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280})
	b.signIn("admin")
	b.do(typeKeys(chromedp.CSS("#q"), "o#o0005"))
	b.follow(chromedp.Submit(chromedp.CSS("#q")))
	if b.path() != "/orders/o0005" {
		t.Fatalf("search: got %s, want /orders/o0005", b.path())
	}
	b.wantText("o0005", storetest.NewShop().Products[5].Name, "so0005", "io0005")
	b.do(chromedp.Click(chromedp.CSS("#reads summary")))
	if got := b.text("#reads table"); !strings.Contains(got, "getOrderDetailsByOrderId") {
		t.Errorf("footer: got\n%s\nwant getOrderDetailsByOrderId", got)
	}
	b.visit("/orders/o0005/packing-slip")
	if pdf := run(b, chromedp.PrintToPDF()); len(pdf) < 1000 {
		t.Errorf("printed packing slip: got %d bytes, want at least 1000", len(pdf))
	}
}

func TestSearch_WorksByKeyboard(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280})
	b.signIn("admin")
	b.visit("/search")
	b.follow(typeKeys(chromedp.CSS("#find"), "asa"))
	if found := b.text("#found"); !strings.Contains(found, "Åsa") {
		t.Fatalf("search as you type: got %s, want Åsa", found)
	}
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp))
	b.follow(chromedp.KeyEvent(kb.Enter))
	if !strings.HasPrefix(b.path(), "/customers/c") {
		t.Errorf("Enter: got %s, want a customer", b.path())
	}
	b.visit("/orders")
	b.do(
		typeKeys(chromedp.CSS("#q"), "asa"), chromedp.WaitVisible(chromedp.CSS("#hits #found a")),
		chromedp.KeyEvent(kb.ArrowDown),
	)
	b.audit("search results in the header")
	b.do(chromedp.KeyEvent(kb.Escape), chromedp.WaitNotPresent(chromedp.CSS("#hits a")))
}

// TestSearch_ListsRecentlyViewed opens some records. Until sign-out, the empty search
// box must list them.
func TestSearch_ListsRecentlyViewed(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280})
	b.signIn("admin")
	b.visit("/orders/o0005")
	b.visit("/customers/c03")
	b.do(chromedp.Focus(chromedp.CSS("#q")), chromedp.WaitVisible(chromedp.CSS("#hits a")))
	if got := b.text("#hits"); !strings.Contains(got, "Recently viewed") || strings.Index(got, "Customer") > strings.Index(got, "Order o0005") {
		t.Errorf("got %q, want the customer above the order", got)
	}
	b.audit("recently viewed in the header")
	b.do(
		chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Escape), chromedp.WaitNotPresent(chromedp.CSS("#hits a")),
		chromedp.Blur(chromedp.CSS("#q")), chromedp.Focus(chromedp.CSS("#q")), chromedp.WaitVisible(chromedp.CSS("#hits a")),
	)
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	b.follow(chromedp.KeyEvent(kb.Enter))
	if b.path() != "/orders/o0005" {
		t.Errorf("Enter: got %s, want /orders/o0005", b.path())
	}
	b.visit("/search")
	if got := b.text("[data-recent]"); !strings.Contains(got, "o0005") {
		t.Errorf("search page: got %q, want o0005", got)
	}
	b.audit("recently viewed on the search page")
	b.do(chromedp.Click(chromedp.CSS("details.account summary")))
	b.button("Sign out")
	if got := run(b, chromedp.Evaluate[string](`sessionStorage.getItem("stockroom.recent")`)); got != "[]" {
		t.Errorf("after signing out: got %s, want []", got)
	}
}

func TestPhoneMenu_WorksWithoutScripts(t *testing.T) {
	b := open(t, serve(t), screen{width: 390, noScript: true})
	b.signIn("admin")
	b.do(
		chromedp.WaitNotVisible(named("a", "Customers")),
		chromedp.Click(chromedp.CSS("[popovertarget=menu]")),
		chromedp.WaitVisible(named("a", "Customers")),
	)
	b.link("Customers")
	if b.path() != "/customers" {
		t.Errorf("menu: got %s, want /customers", b.path())
	}
}

func TestTheme_IsInTheFirstResponse(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280, noScript: true})
	b.signIn("admin")
	b.visit("/account")
	b.follow(chromedp.Click(chromedp.CSS(`main [name="theme"][value="dark"]`)))
	b.visit("/orders")
	if attributes := run(b, chromedp.Attributes(chromedp.CSS("html"))); attributes["data-theme"] != "dark" {
		t.Errorf("got attributes %v, want data-theme dark", attributes)
	}
}

// TestFields_FollowDirection checks that the text direction of a field follows its text.
// Otherwise, punctuation would be on the wrong side of a Hebrew name.
func TestFields_FollowDirection(t *testing.T) {
	b := open(t, serve(t), screen{width: 390})
	b.signIn("admin")
	b.visit("/customers/new")
	if got := run(b, chromedp.Evaluate[string](`getComputedStyle(document.querySelector("[name=name]")).unicodeBidi`)); got != "plaintext" {
		t.Errorf("got unicode-bidi %s of the name, want plaintext", got)
	}
}

func TestManager_SeesOwnShipments(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280})
	b.signIn("manager")
	b.visit("/shipments")
	shop := storetest.NewShop()
	for _, d := range shop.Orders[:60] {
		p := d.Shipments[0]
		if p.WarehouseID != "w1" && strings.Contains(b.text("tbody"), p.ID) {
			t.Errorf("manager of w1: got shipment %s of %s, want none", p.ID, p.WarehouseID)
		}
	}
}

// hostile is a string that would run a script on a page that does not escape it.
const hostile = `"><script>window.hit=1</script><img src=x onerror="window.hit=1">'=1+1{{7*7}}`

func TestHostileText_IsEscaped(t *testing.T) {
	address := store.Address{Country: hostile, County: hostile, City: hostile, Street: hostile, Number: hostile, ZipCode: hostile}
	day := storetest.Now.AddDate(0, 0, -1)
	baseURL := serve(
		t,
		&store.Customer{ID: "h", Name: hostile, Email: "h@example.com" + hostile, Phones: []string{hostile}, Address: address},
		&store.Product{ID: "h", Name: hostile, Description: hostile, SKU: "h'\"><script>window.hit=1</script>", Category: hostile},
		&store.Warehouse{ID: "h", Name: hostile, Address: address},
		&store.WarehouseItem{ProductID: "h", WarehouseID: "h", Name: hostile, Bin: hostile},
		&store.StockMove{ID: "h", ProductID: "h", WarehouseID: "h", Name: hostile, When: day, Reason: hostile, By: hostile, OrderID: "h"},
		&store.Order{ID: "h", CustomerID: "h", Date: day, Status: store.OrderOpen, CustomerName: hostile, ShipTo: address},
		&store.OrderItem{OrderID: "h", ProductID: "h", CustomerID: "h", Date: day, Name: hostile, SKU: hostile, Quantity: 1},
		&store.Invoice{ID: "h", OrderID: "h", CustomerID: "h", Date: day, Status: store.InvoiceUnpaid, Payments: []store.Payment{{ID: hostile, Type: hostile, Data: hostile}}},
		&store.Shipment{ID: "h", OrderID: "h", WarehouseID: "h", Date: day, Type: hostile, Status: store.ShipmentPacked, Address: address, Carrier: hostile, Tracking: hostile},
		&store.ShipmentItem{ID: "h", OrderID: "h", ShipmentID: "h", ProductID: "h", Name: hostile, Quantity: 1},
		&store.Event{ID: "h", Partition: "o#h", When: day, By: hostile, What: hostile, Why: hostile},
	)
	b := open(t, baseURL, screen{width: 1280})
	b.signIn("admin")
	for _, path := range []string{
		"/", "/search?q=h", "/products?category=%22%3E%3Cscript%3E", "/products/h", "/stock/low", "/warehouses", "/warehouses/h", "/products/h/stock/h", "/products/h/stock/h/adjust", "/orders", "/orders/h",
		"/orders/h/items", "/orders/h/invoices", "/orders/h/shipments", "/orders/h/packing-slip", "/orders/h/edit", "/orders/h/address/edit", "/invoices", "/invoices/h", "/invoices/h/payments", "/invoices/h/print",
		"/shipments?warehouse=h", "/shipments/h", "/customers?bucket=_", "/customers/h", "/search?q=%3Cscript%3Ewindow.hit=1%3C/script%3E", "/orders?from=%22%3E%3Cscript%3Ewindow.hit=1%3C/script%3E",
	} {
		b.do(chromedp.Navigate(baseURL + path))
		if run(b, chromedp.Evaluate[bool](`"hit" in window || document.querySelector("main script, main img") !== null`)) {
			t.Errorf("%s: got an injected script or image, want escaped text", path)
		}
	}
}
