package views_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

func signedIn() views.Page {
	return views.Page{
		Title: "Orders", User: &store.User{Name: "kim.berg", Role: store.Support}, Currency: "EUR", Now: someDay,
		Menu: views.NewMenu([]views.MenuGroup{
			{Title: "Sales", Items: []views.MenuItem{
				{Name: "Orders", Path: "/orders", Icon: ui.IconOrders, Current: true},
				{Name: "Customers", Path: "/customers", Icon: ui.IconCustomers},
			}},
		}),
		Reads: []store.Read{{
			Pattern: patternNamed("getOrdersByMonth"), Shards: 15, Requests: 15, Items: 26, Units: 7.5,
			Condition: store.KeyCondition{PK: "orders#2026-11#0", SK: "0", To: "~", Operator: "between"},
		}},
	}
}

func patternNamed(name string) *store.Pattern {
	p, _ := store.PatternByName(name)
	return p
}

func someOrders(n int) []store.Order {
	rows := make([]store.Order, n)
	for i := range rows {
		rows[i] = store.Order{
			ID: fmt.Sprint(104829 - i), CustomerID: fmt.Sprint("C", i), CustomerName: "Marta Lindqvist", Date: someDay,
			Status: store.OrderPaid, Total: store.MinorUnits(123450), ItemCount: 7,
			PaymentState: store.InvoicePaid, ShipmentState: store.PartlyShipped,
		}
	}
	return rows
}

func stocked(orders []store.Order) []store.StockedOrder {
	rows := make([]store.StockedOrder, len(orders))
	for i := range orders {
		rows[i] = store.StockedOrder{Order: orders[i], Stock: store.StockReady}
	}
	return rows
}

func listOf(n int, params ...ui.Param) views.List {
	return views.List{
		Path: "/orders", Params: params, Sort: ui.Sort{NewestFirst: true, ReverseURL: "/orders?sort=oldest"},
		Pager: ui.Pager{Shown: n, PrevURL: "/orders?after=1", NextURL: "/orders?after=2"},
	}
}

func TestOrdersPage_ShowsColumns(t *testing.T) {
	page := rendered(t, views.OrdersPage(views.Orders{Page: signedIn(), List: listOf(1), Rows: stocked(someOrders(1))}))
	table := page.one(t, "aria-label", "Orders")
	rows := table.cells()
	if want := []string{"Select", "Order", "Customer", "Placed ↓", "Status", "Items", "Total", "Payment", "Shipment"}; !slices.Equal(rows[0], want) {
		t.Errorf("got columns %q, want %q", rows[0], want)
	}
	// The page hides some columns on phones. The cells of the order and the total therefore
	// also contain the customer, the time and the status.
	want := []string{"104829", "104829 Marta Lindqvist 20 Nov 2026, 13:06 Paid Partly packed", "Marta Lindqvist", "20 Nov 2026, 13:06", "To ship", "7", "€1,234.50 To ship", "Paid", "Partly packed"}
	if !slices.Equal(rows[1], want) {
		t.Errorf("got row %q, want %q", rows[1], want)
	}
	if href := table.link(t, "104829").attr("href"); href != "/orders/104829" {
		t.Errorf("order: got link %s, want /orders/104829", href)
	}
	if href := table.link(t, "Marta Lindqvist").attr("href"); href != "/customers/C0" {
		t.Errorf("customer: got link %s, want /customers/C0", href)
	}
	if sort := page.one(t, "aria-sort", "descending"); sort.all("a")[0].attr("href") != "/orders?sort=oldest" {
		t.Error("got no link to reverse the list, want one")
	}
}

func TestOrdersPage_LinksKeepFilters(t *testing.T) {
	params := []ui.Param{{Name: "status", Value: "PAID"}, {Name: "from", Value: "last month"}, {Name: "limit", Value: "50"}}
	page := rendered(t, views.OrdersPage(views.Orders{
		Page: signedIn(), List: listOf(1, params...), Status: store.OrderPaid, From: ui.Input{Value: "last month"}, Rows: stocked(someOrders(1)),
	}))
	for text, want := range map[string]string{
		"CSV":                            "/orders.csv?status=PAID&from=last+month",
		"JSON":                           "/orders.json?status=PAID&from=last+month",
		"Open":                           "/orders?from=last+month&limit=50&status=OPEN",
		"All":                            "/orders?from=last+month&limit=50",
		"Remove filter Status: To ship":  "/orders?from=last+month&limit=50",
		"Remove filter From: last month": "/orders?status=PAID&limit=50",
		"Previous":                       "/orders?after=1",
		"Next":                           "/orders?after=2",
	} {
		if got := page.link(t, text).attr("href"); got != want {
			t.Errorf("%s: got link %s, want %s", text, got, want)
		}
	}
	tabs := page.one(t, "aria-label", "Status")
	if current := tabs.with("aria-current", "page"); len(current) != 1 || current[0].text() != "To ship" {
		t.Errorf("got %d current tabs, want Paid", len(current))
	}
	form := page.one(t, "aria-label", "Filters")
	inputs := map[string]string{}
	for _, input := range form.all("input") {
		inputs[input.attr("name")] = input.attr("value")
	}
	if inputs["status"] != "PAID" || inputs["limit"] != "50" || inputs["from"] != "last month" || inputs["to"] != "" {
		t.Errorf("got inputs %v, want the filters", inputs)
	}
	if text := page.one(t, "aria-label", "Pages of orders").text(); !strings.HasPrefix(text, "1 order, newest first; more on the next page") {
		t.Errorf("got pager %q, want 1 order, newest first; more on the next page", text)
	}
}

func TestEmptyList_OffersToRemoveFilters(t *testing.T) {
	page := rendered(t, views.OrdersPage(views.Orders{
		Page: signedIn(), List: views.List{Path: "/orders", Params: []ui.Param{{Name: "status", Value: "RETURNED"}}}, Status: store.OrderReturned,
	}))
	if text := page.one(t, "class", "empty").text(); text != "No orders match these filters. Remove a filter to see more: Remove filter Status: Returned" {
		t.Errorf("got %q, want a link to remove the status", text)
	}
	for want, list := range map[string]views.List{
		"There are no orders yet.": {Path: "/orders"},
		"There are no orders in this part of the list. Continue the search to read the rest.": {Path: "/orders", Pager: ui.Pager{NextURL: "/orders?after=2"}},
		"There are no more orders.": {Path: "/orders", Pager: ui.Pager{PrevURL: "/orders?after=1"}},
	} {
		page := rendered(t, views.OrdersPage(views.Orders{Page: signedIn(), List: list}))
		if text := page.one(t, "class", "empty").text(); text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
}

func TestInvalidFilter_KeepsInput(t *testing.T) {
	page := rendered(t, views.OrdersPage(views.Orders{
		Page: signedIn(), List: views.List{Path: "/orders", Params: []ui.Param{{Name: "from", Value: "31 Foo"}}},
		From: ui.Input{Value: "31 Foo", Error: "Enter a date."},
	}))
	field := page.one(t, "id", "field-from")
	if field.attr("value") != "31 Foo" || field.attr("aria-invalid") != "true" {
		t.Errorf("got field with %q, invalid %q; want 31 Foo, true", field.attr("value"), field.attr("aria-invalid"))
	}
	if ids := strings.Fields(field.attr("aria-describedby")); len(ids) == 0 || page.one(t, "id", ids[0]).text() != "Enter a date." {
		t.Errorf("got field described by %q, want its error", ids)
	}
	summary := page.one(t, "role", "alert")
	if href := summary.link(t, "Placed on or after: Enter a date.").attr("href"); href != "#field-from" {
		t.Errorf("error summary: got link %s, want #field-from", href)
	}
	if text := page.one(t, "class", "empty").text(); text != "Fix the filters to see the list." {
		t.Errorf("got %q in place of rows, want Fix the filters to see the list.", text)
	}
	if fold := page.one(t, "class", "fold"); !fold.has("open") {
		t.Error("got closed filters, want them open at an error")
	}
}

func BenchmarkOrdersPage(b *testing.B) {
	orders := views.Orders{Page: signedIn(), List: listOf(25), Rows: stocked(someOrders(25))}
	b.ReportAllocs()
	for b.Loop() {
		if err := views.OrdersPage(orders).Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
