package handlers

import (
	"encoding/json"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

// stockOfP07 is the path of the stock of product p07 in warehouse w1. In the test shop,
// there are 14 pieces of p07 in w0, 14 in w1 and none in w2.
const stockOfP07 = "/products/p07/stock/w1"

func stockForm(version, token, quantity string) url.Values {
	return url.Values{"version": {version}, "once": {token}, "quantity": {quantity}, "reason": {"counted <again>"}}
}

func (b *backOffice) quantity(t *testing.T, productID, warehouseID string) int {
	t.Helper()
	item, err := b.store.As(&store.User{Name: "a", Role: store.Admin}).StockItem(t.Context(), productID, warehouseID)
	if err != nil {
		t.Fatal(err)
	}
	return item.Quantity
}

var hiddenValue = regexp.MustCompile(`name="(once|version)" value="([^"]*)"`)

// hidden returns the token and version of the form on a page.
func hidden(page string) map[string]string {
	_, main, _ := strings.Cut(page, "<main")
	values := map[string]string{}
	for _, found := range hiddenValue.FindAllStringSubmatch(main, -1) {
		values[found[1]] = found[2]
	}
	return values
}

func TestAdjustStock_IgnoresRepeatedForm(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	fields := hidden(manager.get(stockOfP07 + "/adjust").body)
	for range 2 {
		got := manager.post(stockOfP07+"/adjust", stockForm(fields["version"], fields["once"], "−3"))
		if got.status != http.StatusSeeOther || got.location != stockOfP07 {
			t.Fatalf("got status %d, redirect to %s; want 303 to %s: %s", got.status, got.location, stockOfP07, got.body)
		}
	}
	if n := b.quantity(t, "p07", "w1"); n != 11 {
		t.Errorf("got %d on hand, want 11", n)
	}
	page := manager.get(stockOfP07).body
	for _, want := range []string{"Stock adjusted by -3.", "counted &lt;again&gt;", "manager", "14 → 11"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %s on the page, want it", want)
		}
	}
	if file := manager.get("/warehouses/w1/ledger.csv").body; strings.Count(file, "\n") != 2 || !strings.Contains(file, ",w1,Borås,p07,") || !strings.Contains(file, ",14,11,") {
		t.Errorf("got ledger %s, want one row from 14 to 11", file)
	}
}

// TestCountStock_KeepsInputAfterConflict lets two users count the same stock. The second
// user must see their input next to the saved count and the name of the first user, and
// must be able to submit again.
func TestCountStock_KeepsInputAfterConflict(t *testing.T) {
	b := open(t)
	manager, admin := b.as(t, "manager"), b.as(t, "admin")
	first, second := hidden(manager.get(stockOfP07+"/count").body), hidden(admin.get(stockOfP07+"/count").body)
	if got := manager.post(stockOfP07+"/count", stockForm(first["version"], first["once"], "12")); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	late := stockForm(second["version"], second["once"], "15")
	late.Set("was", "14")
	got := admin.post(stockOfP07+"/count", late)
	if got.status != http.StatusConflict || b.quantity(t, "p07", "w1") != 12 {
		t.Fatalf("second user: got status %d, %d on hand; want 409, 12", got.status, b.quantity(t, "p07", "w1"))
	}
	for _, want := range []string{`value="15"`, `value="counted &lt;again&gt;"`, "12 pieces in stock, 14 when you opened the form", `name="was" value="12"`, "by manager", "Someone else changed this first."} {
		if !strings.Contains(html.UnescapeString(got.body), html.UnescapeString(want)) {
			t.Errorf("got no %s in the form, want it: %s", want, got.body)
		}
	}
	third := hidden(got.body)
	if third["version"] == second["version"] || third["once"] == second["once"] {
		t.Errorf("got the old version or token %v, want new ones", third)
	}
	if got := admin.post(stockOfP07+"/count", stockForm(third["version"], third["once"], "15")); got.status != http.StatusSeeOther || b.quantity(t, "p07", "w1") != 15 {
		t.Errorf("second submission: got status %d, want 303 and 15 on hand", got.status)
	}
}

func TestStockForms_ShowErrorsAtFields(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	for _, tt := range []struct {
		kind string
		form url.Values
		want string
	}{
		{"adjust", url.Values{"quantity": {"many"}, "reason": {"r"}}, "Enter a whole number"},
		{"adjust", url.Values{"quantity": {"-15"}, "reason": {"r"}, "version": {"1"}}, "Only 14 in stock at this warehouse."},
		{"adjust", url.Values{"quantity": {"1"}, "version": {"1"}}, "Enter a reason."},
		{"transfer", url.Values{"quantity": {"1"}, "reason": {"r"}, "to": {"w2"}, "version": {"1"}}, "Warehouse w2 not found, or not one of yours."},
		{"reorder", url.Values{"reorder": {"1e9"}, "version": {"1"}}, "Enter a whole number"},
	} {
		got := manager.post(stockOfP07+"/"+tt.kind, tt.form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, tt.want) {
			t.Errorf("%s with %v: got status %d, want 422 and %q: %s", tt.kind, tt.form, got.status, tt.want, got.body)
		}
		if version := hidden(got.body)["version"]; version != tt.form.Get("version") {
			t.Errorf("%s: got version %q in the form, want %q", tt.kind, version, tt.form.Get("version"))
		}
	}
	if n := b.quantity(t, "p07", "w1"); n != 14 {
		t.Errorf("got %d on hand after rejected forms, want 14", n)
	}
}

func TestLowStock_ListsOwnWarehouses(t *testing.T) {
	b := open(t)
	for name, want := range map[string]string{"viewer": "w0 w1 w2", "manager": "w1", "outsider": "w2"} {
		browser := b.as(t, name)
		var list struct{ Rows []store.WarehouseItem }
		if err := json.Unmarshal([]byte(browser.get("/stock/low.json").body), &list); err != nil {
			t.Fatal(err)
		}
		rows, seen := list.Rows, map[string]bool{}
		for i, row := range rows {
			seen[row.WarehouseID] = true
			if !row.IsLow() || i > 0 && row.WarehouseID == rows[i-1].WarehouseID && row.Quantity < rows[i-1].Quantity {
				t.Errorf("%s: got %+v at row %d, want low stock with the lowest quantity of a warehouse first", name, row, i)
			}
		}
		if got := strings.Join(slices.Sorted(maps.Keys(seen)), " "); got != want {
			t.Errorf("%s: got warehouses %s, want %s", name, got, want)
		}
		page := browser.get("/stock/low?limit=200")
		if shown := table(page.body); strings.Count(shown, "<tr>") != len(rows) {
			t.Errorf("%s: got %d rows on the page, want %d", name, strings.Count(shown, "<tr>"), len(rows))
		}
	}
}

func TestSetReorderPoint_ReturnsToWarehouse(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	form := url.Values{"version": {"1"}, "once": {tokenFor("token")}, "reorder": {"7"}, "bin": {"A-1"}, "back": {"warehouse"}}
	if got := manager.post(stockOfP07+"/reorder", form); got.status != http.StatusSeeOther || got.location != "/warehouses/w1" {
		t.Fatalf("got status %d, redirect to %s; want 303 to /warehouses/w1", got.status, got.location)
	}
	for _, row := range strings.Split(manager.get("/warehouses/w1/low.csv").body, "\n") {
		if strings.HasPrefix(row, ",w1,Borås,p07,") {
			t.Errorf("got %s in the list of low stock, want it gone", row)
		}
	}
	if got := manager.post(stockOfP07+"/reorder", url.Values{"version": {"1"}, "once": {tokenFor("other")}, "reorder": {"9"}, "bin": {""}}); got.status != http.StatusConflict || !strings.Contains(got.body, ">7<") || !strings.Contains(got.body, "A-1") {
		t.Errorf("second user: got status %d, want 409 and the saved values: %s", got.status, got.body)
	}
}

// TestSetReorderPoint_KeepsOtherChanges saves a new bin with a form that was opened before
// someone else changed the reorder point. After the conflict, the form must contain the new
// reorder point, so that saving it again does not restore the earlier one.
func TestSetReorderPoint_KeepsOtherChanges(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	for _, path := range []string{stockOfP07, stockOfP07 + "/reorder"} {
		stale := reorderForm(manager.get(path).body)
		other := reorderForm(manager.get(path).body)
		other.Set("reorder", stale.Get("reorder")+"1")
		if got := manager.post(stockOfP07+"/reorder", other); got.status != http.StatusSeeOther {
			t.Fatalf("%s: got status %d, want 303: %s", path, got.status, content(got.body))
		}
		stale.Set("bin", "Z-9")
		got := manager.post(stockOfP07+"/reorder", stale)
		form := reorderForm(got.body)
		if got.status != http.StatusConflict || form.Get("reorder") != other.Get("reorder") || form.Get("bin") != "Z-9" {
			t.Errorf("%s: got status %d and the form %v, want 409, the reorder point %s and the bin Z-9", path, got.status, form, other.Get("reorder"))
		}
	}
}

// TestSetReorderPoint_KeepsOtherBin saves a reorder point with the form on the page of a
// warehouse, which was opened before someone else changed the bin. The form after the conflict
// must contain the new bin, and must lead back to the page of the warehouse.
func TestSetReorderPoint_KeepsOtherBin(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	stale := reorderForm(manager.get("/warehouses/w1").body)
	other := reorderForm(manager.get(stockOfP07).body)
	other.Set("bin", "Z-9")
	if got := manager.post(stockOfP07+"/reorder", other); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	point := stale.Get("reorder") + "1"
	stale.Set("reorder", point)
	got := manager.post(stockOfP07+"/reorder", stale)
	form := reorderForm(got.body)
	if got.status != http.StatusConflict || form.Get("reorder") != point || form.Get("bin") != "Z-9" {
		t.Errorf("got status %d and the form %v, want 409, the reorder point %s and the bin Z-9", got.status, form, point)
	}
	if got := manager.post(stockOfP07+"/reorder", form); got.status != http.StatusSeeOther || got.location != "/warehouses/w1" {
		t.Errorf("got status %d, redirect to %s; want 303 to /warehouses/w1", got.status, got.location)
	}
}

// reorderForm returns the values of the form for a reorder point on a page.
func reorderForm(body string) url.Values {
	_, form, _ := strings.Cut(body, `action="`+stockOfP07+`/reorder"`)
	form, _, _ = strings.Cut(form, "</form>")
	return formIn(answer{body: `<form method="post">` + "<p" + form + "</form>"})
}

func TestReceiveStock_FindsProductByIDOrSKU(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for _, name := range []string{"p07", "SKU-7"} {
		got := admin.get("/warehouses/w2/receive?product=" + name)
		if form := sheetForm(got.body); got.status != http.StatusOK || form.Get("product-1") != "p07" || form.Get("quantity-1") != "1" {
			t.Errorf("%s: got status %d and the form %v, want a line for p07", name, got.status, form)
		}
	}
	if got := admin.get("/warehouses/w2/receive?product=none"); got.status != http.StatusUnprocessableEntity {
		t.Errorf("unknown product: got status %d, want 422", got.status)
	}
	fields := hidden(admin.get("/products/p07/stock/w2/receive").body)
	if fields["version"] != "" {
		t.Errorf("got version %s for a product without stock, want none", fields["version"])
	}
	if got := admin.post("/products/p07/stock/w2/receive", url.Values{"once": {fields["once"]}, "quantity": {"5"}, "reason": {"first delivery"}}); got.status != http.StatusSeeOther || b.quantity(t, "p07", "w2") != 5 {
		t.Errorf("got status %d, %d on hand; want 303, 5", got.status, b.quantity(t, "p07", "w2"))
	}
	for _, address := range []string{"/products/none/stock/w1", "/products/p07/stock/none", "/products/p07/stock/w1/nothing"} {
		if got := admin.get(address); got.status != http.StatusNotFound {
			t.Errorf("%s: got status %d, want 404", address, got.status)
		}
	}
}

// TestStock_NeverInStock checks the page of the stock of a product in a warehouse that
// never had it.
func TestStock_NeverInStock(t *testing.T) {
	b := open(t, &store.Product{ID: "fresh", Name: "Fresh", Version: 1})
	if page := b.as(t, "admin").get("/products/fresh/stock/w1").body; !strings.Contains(page, "Never in stock") || strings.Contains(page, "Out of stock") {
		t.Errorf("got %s, want the badge Never in stock", content(page))
	}
}

func TestMessages_HaveSingular(t *testing.T) {
	for n, want := range map[int]string{0: "0 pieces", 1: "1 piece", 2: "2 pieces"} {
		if got := countPieces(n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got, want := retryMessage(time.Second), "Too many attempts. Try again in 1 second."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
