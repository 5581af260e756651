package handlers

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// lastPiece returns a product with one piece left in w1.
func lastPiece() []store.Entity {
	return []store.Entity{
		&store.Product{ID: "last", Name: "Last <lamp>", SKU: "LAST", Price: store.MinorUnits(100), Version: 1},
		&store.WarehouseItem{ProductID: "last", WarehouseID: "w1", Name: "Last <lamp>", Quantity: 1, ReorderPoint: 3, Version: 1},
	}
}

// TestPlaceOrder_LastPiece places two orders for the last piece. The form of the second
// order must warn that no pieces are available, but must accept the order.
func TestPlaceOrder_LastPiece(t *testing.T) {
	b := open(t, lastPiece()...)
	support := b.as(t, "support")
	for n, want := range []struct {
		available string
		warns     bool
	}{{"1", false}, {"0", true}} {
		form := url.Values{"customer": {"c01"}, "product-1": {"LAST"}, "quantity-1": {"1"}, "do": {"look"}, "once": {tokenFor(fmt.Sprint("look", n))}}
		review := support.post("/orders/new", form)
		if review.status != http.StatusOK || !strings.Contains(review.body, `<b>`+want.available+`</b>`) {
			t.Errorf("order %d: got status %d, want %s available: %s", n+1, review.status, want.available, review.body)
		}
		if warns := strings.Contains(review.body, "Last &lt;lamp&gt;: 1 ordered, 0 available"); warns != want.warns {
			t.Errorf("order %d: got a warning %t, want %t: %s", n+1, warns, want.warns, review.body)
		}
		form.Set("do", "take")
		form.Set("total", "1")
		form.Set("once", hidden(review.body)["once"])
		if got := support.post("/orders/new", form); got.status != http.StatusSeeOther {
			t.Errorf("order %d: got status %d, want 303: %s", n+1, got.status, got.body)
		}
	}
}

// TestStockLevels_OnPages requests pages and files that show stock. Pages must show −3
// available. Files must contain the whole level: 1 on hand, 4 committed, −3 available,
// 24 incoming. With 48 shards, the level is stored in a StockSlot, an item with a
// partition of its own.
func TestStockLevels_OnPages(t *testing.T) {
	for _, shards := range []int{15, 48} {
		t.Run(fmt.Sprint(shards), func(t *testing.T) { testStockLevels(t, shards) })
	}
}

func testStockLevels(t *testing.T, shards int) {
	line := &store.OrderItem{OrderID: "o", ProductID: "last", CustomerID: "c01", Date: storetest.Now, Quantity: 4, Version: 1}
	delivery := &store.ExpectedDelivery{ID: "d", ProductID: "last", WarehouseID: "w2", Due: storetest.Day(2026, time.December, 1), Quantity: 24, Version: 1}
	b := open(t)
	b.load(t, shards, append(lastPiece(), line, delivery)...)
	for _, user := range []string{"admin", "manager", "viewer"} {
		browser := b.as(t, user)
		for _, path := range []string{"/products?name=last", "/products/last", "/products/last/stock", "/products/last/stock/w1", "/stock/low?warehouse=w1&limit=200", "/warehouses/w1/stock?limit=200"} {
			if got := browser.get(path); got.status != http.StatusOK || !strings.Contains(got.body, "Available") || !strings.Contains(got.body, ">-3<") && !strings.Contains(got.body, ">−3<") {
				t.Errorf("%s as %s: got status %d, want -3 available: %s", path, user, got.status, got.body)
			}
		}
		for _, path := range []string{"/products.json?name=last", "/products/last.json", "/products/last/stock.json", "/products/last/stock/w1.json", "/stock/low.json?warehouse=w1"} {
			got := browser.get(path)
			if !json.Valid([]byte(got.body)) || !strings.Contains(strings.ReplaceAll(got.body, " ", ""), `"OnHand":1,"Committed":4,"Available":-3,"Incoming":24`) {
				t.Errorf("%s as %s: got another stock level than 1, 4, -3 and 24: %s", path, user, got.body)
			}
		}
		for _, path := range []string{"/products.csv?name=last", "/products/last/stock.csv", "/stock/low.csv?warehouse=w1", "/warehouses/w1/stock.csv", "/warehouses/w1/low.csv"} {
			got := browser.get(path)
			if !strings.Contains(got.body, "OnHand,Committed,Available,Incoming") || !strings.Contains(got.body, ",1,4,-3,24") {
				t.Errorf("%s as %s: got another stock level than 1, 4, -3 and 24: %s", path, user, got.body)
			}
		}
	}
}

// load sets the number of shards, and loads entities.
func (b *backOffice) load(t *testing.T, shards int, entities ...store.Entity) {
	t.Helper()
	settings, err := b.store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Shards, settings.ShardsRead = shards, shards
	if err := b.store.SaveSettings(t.Context(), settings, store.Program); err != nil {
		t.Fatal(err)
	}
	if loaded, err := b.store.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

// TestStockLevels_RequestsWithManyShards requests long lists of products and stock in a
// table with 48 shards. Each page may make at most 60 table requests.
func TestStockLevels_RequestsWithManyShards(t *testing.T) {
	b := serveOnly(t)
	entities := []store.Entity{&store.Warehouse{ID: "w1", Name: "Aarhus", Version: 1}}
	for n := range store.MaxLimit {
		id := fmt.Sprintf("p%03d", n)
		entities = append(entities,
			&store.Product{ID: id, Name: string(rune('a'+n%26)) + id, Category: "all", Price: store.MinorUnits(100), Version: 1},
			&store.WarehouseItem{ProductID: id, WarehouseID: "w1", Name: id, Quantity: 1, ReorderPoint: 3, Version: 1},
		)
	}
	b.load(t, 48, entities...)
	viewer := b.as(t, "viewer")
	viewer.get("/views") // caches the saved views for the tabs of lists
	for _, path := range []string{"/products", "/products?limit=200", "/products?category=all&limit=200", "/warehouses/w1/stock?limit=200", "/stock/low?limit=200"} {
		before := b.db.requests.Load()
		got := viewer.get(path)
		if n := b.db.requests.Load() - before; got.status != http.StatusOK || n > 60 {
			t.Errorf("%s: got status %d with %d requests, want 200 with at most 60", path, got.status, n)
		}
	}
}

// TestStockLevels_Unreadable requests the pages and files with a product whose stored
// counts are damaged. Pages must show all rows, but no stock level of this product. Files
// must fail.
func TestStockLevels_Unreadable(t *testing.T) {
	b := open(t)
	table := "OnlineShop"
	if _, err := b.db.TransactWriteItems(t.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{{Put: &types.Put{TableName: &table, Item: store.Item{
		"PK": &types.AttributeValueMemberS{Value: "p#p10"}, "SK": &types.AttributeValueMemberS{Value: "counts#2"},
		"Type": &types.AttributeValueMemberS{Value: "stockCount"}, "OnHand": &types.AttributeValueMemberS{Value: "x"},
	}}}}}); err != nil {
		t.Fatal(err)
	}
	admin := b.as(t, "admin")
	const reason = "The item p#p10 / counts#2 has an unknown entity type."
	for path, row := range map[string]string{
		"/products?limit=200":            "/products/p11",
		"/stock/low?limit=200":           "Low stock",
		"/warehouses/w1/stock?limit=200": "/products/p12",
		"/products/p10":                  `<span class="big">–</span>`,
		"/products/p10/stock":            `<span class="big">–</span>`,
		"/products/p10/stock/w1":         "<dd>–</dd>",
	} {
		got := admin.get(path)
		if got.status != http.StatusOK || !strings.Contains(got.body, row) || !strings.Contains(got.body, "–") {
			t.Errorf("%s: got status %d, want %s and no level: %s", path, got.status, row, got.body)
		}
		if strings.Contains(path, "limit") && !strings.Contains(got.body, reason) {
			t.Errorf("%s: got no reason why the level is missing, want one: %s", path, got.body)
		}
	}
	for _, path := range []string{"/products.csv", "/products.json?limit=200", "/warehouses/w1/stock.csv", "/products/p10.json", "/products/p10/stock.csv", "/products/p10/stock/w1.json"} {
		if got := admin.get(path); got.status == http.StatusOK && strings.Contains(got.body, "p12") {
			t.Errorf("%s: got %d, want an error instead of a file without the level", path, got.status)
		}
	}
}

// consistentReads records whether batches of items are read with strong consistency.
type consistentReads struct{ batches []bool }

func (c *consistentReads) record(in *dynamodb.BatchGetItemInput) {
	for _, read := range in.RequestItems {
		c.batches = append(c.batches, aws.ToBool(read.ConsistentRead))
	}
}

// TestStockLevels_Consistency checks that forms read stock levels with strong
// consistency. Lists and files must read them with eventual consistency, which consumes
// half the read units.
func TestStockLevels_Consistency(t *testing.T) {
	b := open(t, lastPiece()...)
	reads := &consistentReads{}
	b.db.onBatch = reads.record
	support := b.as(t, "support")
	review := url.Values{"customer": {"c01"}, "product-1": {"LAST"}, "quantity-1": {"1"}, "do": {"look"}, "once": {tokenFor("look")}}
	for path, want := range map[string]bool{"/products?name=last": false, "/products.csv?name=last": false, "/products/last": false, "/orders/new": true} {
		reads.batches = nil
		if want {
			support.post(path, review)
		} else {
			support.get(path)
		}
		if len(reads.batches) == 0 || slices.Contains(reads.batches, !want) {
			t.Errorf("%s: got batches read consistently: %v, want all %t", path, reads.batches, want)
		}
	}
}

// openWithOpenLines opens the test shop with the last piece of a product, and with
// orders that have these OpenLines.
func openWithOpenLines(t *testing.T, orders map[string][]string) *backOffice {
	t.Helper()
	b := open(t, lastPiece()...)
	var entities []store.Entity
	for id, lines := range orders {
		entities = append(entities, &store.Order{ID: id, CustomerID: "c01", CustomerName: "Åsa 1", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(100), OpenLines: lines, Version: 1})
	}
	if loaded, err := b.store.Load(t.Context(), entities, store.LoadOptions{TotalsIncluded: true}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	return b
}

// TestOrders_ReadStockOnlyIfShown checks that the list of orders reads stock levels
// only for files and for lists that show the stock.
func TestOrders_ReadStockOnlyIfShown(t *testing.T) {
	b := openWithOpenLines(t, map[string][]string{"ox1": {"1 last"}})
	reads := &consistentReads{}
	b.db.onBatch = reads.record
	for path, want := range map[string]bool{"/orders": false, "/orders?status=SHIPPED": false, "/orders?status=OPEN&limit=200": true, "/orders.csv": true} {
		reads.batches = nil
		if b.as(t, "admin").get(path); len(reads.batches) > 0 != want {
			t.Errorf("%s: got %d batch reads, want some: %t", path, len(reads.batches), want)
		}
	}
}

// TestOrders_ShowStock checks that the list of open orders shows their stock and can be
// filtered by it.
func TestOrders_ShowStock(t *testing.T) {
	b := openWithOpenLines(t, map[string][]string{"ox1": {"1 last"}, "ox2": {"2 last"}, "ox3": {"1 none"}, "ox4": nil, "ox5": {"x <b>", " "}})
	for _, user := range []string{"admin", "manager", "viewer"} {
		browser := b.as(t, user)
		for query, want := range map[string]string{"": "ox1 Ready, ox2 Partly, ox3 Not in stock, ox4 –, ox5 –", "&stock=READY": "ox1 Ready", "&stock=partly": "ox2 Partly", "&stock=not+in+stock": "ox3 Not in stock"} {
			page := browser.get("/orders?status=OPEN&limit=200" + query)
			var got []string
			for _, row := range strings.Split(table(page.body), "</tr>") {
				if id := ids(row, anyOrderLink); len(id) > 0 && strings.HasPrefix(id[0], "ox") {
					states := stateWord.FindAllStringSubmatch(row, -1)
					got = append(got, id[0]+" "+states[len(states)-1][1])
				}
			}
			if got := strings.Join(got, ", "); page.status != http.StatusOK || got != want {
				t.Errorf("%s as %s: got status %d and %s, want %s", query, user, page.status, got, want)
			}
		}
		for path, want := range map[string][2]bool{"/orders": {false, false}, "/orders?status=OPEN": {true, false}, "/orders?status=OPEN&stock=READY": {true, true}, "/orders?status=PAID&stock=READY": {true, true}} {
			main := content(browser.get(path).body)
			if got := [2]bool{strings.Contains(main, "can ship each order completely"), strings.Contains(main, "are not listed")}; got != want {
				t.Errorf("%s as %s: got notes about all warehouses and unknown stock: %v, want %v", path, user, got, want)
			}
		}
		if got := browser.get("/orders.csv?status=OPEN").body; !strings.Contains(got, ",Stock") || !strings.Contains(got, ",PARTLY") {
			t.Errorf("CSV as %s: got %s, want the stock", user, got)
		}
		if got := browser.get("/orders.json?status=OPEN&stock=READY").body; !strings.Contains(got, `"Stock":"READY"`) || strings.Contains(got, "PARTLY") {
			t.Errorf("JSON as %s: got %s, want the stock", user, got)
		}
		for _, query := range []string{"?stock=READY", "?status=SHIPPED&stock=READY", "?status=OPEN&stock=%3Cb%3E"} {
			if page := browser.get("/orders" + query); page.status != http.StatusUnprocessableEntity || strings.Contains(page.body, "<b>") {
				t.Errorf("%s as %s: got status %d: %s", query, user, page.status, content(page.body))
			}
		}
		for _, tab := range []string{"SHIPPED", "PAID"} {
			if page := browser.get("/orders?status=OPEN&stock=READY").body; !strings.Contains(page, `href="/orders?status=`+tab+`"`) {
				t.Errorf("as %s: got tabs that keep the filter, want it removed", user)
			}
		}
	}
}

var (
	anyOrderLink = regexp.MustCompile(`<a href="/orders/(\w+)"`)
	stateWord    = regexp.MustCompile(`<span class="state \w*">([^<]*)<`)
)
