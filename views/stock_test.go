package views_test

import (
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

func TestStockPage_ShowsLedger(t *testing.T) {
	page := rendered(t, views.StockPage(views.Stock{
		Page: signedIn(), Item: store.WarehouseItem{ProductID: "P1", WarehouseID: "W1", Name: "Table", Quantity: 1198, Version: 3},
		Warehouse: store.Warehouse{ID: "W1", Name: "Malmö"},
		Ledger: views.Part[store.StockMove]{Rows: []store.StockMove{
			{ID: "2", When: someDay, From: 1200, To: 1198, Delta: -2, Reason: "shipped", By: "kim", OrderID: "O1"},
			{ID: "1", When: someDay, From: 0, To: 1200, Delta: 1200, Reason: "arrived", By: "lee"},
		}},
	}))
	want := [][]string{
		{"When and who", "Change", "Reason"},
		{"20 Nov 2026, 13:06 kim Order O1 shipped", "−2 1,200 → 1,198", "shipped"},
		{"20 Nov 2026, 13:06 lee arrived", "+1,200 0 → 1,200", "arrived"},
	}
	if rows := page.one(t, "aria-label", "Stock ledger").cells(); !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("got rows %q, want %q", rows, want)
	}
	if page.link(t, "O1").attr("href") != "/orders/O1" {
		t.Error("got no link from a stock change to its order, want one")
	}
	for _, form := range page.all("main")[0].all("form") {
		if form.attr("method") == "post" && !strings.HasSuffix(form.attr("action"), "/notes") {
			t.Error("got a form without permission to change stock, want only the one for notes")
		}
	}
}

func TestStockForm_ShowsBothValuesAfterConflict(t *testing.T) {
	page := rendered(t, views.StockChangePage(views.StockChange{
		Page: signedIn(), Kind: views.StockCount, Item: store.WarehouseItem{ProductID: "P1", WarehouseID: "W1", Quantity: 11, Version: 5},
		Form:     views.Form{Token: "token", Version: 5, Conflict: true, Problem: "Someone else changed this first."},
		Quantity: ui.Input{Value: "14"}, Reason: ui.Input{Value: "yearly count"},
		Last: store.Event{ID: "1", What: store.EventStockMoved, By: "kim", When: someDay, Why: "broken"},
	}))
	text := page.all("main")[0].text()
	for _, part := range []string{"Someone else changed this first.", "Stock moved by kim, 20 Nov 2026, 13:06, broken.", "Currently: 11 pieces in stock"} {
		if !strings.Contains(text, part) {
			t.Errorf("got no %q on the page, want it: %s", part, text)
		}
	}
	for name, value := range map[string]string{"quantity": "14", "reason": "yearly count", "version": "5", "once": "token"} {
		if got := page.one(t, "name", name).attr("value"); got != value {
			t.Errorf("%s: got %q, want %q", name, got, value)
		}
	}
}

func TestWarehousePage_HasReorderPointForms(t *testing.T) {
	low := views.Warehouse{
		Page: signedIn(), Warehouse: store.Warehouse{ID: "W1"}, CanChange: true, Token: "token", Seen: func(*store.WarehouseItem) string { return "a.b" },
		Low: views.Part[store.StockRow]{Rows: []store.StockRow{{WarehouseItem: store.WarehouseItem{ProductID: "P/1", WarehouseID: "W1", Name: "Table", Quantity: 1, ReorderPoint: 5, Bin: "A-1", Version: 7}}}},
	}
	page := rendered(t, views.WarehousePage(low))
	form := page.one(t, "action", "/products/P%2F1/stock/W1/reorder")
	for name, value := range map[string]string{"once": "token", "version": "7", "bin": "A-1", "reorder": "5", views.FieldSeen: "a.b"} {
		if got := form.one(t, "name", name).attr("value"); got != value {
			t.Errorf("%s: got %q, want %q", name, got, value)
		}
	}
	low.CanChange = false
	if page := rendered(t, views.WarehousePage(low)); len(page.with("name", "reorder")) != 0 {
		t.Error("got a form without permission to change stock, want none")
	}
}

func TestProductPage_OffersToReceiveInNewWarehouse(t *testing.T) {
	product := views.Product{
		Page: signedIn(), Product: store.Product{ID: "P1"}, Stock: []store.WarehouseItem{{ProductID: "P1", WarehouseID: "W1"}},
		Warehouses: []store.Warehouse{{ID: "W1", Name: "Malmö"}, {ID: "W2", Name: "Lund"}}, CanChange: true,
	}
	page := rendered(t, views.ProductPage(product))
	if got := page.link(t, "Lund").attr("href"); got != "/products/P1/stock/W2/receive" {
		t.Errorf("got link %s, want /products/P1/stock/W2/receive", got)
	}
	product.CanChange = false
	if page := rendered(t, views.ProductPage(product)); strings.Contains(page.all("main")[0].text(), "Receive") {
		t.Error("got a link without permission to change stock, want none")
	}
}

func TestStockPage_ShowsCover(t *testing.T) {
	for want, tt := range map[string]struct {
		quantity int
		cover    store.StockCover
	}{
		"Lasts about 36 days: 5 pieces shipped in the last 90 days.":   {2, store.StockCover{Shipped: 5, Hours: 90 * 24}},
		"Lasts about 1 day: 20 pieces shipped in the last 20 days.":    {1, store.StockCover{Shipped: 20, Hours: 20 * 24}},
		"5 pieces shipped in the last 90 days.":                        {0, store.StockCover{Shipped: 5, Hours: 90 * 24}},
		"Nothing shipped in the last 90 days.":                         {2, store.StockCover{Hours: 90 * 24}},
		"Lasts about 2 days: 200 pieces shipped in the last 47 hours.": {230, store.StockCover{Shipped: 200, Hours: 47}},
		"": {2, store.StockCover{Shipped: 5}},
	} {
		page := rendered(t, views.StockPage(views.Stock{
			Page: signedIn(), Item: store.WarehouseItem{ProductID: "p1", WarehouseID: "w1", Quantity: tt.quantity, Version: 1}, Cover: views.Single[store.StockCover]{Found: tt.cover},
		}))
		if text := page.text(); want != "" && !strings.Contains(text, want) || strings.Contains(text, "Lasts") != strings.HasPrefix(want, "Lasts") {
			t.Errorf("%+v: got %q, want %q", tt, text, want)
		}
	}
}

// TestStock_ShowsOneWarehouseFirst checks that the first figure is the stock in this
// warehouse, and that the labels of the other figures say "all warehouses".
func TestStock_ShowsOneWarehouseFirst(t *testing.T) {
	p := views.Stock{Page: signedIn(), Item: store.WarehouseItem{Quantity: 155, Version: 1}, Warehouse: store.Warehouse{ID: "W1", Name: "Aarhus"}}
	p.Level.OnHand, p.Level.Committed, p.Level.Available, p.Level.Incoming = 625, 40, 585, 20
	want := "On hand in Aarhus 155 On hand in all warehouses 625 Committed in all warehouses 40 Available in all warehouses 585 Incoming in all warehouses 20"
	if got := rendered(t, views.StockPage(p)).one(t, "class", "figures").text(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
