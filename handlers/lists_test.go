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

// ids are what the links of a page name, each once, in the page's order.
func ids(page string, link *regexp.Regexp) []string {
	var found []string
	for _, match := range link.FindAllStringSubmatch(page, -1) {
		if !slices.Contains(found, match[1]) {
			found = append(found, match[1])
		}
	}
	return found
}

// neighbour is the address that the page's link to the next or the previous
// rows leads to.
func neighbour(page, rel string) string {
	found := regexp.MustCompile(`rel="` + rel + `" href="([^"]*)"`).FindStringSubmatch(page)
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// ordered are the orders of the fixture that a list should hold: its orders
// come newest first.
func (b *backOffice) ordered(wanted func(*store.OrderDetails) bool) []string {
	var found []string
	for i := range b.shop.Orders {
		if wanted(&b.shop.Orders[i]) {
			found = append(found, b.shop.Orders[i].ID)
		}
	}
	return found
}

func TestOrdersAreFilteredByStatusAndDays(t *testing.T) {
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
				t.Fatalf("%s: %d", address, page.status)
			}
			got = append(got, ids(page.body, orderLink)...)
			address = neighbour(page.body, "next")
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("/orders%s pages through %v, want %v", tt.query, got, tt.want)
		}
		rows, err := csv.NewReader(strings.NewReader(browser.get("/orders.csv" + tt.query).body)).ReadAll()
		if err != nil || len(rows) != len(tt.want)+1 {
			t.Fatalf("/orders.csv%s has %d rows, want %d (%v)", tt.query, len(rows)-1, len(tt.want), err)
		}
		var list struct{ Rows []store.Order }
		if err := json.Unmarshal([]byte(strings.ReplaceAll(browser.get("/orders.json"+tt.query).body, `"Total":`, `"-":`)), &list); err != nil {
			t.Fatal(err)
		}
		for i, id := range tt.want {
			if rows[i+1][0] != id || list.Rows[i].ID != id {
				t.Fatalf("/orders%s: row %d is %s as CSV, %s as JSON, %s on the page", tt.query, i, rows[i+1][0], list.Rows[i].ID, id)
			}
		}
	}
}

func TestListOfEverythingSaysHowFarItReachesBack(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	for _, path := range []string{"/orders", "/invoices"} {
		if page := browser.get(path); !strings.Contains(page.body, `value="2026-09-01"`) {
			t.Errorf("%s does not say since when", path)
		}
		if page := browser.get(path + "?status=PAID"); strings.Contains(page.body, `value="2026-09-01"`) {
			t.Errorf("%s of a status is narrowed to the last months", path)
		}
	}
}

func TestNextAndPreviousMeet(t *testing.T) {
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
				t.Errorf("%s: nothing follows", path)
			}
			continue
		}
		second := browser.get(next)
		back := neighbour(second.body, "prev")
		again := browser.get(back)
		if second.status != http.StatusOK || again.status != http.StatusOK || content(second.body) == content(first.body) {
			t.Errorf("%s: next is %d, previous %d", path, second.status, again.status)
		}
		if strings.Contains(path, "limit") && table(again.body) != table(first.body) {
			t.Errorf("%s: previous of next is another page", path)
		}
	}
}

// content is a page without its menu and its footer.
func content(page string) string {
	_, rest, _ := strings.Cut(page, `<main`)
	main, _, _ := strings.Cut(rest, `</main>`)
	return main
}

// table is the first table of a page.
func table(page string) string {
	_, rest, _ := strings.Cut(page, "<tbody>")
	rows, _, _ := strings.Cut(rest, "</tbody>")
	return rows
}

// TestPlacesBelongToTheirList takes a link to a next page elsewhere.
func TestPlacesBelongToTheirList(t *testing.T) {
	b := open(t)
	manager, viewer := b.as(t, "manager"), b.as(t, "viewer")
	next := neighbour(viewer.get("/orders?status=PAID&limit=7").body, "next")
	_, place, _ := strings.Cut(next, "after=")
	place, _, _ = strings.Cut(place, "&")
	for _, tt := range []struct {
		who    *browser
		path   string
		status int
	}{
		{viewer, "/orders?status=PAID&limit=9&after=" + place, http.StatusOK},
		{manager, "/orders?status=PAID&limit=7&after=" + place, http.StatusBadRequest},
		{viewer, "/orders?status=OPEN&after=" + place, http.StatusBadRequest},
		{viewer, "/orders?status=PAID&sort=reverse&after=" + place, http.StatusBadRequest},
		{viewer, "/invoices?status=PAID&after=" + place, http.StatusBadRequest},
		{viewer, "/customers/c01/orders?after=" + place, http.StatusBadRequest},
		{viewer, "/customers/c01?after=" + place, http.StatusBadRequest},
		{viewer, "/orders?status=PAID&after=" + place[:len(place)-2], http.StatusBadRequest},
		{viewer, "/orders.csv?status=OPEN&after=" + place, http.StatusBadRequest},
		{viewer, "/orders?after=x", http.StatusBadRequest},
	} {
		tt.who.expect(http.MethodGet, tt.path, tt.status)
	}
}

func TestManagersSeeTheirOwnShipments(t *testing.T) {
	b := open(t)
	own := map[string]bool{}
	for _, o := range b.shop.Orders {
		if p := o.Shipments[0]; p.WarehouseID == "w1" {
			own[p.ID] = true
		}
	}
	browser := b.as(t, "manager")
	for _, path := range []string{"/shipments", "/shipments?status=SENT", "/shipments.csv", "/shipments.json", "/warehouses/w1/shipments", "/search?q=so0002", "/orders/o0002", "/orders/o0002.json", "/orders/o0002/shipments", "/orders/o0002/packing-slip"} {
		page := browser.get(path)
		for _, id := range regexp.MustCompile(`so\d{4}`).FindAllString(strings.ReplaceAll(page.body, `value="so0002"`, ""), -1) {
			if !own[id] && !strings.Contains(path, id) {
				t.Errorf("%s: the manager of w1 sees %s", path, id)
			}
		}
	}
	if page := browser.get("/shipments"); len(ids(page.body, shipmentLink)) != store.DefaultLimit || strings.Contains(page.body, "status=SENT") {
		t.Errorf("the list of a manager is not that of their own warehouse: %s", page.body)
	}
	// Who is in charge of nothing sees nothing, and is told so.
	if err := b.store.AddUser(t.Context(), store.User{Name: "idle", Role: store.Manager}, password, "test"); err != nil {
		t.Fatal(err)
	}
	idle := b.as(t, "idle")
	for _, path := range []string{"/", "/shipments", "/shipments.csv", "/warehouses", "/products/p01"} {
		idle.expect(http.MethodGet, path, http.StatusOK)
	}
}

func TestCustomersAndProductsByName(t *testing.T) {
	b := open(t)
	browser := b.as(t, "viewer")
	for _, tt := range []struct {
		address string
		status  int
		want    string // in the table; "" is that nothing is
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
			t.Errorf("%s: %d, want %d with %q: %s", tt.address, got.status, tt.status, tt.want, rows)
		}
	}
}

func TestThingsAsJSON(t *testing.T) {
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
			t.Errorf("%s is %s", path, got.body)
		}
	}
	text, err := json.Marshal(store.User{Name: "x", Hash: "$argon2id$"})
	if err != nil || strings.Contains(string(text), "argon2id") {
		t.Errorf("a user as JSON is %s (%v)", text, err)
	}
}

// TestIDsMayHoldWhatMeansSomethingInAnAddress looks for things by their links.
func TestIDsMayHoldWhatMeansSomethingInAnAddress(t *testing.T) {
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
			t.Fatalf("the list has no link to %s: %s", id, list)
		}
		address := html.UnescapeString(link[1])
		for _, form := range []string{"", "/orders", "/orders.csv"} {
			browser.expect(http.MethodGet, address+form, http.StatusOK)
		}
		var product struct{ ID string }
		if err := json.Unmarshal([]byte(browser.get(address+".json").body), &product); err != nil || product.ID != id {
			t.Errorf("%s leads to %q, want %q (%v)", address, product.ID, id, err)
		}
	}
}

func TestShipmentsThatWaitComeFirst(t *testing.T) {
	b := open(t)
	browser := b.as(t, "support")
	var packed []string
	for _, o := range b.shop.Orders {
		if p := o.Shipments[0]; p.Status == store.ShipmentPacked {
			packed = append(packed, p.ID)
		}
	}
	slices.Reverse(packed) // oldest first
	if got := ids(browser.get("/shipments?limit=200").body, shipmentLink); !slices.Equal(got, packed) {
		t.Errorf("without a filter the list is %v, want those that are packed: %v", got, packed)
	}
}

// TestRawItemsAreForAdmins looks for the items as the table has them.
func TestRawItemsAreForAdmins(t *testing.T) {
	b := open(t)
	for _, user := range users {
		browser := b.as(t, user.Name)
		for path, shown := range map[string]bool{"/orders/o0001": true, "/customers/c01": true, "/customers/c01/orders": true, "/orders": false, "/account": false} {
			want := shown && user.Role == store.Admin
			if got := strings.Contains(browser.get(path).body, `class="raw"`); got != want {
				t.Errorf("%s sees raw items on %s: %v", user.Name, path, got)
			}
		}
	}
}
