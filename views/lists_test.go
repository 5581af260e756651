package views_test

import (
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

func TestAProductShowsWhereItLies(t *testing.T) {
	page := rendered(t, views.ProductPage(views.Product{
		Page: signedIn(), Product: store.Product{ID: "P1", Name: "Table", Category: "Oak & ash"},
		Stock: []store.WarehouseItem{
			{ProductID: "P1", WarehouseID: "W1", Quantity: 1200, ReorderPoint: 5, Bin: "A1"},
			{ProductID: "P1", WarehouseID: "W2", Quantity: 3, ReorderPoint: 5},
			{ProductID: "P1", WarehouseID: "W3"},
		},
		Warehouses: []store.Warehouse{{ID: "W1", Name: "Malmö"}, {ID: "W2"}},
	}))
	rows := page.the(t, "aria-label", "Stock by warehouse").cells()
	want := [][]string{
		{"Warehouse", "Bin", "Quantity", "Reorder at", "State"},
		{"Malmö W1", "A1", "1,200", "5", "In stock"},
		{"W2 W2", "", "3", "5", "Low"},
		{"W3 W3", "", "0", "0", "Out of stock"},
		{"Total", "", "1,203", "", ""},
	}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("rows %q, want %q", rows, want)
	}
	if said := page.the(t, "role", "img").attr("aria-label"); said != "Stock by warehouse. Bar chart: lowest 0 pieces at W3, highest 1,200 at Malmö" {
		t.Errorf("the chart says %q", said)
	}
	if href := page.link(t, "Oak & ash").attr("href"); href != "/products?category=Oak+%26+ash" {
		t.Errorf("the category leads to %s", href)
	}
}

func TestShipmentsOfAWarehouseTakeNoDays(t *testing.T) {
	shipments := views.Shipments{Page: signedIn(), List: views.List{Path: "/shipments"}, Status: store.ShipmentSent, Warehouses: []store.Warehouse{{ID: "W1", Name: "Malmö"}}}
	page := rendered(t, views.ShipmentsPage(shipments))
	if len(page.with("id", "field-from")) != 1 || page.the(t, "aria-label", "Status").with("aria-current", "page")[0].text() != "Shipped" {
		t.Error("the list by status has no days, or no tab")
	}
	shipments.Status, shipments.Warehouse.Value = "", "W1"
	page = rendered(t, views.ShipmentsPage(shipments))
	if len(page.with("id", "field-from")) != 0 {
		t.Error("the list of a warehouse asks for days")
	}
	if chosen := page.the(t, "value", "W1"); !chosen.has("selected") || chosen.text() != "Malmö" {
		t.Error("the warehouse is not the chosen one")
	}
	shipments.OwnOnly = true
	page = rendered(t, views.ShipmentsPage(shipments))
	if len(page.with("aria-label", "Status")) != 0 || strings.Contains(page.the(t, "id", "field-warehouse").text(), "All warehouses") {
		t.Error("who has warehouses of their own is offered everybody's list")
	}
}

func TestFirstLettersAreTabs(t *testing.T) {
	page := rendered(t, views.CustomersPage(views.Customers{
		Page: signedIn(), List: views.List{Path: "/customers", Params: []ui.Param{{Name: "bucket", Value: "_"}}}, Bucket: "_",
	}))
	tabs := page.the(t, "aria-label", "First letter").all("a")
	if len(tabs) != 29 || tabs[0].text() != "All" || tabs[1].text() != "0–9" || tabs[1].attr("href") != "/customers?bucket=0" || tabs[28].text() != "Other" || tabs[28].attr("aria-current") != "page" {
		t.Errorf("there are %d tabs", len(tabs))
	}
	if chip := page.link(t, "Remove filter Letter: Other"); chip.attr("href") != "/customers" {
		t.Errorf("the letter comes off by %s", chip.attr("href"))
	}
}

func TestSearchGroupsWhatItFound(t *testing.T) {
	p := signedIn()
	p.Query = "marta"
	page := rendered(t, views.SearchPage(views.Search{Page: p, Found: &store.SearchResults{
		Orders: someOrders(2), Customers: []store.Customer{{ID: "C1", Name: "Marta", Email: "m@example.com", Phones: []string{"+46 1"}}},
	}}))
	var headings []string
	for _, h := range page.the(t, "id", "found").all("h2") {
		headings = append(headings, h.text())
	}
	if !slices.Equal(headings, []string{"Orders", "Customers"}) {
		t.Errorf("groups %q", headings)
	}
	box := page.the(t, "id", "find")
	if box.attr("value") != "marta" || box.attr("hx-get") != "/search" {
		t.Errorf("the box holds %q", box.attr("value"))
	}
	page = rendered(t, views.SearchPage(views.Search{Page: p, Found: &store.SearchResults{}}))
	if text := page.the(t, "id", "found").text(); !strings.HasPrefix(text, "No results for “marta”") {
		t.Errorf("it says %q", text)
	}
}

func TestTodayLeadsToItsLists(t *testing.T) {
	page := rendered(t, views.TodayPage(views.Today{
		Page: signedIn(), OpenOrders: &views.Waiting[store.Order]{Rows: someOrders(2), Count: views.Count{N: 99, More: true}}, PaidOrders: &views.Waiting[store.Order]{},
		UnpaidInvoices: &views.Waiting[store.Invoice]{}, KayaksDue: &views.Waiting[store.ActiveRental]{},
		Days:     []store.DayTotal{{Count: 3}, {Count: 5, Amount: store.MinorUnits(123456)}},
		LowStock: []views.LowStock{{Warehouse: store.Warehouse{ID: "W1", Name: "Malmö"}, Waiting: views.Waiting[store.WarehouseItem]{Rows: []store.WarehouseItem{{ProductID: "P1"}}, Count: views.Count{N: 7}}}, {Warehouse: store.Warehouse{ID: "W2"}}},
	}))
	for text, href := range map[string]string{"All open": "/orders?status=OPEN", "All paid": "/orders?status=PAID", "All unpaid": "/invoices?status=UNPAID"} {
		if got := page.link(t, text).attr("href"); got != href {
			t.Errorf("%s leads to %s", text, got)
		}
	}
	text := page.all("main")[0].text()
	for _, part := range []string{"20 Nov 2026", "No orders to ship.", "No unpaid invoices.", "No kayaks due back today.", "Orders today 5", "Open orders 99+", "Products running low 7", "1,234.56", "Low stock, Malmö", "More products are low here.", "No low stock."} {
		if !strings.Contains(text, part) {
			t.Errorf("it lacks %q", part)
		}
	}
}
