package views_test

import (
	"slices"
	"strings"
	"testing"

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
		{"Warehouse", "Bin", "Quantity", "Reorder at", "State"},
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
	if len(page.with("id", "field-from")) != 0 {
		t.Error("list of a warehouse: got date fields, want none")
	}
	if option := page.one(t, "value", "W1"); !option.has("selected") || option.text() != "Malmö" {
		t.Errorf("got option %q, want Malmö selected", option.text())
	}
	shipments.OwnOnly = true
	page = rendered(t, views.ShipmentsPage(shipments))
	if len(page.with("aria-label", "Status")) != 0 || strings.Contains(page.one(t, "id", "field-warehouse").text(), "All warehouses") {
		t.Error("manager: got status tabs or all warehouses, want own warehouses only")
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

func TestTodayPage_LinksToLists(t *testing.T) {
	page := rendered(t, views.TodayPage(views.Today{
		Page: signedIn(), OpenOrders: &views.Waiting[store.Order]{Rows: someOrders(2), Count: views.Count{N: 99, More: true}}, PaidOrders: &views.Waiting[store.Order]{},
		UnpaidInvoices: &views.Waiting[store.Invoice]{}, KayaksDue: &views.Waiting[store.ActiveRental]{},
		Days:     []store.DayTotal{{Count: 3}, {Count: 5, Amount: store.MinorUnits(123456).Sum()}},
		LowStock: []views.LowStock{{Warehouse: store.Warehouse{ID: "W1", Name: "Malmö"}, Waiting: views.Waiting[store.WarehouseItem]{Rows: []store.WarehouseItem{{ProductID: "P1"}}, Count: views.Count{N: 7}}}, {Warehouse: store.Warehouse{ID: "W2"}}},
	}))
	for text, href := range map[string]string{"All open": "/orders?status=OPEN", "All paid": "/orders?status=PAID", "All unpaid": "/invoices?status=UNPAID"} {
		if got := page.link(t, text).attr("href"); got != href {
			t.Errorf("%s: got link %s, want %s", text, got, href)
		}
	}
	text := page.all("main")[0].text()
	for _, part := range []string{"20 Nov 2026", "No orders to ship.", "No unpaid invoices.", "No kayaks due back today.", "Orders today 5", "Open orders 99+", "Products low in stock 7", "1,234.56", "Low stock, Malmö", "More products are low in this warehouse.", "No low stock."} {
		if !strings.Contains(text, part) {
			t.Errorf("got no %q on the page, want it", part)
		}
	}
}
