package views_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

func TestProductPage_ShowsStockByWarehouse(t *testing.T) {
	page := rendered(t, views.ProductPage(views.Product{
		Page: signedIn(), Product: store.Product{ID: "P1", Name: "Table", Category: "Oak & ash"},
		Stock: []store.WarehouseItem{
			{ProductID: "P1", WarehouseID: "W1", Quantity: 1200, ReorderPoint: 5, Bin: "A1", Version: 1},
			{ProductID: "P1", WarehouseID: "W2", Quantity: 3, ReorderPoint: 5, Version: 1},
			{ProductID: "P1", WarehouseID: "W3", Version: 1},
		},
		Warehouses: []store.Warehouse{{ID: "W1", Name: "Malmö"}, {ID: "W2"}},
	}))
	rows := page.one(t, "aria-label", "Stock by warehouse").cells()
	want := [][]string{
		{"Warehouse", "Bin", "Quantity", "Reorder point", "State"},
		{"Malmö W1", "A1", "1,200", "5", "In stock"},
		{"W2 W2", "", "3", "5", "Low"},
		{"W3 W3", "", "0", "0", "Out of stock"},
		{"Total", "", "1,203", "", ""},
	}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("got rows %q, want %q", rows, want)
	}
	if label := page.one(t, "role", "img").attr("aria-label"); label != "Stock by warehouse. Bar chart: lowest 0 pieces at W3, highest 1,200 at Malmö" {
		t.Errorf("got chart label %q, want the lowest and highest stock", label)
	}
	if href := page.link(t, "Oak & ash").attr("href"); href != "/products?category=Oak+%26+ash" {
		t.Errorf("category: got link %s, want the escaped filter", href)
	}
}

func TestShipmentsPage_OmitsDatesForWarehouse(t *testing.T) {
	shipments := views.Shipments{Page: signedIn(), List: views.List{Path: "/shipments"}, Status: store.ShipmentSent, Warehouses: []store.Warehouse{{ID: "W1", Name: "Malmö"}}}
	page := rendered(t, views.ShipmentsPage(shipments))
	if len(page.with("id", "field-from")) != 1 || page.one(t, "aria-label", "Status").with("aria-current", "page")[0].text() != "Shipped" {
		t.Error("list by status: got no dates or another tab, want dates and the tab Shipped")
	}
	shipments.Status, shipments.Warehouse.Value = "", "W1"
	page = rendered(t, views.ShipmentsPage(shipments))
	if len(page.with("id", "field-from")) != 0 || page.one(t, "aria-label", "Status").with("aria-current", "page")[0].text() != "All" {
		t.Error("list of a warehouse: got date fields or another tab, want no dates and the tab All")
	}
	if option := page.one(t, "value", "W1"); !option.has("selected") || option.text() != "Malmö" {
		t.Errorf("got option %q, want Malmö selected", option.text())
	}
	shipments.OwnOnly = true
	page = rendered(t, views.ShipmentsPage(shipments))
	if strings.Contains(page.one(t, "id", "field-warehouse").text(), "All warehouses") {
		t.Error("manager: got all warehouses, want own warehouses only")
	}
}

// TestKayakPage_OffersMoveToAnotherStore checks that the page offers a manager of two stores
// to move a kayak. It must not offer this to a manager of one store, who has no other store
// to choose.
func TestKayakPage_OffersMoveToAnotherStore(t *testing.T) {
	for stores, want := range map[string]bool{"s1": false, "s1 s2": true} {
		p := views.Kayak{Page: signedIn(), Kayak: store.Kayak{ID: "k1", StoreID: "s1", Status: store.KayakIn}}
		p.User = &store.User{Name: "ole", Role: store.Manager, Stores: strings.Fields(stores)}
		if got := len(rendered(t, views.KayakPage(p)).with("href", "/kayaks/k1/move")) == 1; got != want {
			t.Errorf("stores %s: got the link %v, want %v", stores, got, want)
		}
	}
}

// TestDayRange_SuggestsPeriodsOfList checks that date fields suggest the periods to which the
// list links. Only the list of bookings has days in the future.
func TestDayRange_SuggestsPeriodsOfList(t *testing.T) {
	for name, tt := range map[string]struct {
		page templ.Component
		next bool // suggests next week
	}{
		"orders":   {views.OrdersPage(views.Orders{Page: signedIn(), List: views.List{Path: "/orders"}}), false},
		"bookings": {views.BookingsPage(views.Bookings{Page: signedIn(), List: views.List{Path: "/stores/1/bookings"}}), true},
	} {
		var suggested []string
		for _, option := range rendered(t, tt.page).one(t, "id", "days").all("option") {
			suggested = append(suggested, option.attr("value"))
		}
		if !slices.Contains(suggested, "this month") || slices.Contains(suggested, "next week") != tt.next {
			t.Errorf("%s: got the suggestions %q; want next week %t", name, suggested, tt.next)
		}
	}
}

func TestCustomersPage_HasTabsByLetter(t *testing.T) {
	page := rendered(t, views.CustomersPage(views.Customers{
		Page: signedIn(), List: views.List{Path: "/customers", Params: []ui.Param{{Name: "bucket", Value: "_"}}}, Bucket: "_",
	}))
	tabs := page.one(t, "aria-label", "First letter").all("a")
	if len(tabs) != 29 || tabs[0].text() != "All" || tabs[1].text() != "0–9" || tabs[1].attr("href") != "/customers?bucket=0" || tabs[28].text() != "Other" || tabs[28].attr("aria-current") != "page" {
		t.Errorf("got %d tabs, want 29 from All to Other", len(tabs))
	}
	if chip := page.link(t, "Remove filter Letter: Other"); chip.attr("href") != "/customers" {
		t.Errorf("got link %s to remove the letter, want /customers", chip.attr("href"))
	}
}

func TestSearchPage_GroupsResults(t *testing.T) {
	p := signedIn()
	p.Query = "marta"
	page := rendered(t, views.SearchPage(views.Search{Page: p, Found: &store.SearchResults{
		Orders: someOrders(2), Customers: []store.Customer{{ID: "C1", Name: "Marta", Email: "m@example.com", Phones: []string{"+46 1"}}},
	}}))
	var headings []string
	for _, h := range page.one(t, "id", "found").all("h2") {
		headings = append(headings, h.text())
	}
	if !slices.Equal(headings, []string{"Orders", "Customers"}) {
		t.Errorf("got groups %q, want Orders, Customers", headings)
	}
	box := page.one(t, "id", "find")
	if box.attr("value") != "marta" || box.attr("hx-get") != "/search" {
		t.Errorf("got search box with %q, want marta", box.attr("value"))
	}
	page = rendered(t, views.SearchPage(views.Search{Page: p, Found: &store.SearchResults{}}))
	if text := page.one(t, "id", "found").text(); !strings.HasPrefix(text, "No results for “marta”") {
		t.Errorf("got %q, want a message for no results", text)
	}
}

// TestSearchPage_LeadsToMore checks a page with the first of many results. It must say that
// there are more. If a list can show all results, the page must link to the list.
func TestSearchPage_LeadsToMore(t *testing.T) {
	p := signedIn()
	p.Query = "bo ek"
	page := rendered(t, views.SearchPage(views.Search{Page: p, Found: &store.SearchResults{
		Customers: make([]store.Customer, 8), Products: make([]store.Product, 8), Kayaks: make([]store.Kayak, 8), Stores: make([]store.RentalStore, 8),
		More: store.MoreResults{Customers: store.More{Match: true, Named: true}, Products: store.More{Match: true}, Kayaks: store.More{Match: true, Named: true}},
	}}))
	found := page.one(t, "id", "found").text()
	for _, want := range []string{
		"Showing the first 8 customers. All customers found", "Showing the first 8 products. To find others, enter more letters.",
		"Showing the first 8 kayaks. To find others, enter more letters.",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("got no %q: %s", want, found)
		}
	}
	if strings.Contains(found, "8 stores") {
		t.Errorf("got more stores, want none: %s", found)
	}
	if got := page.link(t, "All customers found").attr("href"); got != "/customers?name=bo+ek" {
		t.Errorf("got link to %s, want the list of customers", got)
	}
}

func TestTodayPage_LinksToLists(t *testing.T) {
	days := make([]store.DayTotal, 14)
	for i := range days {
		days[i] = store.DayTotal{Day: time.Date(2026, 11, 7+i, 0, 0, 0, 0, time.UTC), Count: 1}
	}
	days[12].Count = 2
	days[13].Count, days[13].Amount = 5, store.MinorUnits(123456).Sum()
	page := rendered(t, views.TodayPage(views.Today{
		Page: signedIn(), OpenOrders: &views.Count{N: 99, More: true}, PaidOrders: &views.Count{},
		Unpaid: &views.InvoiceCount{Count: views.Count{N: 4}, Overdue: 2, Due: store.MinorUnits(1000).Sum()}, PartlyPaid: &views.InvoiceCount{Count: views.Count{N: 1}},
		ToRefund:      &views.RefundCount{Count: views.Count{N: 3}, Amount: store.MinorUnits(1250).Sum()},
		KayaksOverdue: &views.Count{N: 1}, LongestOverdue: store.ActiveRental{KayakID: "K1", KayakName: "Heron 17", Due: time.Date(2026, 11, 14, 0, 0, 0, 0, time.UTC)}, KayaksDue: &views.Count{},
		Days: days,
		LowStock: &views.LowStock{
			Warehouses: []views.LowWarehouse{{Warehouse: store.Warehouse{ID: "W1", Name: "Malmö"}, Low: views.Count{N: 7}, Out: views.Count{N: 2}}, {Warehouse: store.Warehouse{ID: "W2"}, Low: views.Count{N: 1}}, {Warehouse: store.Warehouse{ID: "W3"}}},
			Rows:       []store.StockRow{{WarehouseItem: store.WarehouseItem{ProductID: "P1", WarehouseID: "W1", ReorderPoint: 3, Version: 1}}},
		},
	}))
	var figures []string
	for _, a := range page.all("a") {
		if len(a.all("b")) > 0 && a.attr("class") != "brand" {
			figures = append(figures, a.attr("class")+" "+a.attr("href")+" "+a.text())
		}
	}
	want := []string{
		"bad /invoices?status=OVERDUE 2 Invoices overdue €10.00 balance due",
		"warn /invoices?status=TO_REFUND 3 Invoices to refund €12.50",
		" /orders?status=OPEN 99+ Open orders Not fully paid",
		" /invoices?status=UNPAID 4 Unpaid invoices",
		" /invoices?status=PARTIAL 1 Partly paid invoice",
		"nil /orders?status=PAID 0 Orders to ship",
		"bad /stock/low?show=out 2 Out of stock Each product counts once per warehouse",
		"warn /stock/low 8 Low in stock At or below the reorder point, counted per warehouse",
		"bad /rentals/overdue 1 Kayak overdue Longest: Heron 17, 6 days",
		"nil /rentals/overdue?show=today 0 Kayaks due back today",
	}
	if !slices.Equal(figures, want) {
		t.Errorf("got figures\n%s\nwant\n%s", strings.Join(figures, "\n"), strings.Join(want, "\n"))
	}
	text := page.all("main")[0].text()
	for _, part := range []string{
		"Friday, 20 November 2026", "12 orders Without today: 7 orders ▲ up 17% , compared with 6 orders the week before, excluding cancelled orders",
		"Today so far: 5 orders · all of Fri 13 Nov: 1 order", "Thu 19 Nov: 2 orders · week before 1 order", "€1.2k",
		"€1,234.56 Without today: €0.00, compared with €0.00 the week before, net of returns", "8 low stock items (each product counts once per warehouse)", "Malmö 7", "Showing 1 of 8.",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("got no %q on the page, want it: %s", part, text)
		}
	}
}

// TestListWith_EscapesParameters checks that addresses of lists escape all bytes as
// net/url does.
func TestListWith_EscapesParameters(t *testing.T) {
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	kept, changed := string(all), "é & =?#\x00"+string(all)
	list := listOf(1, ui.Param{Name: "status", Value: "OPEN"}, ui.Param{Name: "name", Value: kept})
	want := "/orders?name=" + url.QueryEscape(kept) + "&status=" + url.QueryEscape(changed)
	if got := list.With("status", changed); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := list.With("status", ""), "/orders?name="+url.QueryEscape(kept); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func BenchmarkListWith(b *testing.B) {
	list := listOf(1, ui.Param{Name: "status", Value: "OPEN"}, ui.Param{Name: "from", Value: "last month"})
	b.ReportAllocs()
	for b.Loop() {
		list.With("status", "PAID")
	}
}
