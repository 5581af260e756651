package handlers

import (
	"encoding/csv"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

var (
	orderLink    = regexp.MustCompile(`<a href="/orders/(o\d+)"`)
	shipmentLink = regexp.MustCompile(`<a href="/shipments/(so\d+)"`)
)

// ids returns the IDs in the links that match a pattern, in order and without
// duplicates.
func ids(page string, link *regexp.Regexp) []string {
	var found []string
	for _, match := range link.FindAllStringSubmatch(page, -1) {
		if !slices.Contains(found, match[1]) {
			found = append(found, match[1])
		}
	}
	return found
}

// neighbour returns the address of the next or previous page of a list, or "".
func neighbour(page, rel string) string {
	found := regexp.MustCompile(`rel="` + rel + `" href="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// ordered returns the IDs of the shop's orders for which wanted is true, newest first.
func (b *backOffice) ordered(wanted func(*store.OrderDetails) bool) []string {
	var found []string
	for i := range b.shop.Orders {
		if wanted(&b.shop.Orders[i]) {
			found = append(found, b.shop.Orders[i].ID)
		}
	}
	return found
}

func TestOrders_FilterByStatusAndDate(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	september := time.Date(2026, time.September, 1, 0, 0, 0, 0, time.UTC)
	october := september.AddDate(0, 1, 0)
	november := october.AddDate(0, 1, 0)
	oldest := func(ids []string) []string { slices.Reverse(ids); return ids }
	for _, tt := range []struct {
		query string
		want  []string
	}{
		{"", b.ordered(func(o *store.OrderDetails) bool { return !o.Date.Before(september) })},
		{"?from=2020-01-01", b.ordered(func(*store.OrderDetails) bool { return true })},
		{"?from=2020-01-01&sort=reverse", oldest(b.ordered(func(*store.OrderDetails) bool { return true }))},
		{"?from=last+month", b.ordered(func(o *store.OrderDetails) bool { return !o.Date.Before(october) && o.Date.Before(november) })},
		{"?from=last+7+days&to=last+7+days", b.ordered(func(o *store.OrderDetails) bool {
			return !o.Date.Before(time.Date(2026, time.November, 15, 0, 0, 0, 0, time.UTC))
		})},
		{"?from=last+month&to=2026-10", b.ordered(func(o *store.OrderDetails) bool { return !o.Date.Before(october) && o.Date.Before(november) })},
		{"?status=PAID", oldest(b.ordered(func(o *store.OrderDetails) bool { return o.Status == store.OrderPaid }))},
		{"?status=PAID&sort=reverse&from=nov", b.ordered(func(o *store.OrderDetails) bool {
			return o.Status == store.OrderPaid && !o.Date.Before(november)
		})},
		{"?from=2020-01-01&to=2020-12-31", nil},
	} {
		var got []string
		for address := "/orders" + tt.query; address != ""; {
			page := browser.get(address)
			if page.status != http.StatusOK {
				t.Fatalf("%s: got status %d, want 200", address, page.status)
			}
			got = append(got, ids(page.body, orderLink)...)
			address = neighbour(page.body, "next")
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("/orders%s: got %v, want %v", tt.query, got, tt.want)
		}
		rows, err := csv.NewReader(strings.NewReader(browser.get("/orders.csv" + tt.query).body)).ReadAll()
		if err != nil || len(rows) != len(tt.want)+1 {
			t.Fatalf("/orders.csv%s: got %d rows, want %d (%v)", tt.query, len(rows)-1, len(tt.want), err)
		}
		var list struct{ Rows []store.Order }
		if err := json.Unmarshal([]byte(strings.ReplaceAll(browser.get("/orders.json"+tt.query).body, `"Total":`, `"-":`)), &list); err != nil {
			t.Fatal(err)
		}
		for i, id := range tt.want {
			if rows[i+1][0] != id || list.Rows[i].ID != id {
				t.Fatalf("/orders%s: row %d: got %s as CSV and %s as JSON, want %s", tt.query, i, rows[i+1][0], list.Rows[i].ID, id)
			}
		}
	}
}

func TestOrdersAndInvoices_ShowTheirStartDate(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	for _, path := range []string{"/orders", "/invoices"} {
		if page := browser.get(path); !strings.Contains(page.body, `value="2026-09-01"`) {
			t.Errorf("%s: got no start date in the form, want 2026-09-01", path)
		}
		if page := browser.get(path + "?status=PAID"); strings.Contains(page.body, `value="2026-09-01"`) {
			t.Errorf("%s?status=PAID: got a start date, want none", path)
		}
	}
}

func TestPager_PreviousReturnsToFirstPage(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	for _, path := range []string{
		"/orders?limit=7", "/orders?status=OPEN&limit=7", "/invoices?limit=7", "/customers?limit=7", "/products?limit=7", "/shipments?limit=7",
		"/shipments?warehouse=w1", "/products/p01", "/customers/c01/orders?limit=3", "/warehouses/w1",
	} {
		first := browser.get(path)
		next := neighbour(first.body, "next")
		if next == "" {
			if path == "/customers/c01/orders?limit=3" || path == "/warehouses/w1" || strings.Contains(path, "limit") {
				t.Errorf("%s: got no next page, want one", path)
			}
			continue
		}
		second := browser.get(next)
		previous := browser.get(neighbour(second.body, "prev"))
		if second.status != http.StatusOK || previous.status != http.StatusOK || content(second.body) == content(first.body) {
			t.Errorf("%s: got statuses %d and %d or the first page twice, want 200 and another page", path, second.status, previous.status)
		}
		if strings.Contains(path, "limit") && table(previous.body) != table(first.body) {
			t.Errorf("%s: got another page as the previous one, want the first", path)
		}
	}
}

// content returns a page without its menu and footer.
func content(page string) string {
	_, rest, _ := strings.Cut(page, `<main`)
	main, _, _ := strings.Cut(rest, `</main>`)
	return main
}

// table returns the rows of the first table of a page.
func table(page string) string {
	_, rest, _ := strings.Cut(page, "<tbody>")
	rows, _, _ := strings.Cut(rest, "</tbody>")
	return rows
}

// TestCursors_AreBoundToListAndUser uses a cursor in another list, and as another user.
// Both requests must be rejected.
func TestCursors_AreBoundToListAndUser(t *testing.T) {
	b := open(t)
	manager, viewer := b.as(t, "manager"), b.as(t, "viewer")
	next := neighbour(viewer.get("/orders?status=PAID&limit=7").body, "next")
	_, cursor, _ := strings.Cut(next, "after=")
	cursor, _, _ = strings.Cut(cursor, "&")
	for _, tt := range []struct {
		user   *browser
		path   string
		status int
	}{
		{viewer, "/orders?status=PAID&limit=9&after=" + cursor, http.StatusOK},
		{manager, "/orders?status=PAID&limit=7&after=" + cursor, http.StatusBadRequest},
		{viewer, "/orders?status=OPEN&after=" + cursor, http.StatusBadRequest},
		{viewer, "/orders?status=PAID&sort=reverse&after=" + cursor, http.StatusBadRequest},
		{viewer, "/invoices?status=PAID&after=" + cursor, http.StatusBadRequest},
		{viewer, "/customers/c01/orders?after=" + cursor, http.StatusBadRequest},
		{viewer, "/customers/c01?after=" + cursor, http.StatusBadRequest},
		{viewer, "/orders?status=PAID&after=" + cursor[:len(cursor)-2], http.StatusBadRequest},
		{viewer, "/orders.csv?status=OPEN&after=" + cursor, http.StatusBadRequest},
		{viewer, "/orders?after=x", http.StatusBadRequest},
	} {
		tt.user.expect(http.MethodGet, tt.path, tt.status)
	}
}

func TestShipments_ShowManagersTheirOwn(t *testing.T) {
	b := open(t)
	own := map[string]bool{}
	for _, o := range b.shop.Orders {
		if s := o.Shipments[0]; s.WarehouseID == "w1" {
			own[s.ID] = true
		}
	}
	browser := b.as(t, "manager")
	for _, path := range []string{"/shipments", "/shipments?status=SENT", "/shipments.csv", "/shipments.json", "/warehouses/w1/shipments", "/search?q=so0002", "/orders/o0002", "/orders/o0002.json", "/orders/o0002/shipments", "/orders/o0002/packing-slip", "/shipments/so0002/packing-slip"} {
		page := browser.get(path)
		for _, id := range regexp.MustCompile(`so\d{4}`).FindAllString(strings.ReplaceAll(page.body, `value="so0002"`, ""), -1) {
			if !own[id] && !strings.Contains(path, id) {
				t.Errorf("%s: got %s for the manager of w1, want none of other warehouses", path, id)
			}
		}
	}
	if page := browser.get("/shipments"); len(ids(page.body, shipmentLink)) != store.DefaultLimit {
		t.Errorf("got %s, want the shipments of the manager's own warehouse", page.body)
	}
	// A manager without warehouses and stores sees empty lists.
	if err := b.store.AddUser(t.Context(), store.User{Name: "idle", Role: store.Manager}, password, "test"); err != nil {
		t.Fatal(err)
	}
	idle := b.as(t, "idle")
	for _, path := range []string{"/", "/shipments", "/shipments.csv", "/warehouses", "/products/p01"} {
		idle.expect(http.MethodGet, path, http.StatusOK)
	}
}

func TestCustomersAndProducts_FilterByName(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	for _, tt := range []struct {
		address string
		status  int
		want    string // text that the table must contain; "" for a table without rows
	}{
		{"/customers?email=CUSTOMER7@example.com", 200, "/customers/c07"},
		{"/customers?email=customer7", 422, ""},
		{"/customers?email=customer7@example.com&name=maria", 422, ""},
		{"/customers?name=ASA", 200, "/customers/c01"},
		{"/customers?name=maria&bucket=m", 200, "/customers/c00"},
		{"/customers?name=maria&bucket=a", 200, ""},
		{"/customers?bucket=x&name=%20", 200, ""},
		{"/customers?bucket=aa", 422, ""},
		{"/products?category=chairs", 200, "/products/p01"},
		{"/products?category=Chairs&bucket=a", 200, "/products/p05"},
		{"/products?category=Chairs&bucket=b&name=a-", 200, ""},
		{"/products?category=Chairs&bucket=0", 422, ""},
		{"/products?category=none", 200, ""},
	} {
		got := browser.get(tt.address)
		if rows := table(got.body); got.status != tt.status || !strings.Contains(rows, tt.want) || (tt.want == "") != (rows == "" || !strings.Contains(rows, `href="/customers/`) && !strings.Contains(rows, `href="/products/`)) {
			t.Errorf("%s: got status %d, want %d and %q in %s", tt.address, got.status, tt.status, tt.want, rows)
		}
	}
}

func TestDetailPages_AsJSON(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	for path, want := range map[string]string{
		"/orders/o0005.json":     `"Shipments":[{"ID":"so0005"`,
		"/invoices/io0005.json":  `"Data":"•••• 1234"`,
		"/shipments/so0005.json": `"Items":[{"ID":"o0005-0"`,
		"/customers/c05.json":    `"Orders":{"rows":[{"ID":"o0005"`,
		"/products/p05.json":     `"Stock":[{"ProductID":"p05"`,
		"/warehouses/w1.json":    `"Low":{"rows":[{"ProductID":"p00"`,
	} {
		got := browser.get(path)
		if !json.Valid([]byte(got.body)) || !strings.Contains(got.body, want) {
			t.Errorf("%s: got %s, want JSON with %s", path, got.body, want)
		}
	}
	text, err := json.Marshal(store.User{Name: "x", Hash: "$argon2id$"})
	if err != nil || strings.Contains(string(text), "argon2id") {
		t.Errorf("user as JSON: got %s (%v), want no password hash", text, err)
	}
}

// TestIDs_AreURLEscaped checks that links to records whose IDs contain special characters
// work.
func TestIDs_AreURLEscaped(t *testing.T) {
	odd := []string{"a/b", "a?b", "50%", "a b", "a%2Fb", "å,ø;=&+$@:", "..x"}
	var entities []store.Entity
	for _, id := range odd {
		entities = append(
			entities,
			&store.Product{ID: id, Name: "Odd " + id},
			&store.OrderItem{OrderID: "z", ProductID: id, CustomerID: "c01", Date: storetest.Now.AddDate(0, 0, -1), Name: "Odd"},
		)
	}
	b := open(t, entities...)
	browser := b.as(t, "viewer")
	list := browser.get("/products?name=odd").body
	for _, id := range odd {
		link := regexp.MustCompile(`<a href="([^"]*)"[^>]*>Odd ` + regexp.QuoteMeta(html.EscapeString(id)) + `<`).FindStringSubmatch(list)
		if link == nil {
			t.Fatalf("got no link to %s, want one: %s", id, list)
		}
		address := html.UnescapeString(link[1])
		for _, form := range []string{"", "/orders", "/orders.csv"} {
			browser.expect(http.MethodGet, address+form, http.StatusOK)
		}
		var product struct{ ID string }
		if err := json.Unmarshal([]byte(browser.get(address+".json").body), &product); err != nil || product.ID != id {
			t.Errorf("%s: got product %q, want %q (%v)", address, product.ID, id, err)
		}
	}
}

func TestShipments_ShowPackedByDefault(t *testing.T) {
	b := open(t)
	browser := b.as(t, "support")
	var packed []string
	for _, o := range b.shop.Orders {
		if s := o.Shipments[0]; s.Status == store.ShipmentPacked {
			packed = append(packed, s.ID)
		}
	}
	slices.Reverse(packed) // packed is sorted newest first, the list oldest first
	if got := ids(browser.get("/shipments?limit=200").body, shipmentLink); !slices.Equal(got, packed) {
		t.Errorf("got %v, want the packed shipments %v", got, packed)
	}
}

// TestShipments_FilterWarehouseByStatus lists what a warehouse has packed, but not handed
// over yet.
func TestShipments_FilterWarehouseByStatus(t *testing.T) {
	b := open(t)
	var packed []string
	for _, o := range b.shop.Orders {
		if s := o.Shipments[0]; s.Status == store.ShipmentPacked && s.WarehouseID == "w1" {
			packed = append(packed, s.ID)
		}
	}
	newest := slices.Clone(packed)
	slices.Reverse(packed) // packed is sorted newest first, the list oldest first
	if len(packed) < 2 {
		t.Fatalf("got the packed shipments %v of w1 in the test data, want several", packed)
	}
	for user, path := range map[string]string{"manager": "/shipments?status=PACKED", "support": "/shipments?status=PACKED&warehouse=w1"} {
		page := b.as(t, user).get(path + "&limit=200")
		if got := ids(page.body, shipmentLink); !slices.Equal(got, packed) {
			t.Errorf("%s: got %v, want the packed shipments %v of w1", user, got, packed)
		}
		if !strings.Contains(page.body, "oldest first") || !regexp.MustCompile(`<a href="/shipments\?[^"]*"[^>]*>All</a>`).MatchString(page.body) {
			t.Errorf("%s: got %s, want the order and a tab for all statuses", user, content(page.body))
		}
		if page := b.as(t, user).get(path + "&sort=reverse&limit=200"); !slices.Equal(ids(page.body, shipmentLink), newest) {
			t.Errorf("%s: got %v, want the list in reverse, %v", user, ids(page.body, shipmentLink), newest)
		}
	}
	if page := b.as(t, "manager").get("/shipments?status=PACKED&warehouse=w2"); page.status == http.StatusOK {
		t.Errorf("got %s, want no shipments of another manager's warehouse", content(page.body))
	}
}

func TestRawItems_AreForAdmins(t *testing.T) {
	b := open(t)
	for _, user := range users {
		browser := b.as(t, user.Name)
		for path, shown := range map[string]bool{"/orders/o0001": true, "/customers/c01": true, "/customers/c01/orders": true, "/orders": false, "/account": false} {
			want := shown && user.Role == store.Admin
			if got := strings.Contains(browser.get(path).body, `class="raw"`); got != want {
				t.Errorf("%s: %s: got raw items %v, want %v", user.Name, path, got, want)
			}
		}
	}
}

// TestLists_SayTheirOrder opens lists with several rows. The page must say how the list
// is sorted.
func TestLists_SayTheirOrder(t *testing.T) {
	browser := open(t).as(t, "admin")
	for path, want := range map[string]string{
		"/orders":                       "newest first",
		"/orders?sort=reverse":          "oldest first",
		"/orders?status=PAID":           "oldest first",
		"/invoices":                     "newest first",
		"/invoices?status=UNPAID":       "oldest first",
		"/customers":                    "sorted by name",
		"/products":                     "sorted by name",
		"/products?category=Chairs":     "sorted by name",
		"/shipments?status=SENT":        "oldest first",
		"/shipments?warehouse=w1":       "sorted by ID, highest first",
		"/subscriptions":                "sorted by the day of the next payment",
		"/stock/low":                    "sorted by warehouse and quantity",
		"/warehouses":                   "sorted by name",
		"/reference/countries":          "sorted by name",
		"/admin/events?from=2020-01-01": "newest first",
	} {
		page := browser.get(path)
		_, pager, _ := strings.Cut(page.body, `<nav class="pager"`)
		pager, _, _ = strings.Cut(pager, "</p>")
		if page.status != http.StatusOK || !strings.HasSuffix(strings.TrimSuffix(pager, "; more on the next page"), ", "+want) {
			t.Errorf("%s: got status %d and %q, want an end with %q", path, page.status, pager, want)
		}
	}
}

// TestLists_NameStatus enters statuses in addresses. Messages and filters must use the
// names of the tabs.
func TestLists_NameStatus(t *testing.T) {
	admin := open(t).as(t, "admin")
	for path, want := range map[string]string{
		"/orders?status=lost%22":       "“lost&#34;” is not a value of the filter status. Choose one of: Open, To ship, Packed or shipped, Delivered, Cancelled, Returned.",
		"/orders?status=to+ship":       `Status: <b dir="auto">To ship</b>`,
		"/orders?status=paid":          `Status: <b dir="auto">To ship</b>`,
		"/orders?stock=not_in_stock":   `Stock: <b dir="auto">Not in stock</b>`,
		"/shipments?status=lost":       "Choose one of: Packed, Shipped, Delivered, Returned, Unpacked, All.",
		"/invoices?status=partly+paid": `Status: <b dir="auto">Partly paid</b>`,
		"/invoices?status=lost":        "Partly paid",
	} {
		if got := admin.get(path).body; !strings.Contains(got, want) {
			t.Errorf("%s: got no %q: %s", path, want, content(got))
		}
	}
}
