package handlers

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestPast_OfOrder opens an order and its invoice at two earlier times. At a time before
// an edit, the page of the order must show the earlier lines and total, and no actions.
// At a time before the order was placed, the pages must say that it was added later.
func TestPast_OfOrder(t *testing.T) {
	b := open(t, longOrder()...)
	b.clock.Advance(time.Hour)
	moment := "?at=" + b.clock.Now().Format("2006-01-02T15:04")
	b.clock.Advance(time.Hour)
	support := b.as(t, "support")
	review := support.post("/orders/long/edit", editForm("look", hidden(support.get("/orders/long/edit").body)))
	form := editForm("take", hidden(review.body))
	form.Set("total", "25")
	if got := support.post("/orders/long/edit", form); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
	}
	now, then := content(support.get("/orders/long").body), content(support.get("/orders/long"+moment).body)
	for text, wanted := range map[string][2]bool{"New &lt;lamp&gt;": {true, false}, `"/products/l02`: {false, true}, "25.00": {true, false}, "20.00": {true, true}} {
		if got := [2]bool{strings.Contains(now, text), strings.Contains(then, text)}; got != wanted {
			t.Errorf("%s: on the present and the earlier page: got %v, want %v in\n%s", text, got, wanted, then)
		}
	}
	if !strings.Contains(then, "No record from") || strings.Contains(then, `method="post"`) || strings.Contains(then, "/edit") {
		t.Errorf("got no banner, or an action, in\n%s", then)
	}
	for _, path := range []string{"/invoices/ilong", "/products/l02", "/customers/c01"} {
		if !strings.Contains(then, path+strings.ReplaceAll(moment, ":", "%3A")) {
			t.Errorf("got no link to %s that keeps the moment in\n%s", path, then)
		}
	}
	state := pastJSONOf(t, support.get("/orders/long.json"+moment).body)
	if state.Known || state.Earliest["Total"] != 20.0 || len(state.Earliest["Items"].([]any)) != 20 {
		t.Errorf("got %+v, want the total 20 and 20 items", state)
	}
	if state := pastJSONOf(t, support.get("/invoices/ilong.json"+moment).body); state.Known || state.Earliest["ID"] != "ilong" || state.Earliest["Lines"] != nil {
		t.Errorf("got %+v, want the invoice without lines of its own", state)
	}
	for _, path := range []string{"/orders/long", "/invoices/ilong"} {
		if page := support.get(path + "?at=2026-11-20T10:00"); page.status != http.StatusOK || !strings.Contains(page.body, "was added later, on") || strings.Contains(content(page.body), "Lamp") {
			t.Errorf("%s: got status %d, want a page that says that it was added later: %s", path, page.status, content(page.body))
		}
	}
}

// TestPast_KeepsScopeOfOrders opens an earlier state of an order as a manager of only the
// warehouse w1. The page must not show shipments from other warehouses.
func TestPast_KeepsScopeOfOrders(t *testing.T) {
	b := open(t)
	const moment = "?at=2026-11-21T10:00"
	admin, manager := b.as(t, "admin"), b.as(t, "manager")
	for _, format := range []string{"", ".json"} {
		const shipped = "/orders/o0003" // this order was shipped from w0
		if page := admin.get(shipped + format + moment); !strings.Contains(page.body, "so0003") {
			t.Errorf("admin: got no shipment: %s", content(page.body))
		}
		if page := manager.get(shipped + format + moment); page.status != http.StatusOK || strings.Contains(page.body, "so0003") {
			t.Errorf("manager of w1: got status %d and the shipment of w0: %s", page.status, content(page.body))
		}
	}
}

// TestPast_NeedsOneRequestMore compares the table requests of each page that can show
// earlier states with those of an earlier state. The page with the earlier state may
// make one more request, or for a product as many more as there are warehouses.
func TestPast_NeedsOneRequestMore(t *testing.T) {
	b := open(t, longOrder()...)
	admin := b.as(t, "admin")
	admin.get("/views") // caches the saved views for the tabs of lists
	requests := func(path string) int {
		found := footer.FindStringSubmatch(admin.get(path).body)
		if found == nil {
			t.Fatalf("%s: got no number of requests", path)
		}
		n, _ := strconv.Atoi(found[1]) // found[1] contains only digits
		return n
	}
	paths := map[string]string{
		"/orders/:id": "/orders/o0003", "/invoices/:id": "/invoices/io0003", "/products/:id": "/products/p07", "/products/:id/stock/:warehouse": stockOfP07,
		"/warehouses/:id": "/warehouses/w1", "/customers/:id": "/customers/c01", "/accounts/:id": "/accounts/c08", "/accounts/:id/subscriptions": "/accounts/c08/subscriptions",
		"/kayaks/:id": "/kayaks/k04", "/admin/users/:id": "/admin/users/viewer",
	}
	for _, page := range pastPages() {
		path, most := paths[page.path], 1
		if page.path == "/products/:id" {
			most = len(b.shop.Warehouses)
		}
		now, then := requests(path), requests(path+"?at=2026-11-21T10:00")
		if then > now+most || then == 0 {
			t.Errorf("%s: got %d requests, want at most %d more than %d", page.path, then, most, now)
		}
	}
}
