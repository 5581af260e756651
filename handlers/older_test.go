package handlers

import (
	"encoding/csv"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/key"
)

// oldBusiness returns orders from the last century, as after an import. The newest one
// is o30 from 30 May 1998.
func oldBusiness() (entities []store.Entity) {
	for n := 1; n <= 30; n++ {
		id := fmt.Sprintf("o%d", n)
		date := time.Date(1998, time.May, n, 12, 0, 0, 0, time.UTC)
		entities = append(
			entities,
			&store.Order{ID: id, CustomerID: "c1", CustomerName: "Kim", Date: date, Status: store.OrderDelivered, ItemCount: 1, Total: store.MinorUnits(100), PaymentState: store.InvoicePaid, ShipmentState: store.FullyShipped},
			&store.OrderItem{OrderID: id, ProductID: "p1", CustomerID: "c1", Date: date, Quantity: 1, Shipped: 1, Price: store.MinorUnits(100)},
			&store.Invoice{ID: "i" + id, OrderID: id, CustomerID: "c1", Date: date, Amount: store.MinorUnits(100), Status: store.InvoicePaid},
			&store.Shipment{ID: "s" + id, OrderID: id, WarehouseID: "w1", Date: date, Status: store.ShipmentDelivered},
		)
	}
	return entities
}

// TestLists_LinkOlderRows opens lists that are empty, because all their rows are older
// than the shown days or have another status. Pages must link to these rows, and files
// must name them in the header Link. The number of table requests is limited.
func TestLists_LinkOlderRows(t *testing.T) {
	t.Parallel()
	b := serveOnly(t, oldBusiness()...)
	browser := b.as(t, "viewer")
	for _, tt := range []struct{ address, says, link, row string }{
		{"/orders", "There are no orders since 1 Sep 2026.", "/orders?to=1998-05-30", "/orders/o30"},
		{"/orders?limit=5", "There are no orders since 1 Sep 2026.", "/orders?limit=5&to=1998-05-30", "/orders/o30"},
		{"/orders?from=1990-01-01", "There are no orders in this part of the list.", "/orders?from=1990-01-01&to=1998-05-30", "/orders/o30"},
		{"/orders?to=2020-01-01", "There are no orders in this part of the list.", "/orders?to=1998-05-30", "/orders/o30"},
		{"/invoices", "There are no invoices since 1 Sep 2026.", "/invoices?to=1998-05-30", "/invoices/io30"},
		{"/invoices?from=1990-01-01", "There are no invoices in this part of the list.", "/invoices?from=1990-01-01&to=1998-05-30", "/invoices/io30"},
		{"/shipments", "There are no packed shipments.", "/shipments?status=DELIVERED&sort=reverse", "/shipments/so30"},
	} {
		before := b.db.requests.Load()
		page := browser.get(tt.address)
		if n := b.db.requests.Load() - before; n > 48+6*key.DefaultShards {
			t.Errorf("%s: got %d requests, want at most %d", tt.address, n, 48+6*key.DefaultShards)
		}
		if !strings.Contains(page.body, tt.says) || !strings.Contains(html.UnescapeString(page.body), `href="`+tt.link+`"`) {
			t.Errorf("%s: got %q, want %q and a link to %s", tt.address, content(page.body), tt.says, tt.link)
		}
		if older := browser.get(tt.link); !strings.Contains(older.body, `href="`+tt.row+`"`) {
			t.Errorf("%s: got no link to %s", tt.link, tt.row)
		}
	}
	for _, tt := range []struct{ path, link, file string }{
		{"/orders", "/orders%s?to=1998-05-30", "orders-from-2026-09-01-to-2026-11-21"},
		{"/invoices", "/invoices%s?to=1998-05-30", "invoices-from-2026-09-01-to-2026-11-21"},
		{"/shipments", "/shipments%s?status=DELIVERED&sort=reverse", "shipments-2026-11-21"},
	} {
		for _, format := range []string{".csv", ".json"} {
			file := browser.get(tt.path + format)
			want := "<" + fmt.Sprintf(tt.link, format) + `>; rel="prev-archive"`
			if got := file.header.Get("Link"); file.status != http.StatusOK || got != want {
				t.Errorf("%s%s: got %d, Link %q, want %q", tt.path, format, file.status, got, want)
			}
			if got := file.header.Get("Content-Disposition"); format == ".csv" && !strings.Contains(got, tt.file+".csv") {
				t.Errorf("%s.csv: got %q, want the name %s", tt.path, got, tt.file)
			}
		}
	}
}

// TestLists_OfNewBusiness opens lists of a business without any rows. The lists must say
// that there are no rows yet, and must not link to older rows.
func TestLists_OfNewBusiness(t *testing.T) {
	t.Parallel()
	empty := serveOnly(t).as(t, "viewer")
	for path, want := range map[string]string{"/orders": "There are no orders yet.", "/invoices": "There are no invoices yet.", "/shipments": "There are no shipments yet."} {
		if page := empty.get(path); !strings.Contains(page.body, want) {
			t.Errorf("%s: got %q, want %q", path, content(page.body), want)
		}
		if got := empty.get(path + ".csv").header.Get("Link"); got != "" {
			t.Errorf("%s.csv: got Link %q, want none", path, got)
		}
	}
}

// TestLists_MoneyInFiles downloads products. CSV must contain prices with the decimals
// of the currency. JSON must contain prices as numbers.
func TestLists_MoneyInFiles(t *testing.T) {
	admin := open(t).as(t, "admin")
	header, rows, _ := strings.Cut(admin.get("/products.csv").body, "\r\n")
	price := slices.Index(strings.Split(header, ","), "Price")
	if price < 0 || rows == "" {
		t.Fatalf("got header %s and rows %.100s, want a price", header, rows)
	}
	records, err := csv.NewReader(strings.NewReader(rows)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records {
		if _, decimals, _ := strings.Cut(record[price], "."); len(decimals) != 2 {
			t.Errorf("got the price %s, want two decimals", record[price])
		}
	}
	if body := admin.get("/products.json").body; !regexp.MustCompile(`"Price":[1-9]`).MatchString(body) {
		t.Errorf("got %.200s, want prices as numbers", body)
	}
}
