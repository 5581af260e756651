package browsertest

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"stockroom/handlers"
	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
)

const password = "correct horse battery"

// shopImage holds the shop, an admin and a manager.
var shopImage = storetest.NewImage(func(t testing.TB, s *store.Store) {
	shop := storetest.NewShop()
	shop.Load(t, s)
	addUser(t, s, store.User{Name: "manager", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}})
	addUser(t, s, store.User{Name: "admin", Role: store.Admin})
})

// shopStore returns a store with the shop and what else is loaded.
func shopStore(t *testing.T, entities ...store.Entity) *store.Store {
	t.Helper()
	chromium(t)
	clock := storetest.NewClock()
	s := store.New(shopImage.Embedded(t, clock), "OnlineShop", clock.Now)
	if len(entities) > 0 {
		if loaded, err := s.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			t.Fatal(err, loaded.Rejected)
		}
	}
	return s
}

// serve starts the real server over the shop, and returns its address.
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

// serveStore starts the real server over what is in a store.
func serveStore(t *testing.T, s *store.Store, processor jobs.Processor) string {
	t.Helper()
	keys, err := s.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runner := jobs.New(jobs.Config{Store: s, Processor: processor, RequestTimeout: patience, Mail: jobs.Outbox{Folder: t.TempDir(), From: "shop@example.com", Now: s.Now}, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
	handler, err := handlers.New(handlers.Config{Store: s, Jobs: runner, Log: slog.New(slog.DiscardHandler), SessionKeys: keys})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// pages are all that show something, by an address that has something to show.
var pages = []string{
	"/", "/search?q=o0005", "/search?q=asa", "/search?q=nothing",
	"/products", "/products?bucket=b", "/products?name=a-&limit=5", "/products?category=Chairs", "/products/p05",
	"/warehouses", "/warehouses/w1", "/warehouses/w1/receive", "/warehouses/w1/receive?product=none",
	"/products/p07/stock/w1", "/products/p07/stock/w2", "/products/p07/stock/w1/adjust", "/products/p07/stock/w1/transfer", "/products/p07/stock/w1/reorder",
	"/orders", "/orders?status=PAID", "/orders?from=2026-01-01&to=2026-01-02", "/orders?from=soon",
	"/orders/o0005", "/orders/o0005/items", "/orders/o0005/invoices", "/orders/o0005/shipments", "/orders/o0005/packing-slip",
	"/invoices", "/invoices?status=PARTIAL", "/invoices/io0004", "/invoices/io0005/payments", "/invoices/io0005/print",
	"/shipments", "/shipments?status=SENT", "/shipments?warehouse=w1", "/shipments/so0005",
	"/customers", "/customers?bucket=_", "/customers?email=customer7@example.com", "/customers/c07", "/customers/c07/timeline",
	"/data/patterns", "/data/patterns/getOrderDetailsByOrderId", "/data/patterns/getOrderDetailsByOrderId?try=yes&orderID=o0005", "/data/patterns/getProducts?try=yes",
	"/data/partitions", "/data/partitions?pk=o%23o0005", "/data/partitions?pk=users&index=GSI1", "/data/model", "/data/import", "/data/export",
	"/admin/users", "/admin/users/manager", "/admin/events", "/admin/events?by=test&from=soon", "/admin/settings",
	"/employees", "/employees?job=j2&name=m", "/employees?from=2026&to=today", "/employees?from=soon", "/employees/e01", "/employees/e05", "/employees/e05/phones",
	"/reps", "/reps?period=soon", "/reference/regions", "/reference/departments", "/reference/departments/d1", "/reference/jobs/j1",
	"/orders/o0005/items/p05", "/products/p05/stock", "/customers/c07/phones",
	"/stores", "/stores/s1", "/stores/s1/rentals?person=c01", "/stores/s1/check-out", "/stores/s1/return?kayaks=k04", "/stores/s1/return?kayaks=none",
	"/stores/s1/hire", "/stores/s1/leave?person=pp0", "/stores/s1/labels", "/rentals/overdue", "/kayaks/k04", "/kayaks/k09/retire", "/kayaks/k09/move", "/people/pp0",
	"/subscriptions", "/subscriptions?status=CANCELLED", "/due", "/due?kind=reminder&span=week", "/due?date=soon", "/jobs", "/jobs/payments/2026-11-21", "/jobs/payments/2026-11-21/rehearsal",
	"/accounts/c01", "/accounts/c39", "/accounts/c01/subscribe", "/accounts/c01/subscriptions/sub01/PLAN/change", "/accounts/c01/subscriptions/sub01/PLAN/cancel",
	"/views", "/views/new?path=/orders", "/views/shared/v2",
	"/account", "/orders/none", "/nowhere",
}

// TestEveryPageIsAccessible holds every page, light and dark, on a desk and in
// the hand, to axe-core, and to the width of the screen.
func TestEveryPageIsAccessible(t *testing.T) {
	home := serve(t, &store.SavedView{ID: "v2", Name: "امروز", Path: "/orders?status=OPEN"}, &store.StockMove{ID: "01HZX", ProductID: "p07", WarehouseID: "w1", When: storetest.Now, From: 16, To: 14, Delta: -2, Reason: "sent", By: "manager", OrderID: "o0001"})
	for _, l := range []look{{width: 1280}, {width: 1280, dark: true}, {width: 390}, {width: 390, dark: true}} {
		t.Run(l.String(), func(t *testing.T) {
			t.Parallel()
			b := open(t, home, l)
			b.visit("/login")
			b.audit("/login")
			b.logIn("admin")
			for _, path := range pages {
				b.do(chromedp.Navigate(home + path))
				b.audit(path)
				b.overflows(path)
			}
		})
	}
}

func TestOrdersAreFilteredAndPaged(t *testing.T) {
	b := open(t, serve(t), look{width: 1280})
	b.logIn("admin")
	b.link("Orders")
	first := b.text("tbody")
	b.link("Next")
	second := b.text("tbody")
	if first == second {
		t.Error("Next shows the same orders")
	}
	b.link("Previous")
	if back := b.text("tbody"); back != first {
		t.Errorf("Previous shows\n%s\nnot\n%s", back, first)
	}

	b.link("Paid")
	b.do(
		chromedp.SetValue(field("from"), "2026-11-01"),
		chromedp.SetValue(field("to"), "2026-11-20"),
	)
	b.button("Apply")
	rows := ask(b, chromedp.Evaluate[int](`document.querySelector("tbody").rows.length`))
	if want := paidIn(20); rows != want {
		t.Errorf("%d paid orders of 1 to 20 November, want %d:\n%s", rows, want, b.text("tbody"))
	}
	if !strings.Contains(b.path(), "status=PAID") || !strings.Contains(b.path(), "from=2026-11-01") {
		t.Errorf("the filters are not in the address: %s", b.path())
	}

	b.follow(chromedp.Click(chromedp.CSS("tbody a")))
	if !strings.HasPrefix(b.path(), "/orders/o0") {
		t.Errorf("a row leads to %s", b.path())
	}
	b.follow(chromedp.NavigateBack())
	if !strings.Contains(b.path(), "status=PAID") {
		t.Errorf("Back leads to %s", b.path())
	}
}

// paidIn counts the fixture's paid orders from 1 November to a day of it.
func paidIn(lastDay int) int {
	shop, n := storetest.NewShop(), 0
	for _, d := range shop.Orders {
		if d.Status == store.OrderPaid && d.Date.Month() == storetest.Now.Month() && d.Date.Year() == storetest.Now.Year() && d.Date.Day() <= lastDay {
			n++
		}
	}
	return n
}

func TestAnOrderIsOpenedAndPrinted(t *testing.T) {
	b := open(t, serve(t), look{width: 1280})
	b.logIn("admin")
	b.do(chromedp.SendKeys(chromedp.CSS("#q"), "o#o0005"))
	b.follow(chromedp.Submit(chromedp.CSS("#q")))
	if b.path() != "/orders/o0005" {
		t.Fatalf("the search led to %s", b.path())
	}
	whole := b.text("main")
	for _, want := range []string{"o0005", storetest.NewShop().Products[5].Name, "so0005", "io0005"} {
		if !strings.Contains(whole, want) {
			t.Errorf("the order does not show %s:\n%s", want, whole)
		}
	}
	b.do(chromedp.Click(chromedp.CSS("#reads summary")))
	if read := b.text("#reads table"); !strings.Contains(read, "getOrderDetailsByOrderId") {
		t.Errorf("the footer does not say how the page was read:\n%s", read)
	}
	b.visit("/orders/o0005/packing-slip")
	if pdf := ask(b, chromedp.PrintToPDF()); len(pdf) < 1000 {
		t.Errorf("the packing slip prints to %d bytes", len(pdf))
	}
}

func TestSearchGoesByKeyboardAlone(t *testing.T) {
	b := open(t, serve(t), look{width: 1280})
	b.logIn("admin")
	b.visit("/search")
	b.follow(chromedp.SendKeys(chromedp.CSS("#find"), "asa"))
	if found := b.text("#found"); !strings.Contains(found, "Åsa") {
		t.Fatalf("typing found %s", found)
	}
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp))
	b.follow(chromedp.KeyEvent(kb.Enter))
	if !strings.HasPrefix(b.path(), "/customers/c") {
		t.Errorf("the keyboard led to %s", b.path())
	}
	b.visit("/orders")
	b.do(
		chromedp.SendKeys(chromedp.CSS("#q"), "asa"), chromedp.WaitVisible(chromedp.CSS("#hits a")),
		chromedp.KeyEvent(kb.ArrowDown),
	)
	b.audit("what is found from any page")
	b.do(chromedp.KeyEvent(kb.Escape), chromedp.WaitNotPresent(chromedp.CSS("#hits a")))
}

func TestPhoneMenuNeedsNoJavaScript(t *testing.T) {
	b := open(t, serve(t), look{width: 390, noScript: true})
	b.logIn("admin")
	b.do(
		chromedp.WaitNotVisible(named("a", "Customers")),
		chromedp.Click(chromedp.CSS("[popovertarget=menu]")),
		chromedp.WaitVisible(named("a", "Customers")),
	)
	b.link("Customers")
	if b.path() != "/customers" {
		t.Errorf("the menu led to %s", b.path())
	}
}

func TestThemeIsKeptWithoutFlashing(t *testing.T) {
	b := open(t, serve(t), look{width: 1280, noScript: true})
	b.logIn("admin")
	b.visit("/account")
	if _, err := chromedp.RunResponse(b.ctx, chromedp.Click(chromedp.CSS(`main [name="theme"][value="dark"]`))); err != nil {
		t.Fatal(err)
	}
	b.visit("/orders")
	if attributes := ask(b, chromedp.Attributes(chromedp.CSS("html"))); attributes["data-theme"] != "dark" {
		t.Errorf("the page says %v", attributes)
	}
}

func TestAManagerSeesTheirOwnPlace(t *testing.T) {
	b := open(t, serve(t), look{width: 1280})
	b.logIn("manager")
	b.visit("/shipments")
	shop := storetest.NewShop()
	for _, d := range shop.Orders[:60] {
		p := d.Shipments[0]
		if p.WarehouseID != "w1" && strings.Contains(b.text("tbody"), p.ID) {
			t.Errorf("the manager of w1 sees %s of %s", p.ID, p.WarehouseID)
		}
	}
}

// hostile is what somebody would store to run a script in a colleague's
// browser.
const hostile = `"><script>window.hit=1</script><img src=x onerror="window.hit=1">'=1+1{{7*7}}`

func TestHostileTextRunsNowhere(t *testing.T) {
	address := store.Address{Country: hostile, County: hostile, City: hostile, Street: hostile, Number: hostile, ZipCode: hostile}
	day := storetest.Now.AddDate(0, 0, -1)
	home := serve(
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
	b := open(t, home, look{width: 1280})
	b.logIn("admin")
	for _, path := range []string{
		"/", "/search?q=h", "/products?category=%22%3E%3Cscript%3E", "/products/h", "/warehouses", "/warehouses/h", "/products/h/stock/h", "/products/h/stock/h/adjust", "/orders", "/orders/h",
		"/orders/h/items", "/orders/h/invoices", "/orders/h/shipments", "/orders/h/packing-slip", "/invoices", "/invoices/h", "/invoices/h/payments", "/invoices/h/print",
		"/shipments?warehouse=h", "/shipments/h", "/customers?bucket=_", "/customers/h", "/search?q=%3Cscript%3Ewindow.hit=1%3C/script%3E", "/orders?from=%22%3E%3Cscript%3Ewindow.hit=1%3C/script%3E",
	} {
		b.do(chromedp.Navigate(home + path))
		if ask(b, chromedp.Evaluate[bool](`"hit" in window || document.querySelector("main script, main img") !== null`)) {
			t.Errorf("%s runs what was stored", path)
		}
	}
}
