package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestBulkChange_ShipsOrders selects an order that can be shipped, one that was already
// shipped, and one that does not exist. The preview must show what will happen to each,
// and must not ship anything. The bulk change must then ship the first order.
func TestBulkChange_ShipsOrders(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	list := admin.get("/orders?status=OPEN&limit=200").body
	for _, want := range []string{`name="order" value="open#c01"`, `value="SHIP"`, `value="pick"`, `value="slips"`, `name="all"`} {
		if !strings.Contains(list, want) {
			t.Errorf("got no %s in the list", want)
		}
	}
	if support := b.as(t, "support").get("/orders").body; strings.Contains(support, `value="SHIP"`) || !strings.Contains(support, `value="pick"`) {
		t.Error("support: got the button to ship or no button to print")
	}
	selected := admin.get("/orders/bulk?do=SHIP&order=open%23c01&order=o0001%23c02&status=OPEN")
	if selected.location != "/orders/bulk/ship?order=open%23c01&order=o0001%23c02&status=OPEN" {
		t.Errorf("got redirect to %s, want the form for both orders", selected.location)
	}
	shipped := b.shop.Orders[slices.IndexFunc(b.shop.Orders, func(o store.OrderDetails) bool { return o.ShipmentState == store.FullyShipped })]
	form := url.Values{"order": {"open#c01", shipped.ID + "#" + shipped.CustomerID, "none#none", "open#c01"}, "source": {"w0"}, "filter-status": {"OPEN"}, "once": {tokenFor("preview")}}
	preview := admin.post("/orders/bulk/ship", form)
	if preview.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", preview.status, content(preview.body))
	}
	page := admin.get(preview.location).body
	if marked := `href="/orders" aria-current="page"`; !strings.Contains(page, marked) || strings.Contains(admin.get("/bulk").body, `href="/products" aria-current="page"`) {
		t.Errorf("got no %s in the menu of the preview", marked)
	}
	for _, want := range []string{"Nothing has been packed yet. 1 of 3 orders will be packed.", "Pack 1 order<", "1 order isn&#39;t fully paid.", "Åsa 1", "Order not found.", "This order has no items left to ship.", ">To do<", "pieces of"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the preview: %s", want, content(page))
		}
	}
	state := func() store.ShipmentState {
		t.Helper()
		order, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Order(t.Context(), "open")
		if err != nil {
			t.Fatal(err)
		}
		return order.ShipmentState
	}
	if got := state(); got == store.FullyShipped {
		t.Fatalf("got the order %s after the preview, want it not shipped", got)
	}
	for range 2 {
		if got := admin.post(preview.location+"/run", url.Values{"version": {shownVersion(answer{body: page})}, "once": {tokenFor("run")}}); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	done := admin.get(preview.location).body
	if !strings.Contains(done, ": 1 packed, 2 skipped</h1>") || !strings.Contains(done, "can't be undone. Unpack the shipments instead. If they have left the warehouse, record returns.") {
		t.Errorf("got the result %s, want one shipped", content(done))
	}
	if got := state(); got != store.FullyShipped {
		t.Errorf("got the order %s, want it shipped", got)
	}
	for what, rejected := range map[string]url.Values{
		"no selection":  {"source": {"w0"}},
		"hostile ID":    {"order": {"open"}, "source": {"w0"}},
		"hostile place": {"order": {"open#c01"}, "source": {"w0#x"}},
		"hostile list":  {"all": {"yes"}, "filter-stock": {"READY"}},
	} {
		rejected.Set("once", tokenFor(what))
		if got := admin.post("/orders/bulk/ship", rejected); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: got status %d, want 422", what, got.status)
		}
	}
}

// TestBulkChange_SaysFailures ships two orders. One of them was changed after the preview,
// so its shipment fails. The title of the result must contain the number of failures.
func TestBulkChange_SaysFailures(t *testing.T) {
	b := open(t, append(openOrder(),
		&store.Order{ID: "other", CustomerID: "c01", Status: store.OrderOpen, ItemCount: 1, ShipTo: store.Address{City: "Lund"}, Version: 1},
		&store.OrderItem{OrderID: "other", ProductID: "lamp", CustomerID: "c01", Price: store.MinorUnits(100), Quantity: 1, Version: 1},
		&store.Product{ID: "lamp", Name: "Lamp", Version: 1}, &store.WarehouseItem{ProductID: "lamp", WarehouseID: "w0", Quantity: 5, Version: 1},
	)...)
	admin := b.as(t, "admin")
	preview := admin.post("/orders/bulk/ship", url.Values{"order": {"open#c01", "other#c01"}, "source": {""}, "once": {tokenFor("preview")}})
	page := admin.get(preview.location)
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	if err := shop.ShipOpenItems(t.Context(), "other", "w0", ""); err != nil {
		t.Fatal(err)
	}
	admin.post(preview.location+"/run", url.Values{"version": {shownVersion(page)}, "once": {tokenFor("run")}})
	done := admin.get(preview.location).body
	if !strings.Contains(done, "<h1>Shipments of orders: 1 packed, 1 failed</h1>") || !strings.Contains(done, "Changed after the preview.") {
		t.Errorf("got the result %s, want the failure in the title", content(done))
	}
	if list := admin.get("/bulk").body; !strings.Contains(list, ">All warehouses<") {
		t.Errorf("got a list without the warehouses: %s", content(list))
	}
}

// TestOrders_PrintsAllThatMatch checks that the packing slips and the pick list
// contain all open orders, even if the orders do not fit on one page.
func TestOrders_PrintsAllThatMatch(t *testing.T) {
	const orders = maxPrinted + 20
	all := []store.Entity{&store.Product{ID: "lamp", Name: "Lamp", Version: 1}}
	for n := range orders {
		id := fmt.Sprintf("print%02d", n)
		all = append(all,
			&store.Order{ID: id, CustomerID: "c99", Date: storetest.Now, Status: store.OrderOpen, ItemCount: 1, ShipTo: store.Address{City: "Lund"}, Version: 1},
			&store.OrderItem{OrderID: id, ProductID: "lamp", CustomerID: "c99", Price: store.MinorUnits(100), Quantity: 1, Version: 1})
	}
	b := open(t, all...)
	viewer := b.as(t, "viewer")
	if got := viewer.get("/orders/bulk?do=slips&all=yes&order=print01%23c99&status=OPEN"); got.location != "/orders/slips?all=yes&status=OPEN" {
		t.Errorf("got redirect to %s, want all that match", got.location)
	}
	for _, address := range []string{"/orders/slips?all=yes&status=OPEN", "/orders/pick?all=yes&status=OPEN&warehouse=w1"} {
		printed, parts := 0, 0
		for next := address; next != ""; parts++ {
			page := viewer.get(next)
			if page.status != http.StatusOK {
				t.Fatalf("%s: got status %d, want 200: %s", next, page.status, content(page.body))
			}
			printed += strings.Count(page.body, "<dd>print") + strings.Count(page.body, " × print")
			_, link, found := strings.Cut(page.body, `<a class="btn" href="`+strings.Split(address, "?")[0])
			if next = ""; found {
				rest, _, _ := strings.Cut(link, `"`)
				next = strings.Split(address, "?")[0] + strings.ReplaceAll(rest, "&amp;", "&")
			}
		}
		if printed != orders || parts < 2 {
			t.Errorf("%s: got %d orders in %d parts, want %d in two", address, printed, parts, orders)
		}
	}
}

// TestBulkChange_Cancels cancels a bulk change of a filtered list after the preview. Another
// manager must not be able to cancel it. The list of bulk changes must still contain the
// cancelled change, but nobody may start it.
func TestBulkChange_Cancels(t *testing.T) {
	b := open(t)
	manager := b.as(t, "manager")
	form := url.Values{"product": {"p01"}, "warehouse": {"w1"}, "reorder": {"4"}, "filter-category": {"Chairs"}, "filter-name": {"a b"}, "once": {tokenFor("preview")}}
	preview := manager.post("/products/bulk/reorder-point", form)
	page := manager.get(preview.location).body
	if !strings.Contains(page, `action="`+preview.location+`/cancel"`) || !strings.Contains(manager.get("/bulk").body, preview.location) {
		t.Fatalf("got no button to cancel: %s", content(page))
	}
	if got := b.as(t, "outsider").post(preview.location+"/cancel", url.Values{"once": {tokenFor("other")}}); got.status != http.StatusNotFound {
		t.Errorf("outsider: got status %d, want 404", got.status)
	}
	if err := b.store.AddUser(t.Context(), store.User{Name: "colleague", Role: store.Manager, Warehouses: []string{"w1"}}, password, "test"); err != nil {
		t.Fatal(err)
	}
	colleague := b.as(t, "colleague")
	if got := colleague.get(preview.location); got.status != http.StatusOK || strings.Contains(got.body, "/cancel") {
		t.Errorf("colleague: got status %d and %s, want no button to cancel", got.status, content(got.body))
	}
	if got := colleague.post(preview.location+"/cancel", url.Values{"once": {tokenFor("colleague")}}); got.status != http.StatusForbidden {
		t.Errorf("colleague: got status %d, want 403", got.status)
	}
	if got := b.as(t, "admin").get(preview.location).body; !strings.Contains(got, "/cancel") {
		t.Errorf("admin: got no button to cancel: %s", content(got))
	}
	if got := b.as(t, "admin").get("/bulk").body; !strings.Contains(got, preview.location) {
		t.Errorf("admin: got a list without the change of another user: %s", content(got))
	}
	if got := colleague.get("/bulk").body; strings.Contains(got, preview.location) || !strings.Contains(got, `href="/bulk" aria-current="page"`) {
		t.Error("colleague: got the change of another user, or no item in the menu")
	}
	for range 2 {
		if got := manager.post(preview.location+"/cancel", url.Values{"once": {tokenFor("cancel")}}); got.location != "/products?category=Chairs&name=a+b" {
			t.Errorf("got status %d to %s, want the filtered list", got.status, got.location)
		}
	}
	if got := manager.get("/bulk").body; !strings.Contains(got, preview.location) || !strings.Contains(got, ">Cancelled<") {
		t.Errorf("got a list without the cancelled change: %s", content(got))
	}
	if got := manager.get(preview.location).body; !strings.Contains(got, ">Cancelled<") || strings.Contains(got, ">To do<") {
		t.Errorf("got rows that are not cancelled: %s", content(got))
	}
	events := b.as(t, "admin").get("/admin/events?about=" + url.QueryEscape("bulk#"+strings.TrimPrefix(preview.location, "/bulk/"))).body
	if !strings.Contains(events, "Bulk change cancelled") || !strings.Contains(events, `<a href="`+preview.location+`" dir="auto">Bulk change</a>`) {
		t.Errorf("got no event with a link to the change: %s", content(events))
	}
	if got := manager.post(preview.location+"/run", url.Values{"version": {"4"}, "once": {tokenFor("run")}}); got.status != http.StatusConflict {
		t.Errorf("got status %d for the start of a cancelled change, want 409", got.status)
	}
}

// TestBulkChange_ListsManyWarehousesInBackground previews a shipment on a server without
// background jobs. A preview that compares many warehouses must say that it is being
// prepared. A preview for one warehouse must be complete at once.
func TestBulkChange_ListsManyWarehousesInBackground(t *testing.T) {
	entities := openOrder()
	for n := range shipsAtOnce {
		entities = append(entities, &store.Warehouse{ID: fmt.Sprintf("x%d", n), Name: "Extra", Version: 1})
	}
	b := open(t, entities...)
	if err := b.site.jobs.Close(); err != nil {
		t.Fatal(err)
	}
	admin := b.as(t, "admin")
	for source, want := range map[string]string{"": "The preview is being prepared.", "w0": "Nothing has been packed yet."} {
		preview := admin.post("/orders/bulk/ship", url.Values{"order": {"open#c01"}, "source": {source}, "once": {tokenFor("from" + source)}})
		if page := admin.get(preview.location).body; !strings.Contains(page, want) {
			t.Errorf("from %q: got no %q: %s", source, want, content(page))
		}
	}
}
