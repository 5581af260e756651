package handlers

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestForm_KeepsInputAfterConflict submits two forms for the same version of a
// customer. The second form must show the user's input next to the saved values, and it
// must be possible to submit it again.
func TestForm_KeepsInputAfterConflict(t *testing.T) {
	b := open(t)
	first, second := b.as(t, "admin"), b.as(t, "admin")
	form := url.Values{"name": {"Åsa Ek"}, "email": {"one@example.com"}, "phones": {"0315550100\r\n0315550111"}, "version": {"1"}, "once": {tokenFor("first")}}
	if got := first.post("/customers/c01/edit", form); got.status != http.StatusSeeOther {
		t.Fatalf("first user: got status %d, want 303: %s", got.status, got.body)
	}
	form = url.Values{"name": {"Åsa Berg"}, "email": {"one@example.com"}, "phones": {"0315550100\r\n0315550111"}, "version": {"1"}, "once": {tokenFor("second")}}
	got := second.post("/customers/c01/edit", form)
	if got.status != http.StatusConflict {
		t.Fatalf("second user: got status %d, want 409: %s", got.status, got.body)
	}
	for _, want := range []string{`value="Åsa Berg"`, "Åsa Ek", "Someone else changed this first", `name="version" value="2"`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("got no %s in the form, want it:\n%s", want, got.body)
		}
	}
	if strings.Contains(got.body, `id="field-phones-now"`) {
		t.Error("got the saved phone numbers, want none, because they equal the entered ones")
	}
	form.Set("version", "2")
	if got := second.post("/customers/c01/edit", form); got.status != http.StatusSeeOther {
		t.Errorf("second submission: got status %d, want 303: %s", got.status, got.body)
	}
}

// TestPlaceOrder_KeepsInput adds a line and submits invalid values. The page must show
// the errors and keep the values. The program must place the order only if its total is
// the one that the page showed.
func TestPlaceOrder_KeepsInput(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	form := url.Values{"customer": {"nobody"}, "product-1": {"SKU-7"}, "quantity-1": {"two"}, "product-2": {""}, "quantity-2": {""}}
	send := func(do string, status int, wants ...string) string {
		t.Helper()
		form.Set("do", do)
		got := admin.post("/orders/new", form)
		if got.status != status {
			t.Errorf("%s: got status %d, want %d", do, got.status, status)
		}
		for _, want := range wants {
			if !strings.Contains(got.body, want) {
				t.Errorf("%s: got no %s on the page, want it:\n%s", do, want, got.body)
			}
		}
		return got.location
	}
	send("add", http.StatusOK, `name="product-3"`, `value="SKU-7"`, `value="two"`)
	send("look", http.StatusUnprocessableEntity, "No customer found", "Enter a whole number from 1 to 9,999,999.", `value="nobody"`)
	form.Set("customer", "customer7@example.com")
	form.Set("quantity-1", "2")
	send("look", http.StatusOK, "€2.14", `name="total" value="2.14"`, "Place order")
	form.Set("total", "2.12")
	send("take", http.StatusConflict, "Prices have changed", "€2.14")
	form.Set("total", "2.14")
	if location := send("take", http.StatusSeeOther); !strings.HasPrefix(location, "/orders/") {
		t.Errorf("got redirect to %s, want the order", location)
	}
}

// TestPlaceOrder_FindsNames enters a family name and the name of a product, without
// JavaScript. If several records match, the form must show them as choices. The order must
// contain the chosen records.
func TestPlaceOrder_FindsNames(t *testing.T) {
	b := open(
		t,
		&store.Customer{ID: "c90", Name: "Maja Nyström " + evil, Phones: []string{"+46 70 555 01 00"}, Address: store.Address{City: "Lund"}, Created: storetest.Now, Version: 1},
		&store.Customer{ID: "c91", Name: "Olle Nyström", Created: storetest.Now, Version: 1},
		&store.Product{ID: "p90", Name: "Classic bar stool", Price: store.MinorUnits(4950), Version: 1},
	)
	support := b.as(t, "support")
	send := func(form url.Values) answer {
		form.Set("once", tokenFor("names"))
		got := support.post("/orders/new", form)
		if executable(got.body) != "" {
			t.Errorf("got a page that runs %s", executable(got.body))
		}
		return got
	}
	got := send(url.Values{"customer": {"nystrom"}, "product-1": {"classic bar stool"}, "quantity-1": {"2"}, "do": {"look"}})
	for _, want := range []string{"Choose the customer below", `name="customer-id" value="c90"`, `value="c91"`, "46 70 555 01 00", `name="product-1-id" value="p90" checked`} {
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, want) {
			t.Errorf("ambiguous: got status %d without %s: %s", got.status, want, content(got.body))
		}
	}
	form := url.Values{
		"customer": {"nystrom"}, "customer-was": {"nystrom"}, "customer-id": {"c91"}, "quantity-1": {"2"},
		"product-1": {"Classic bar stool"}, "product-1-was": {"Classic bar stool"}, "product-1-id": {"p90"}, "do": {"look"},
	}
	if got := send(form); got.status != http.StatusOK || !strings.Contains(got.body, "Olle Nyström") || !strings.Contains(got.body, `name="customer-id" value="c91"`) {
		t.Fatalf("chosen: got status %d: %s", got.status, content(got.body))
	}
	form.Set("do", "take")
	form.Set("total", "99")
	placed := send(form)
	if again := send(form); placed.location == "" || again.location != placed.location {
		t.Fatalf("got status %d, twice to %q and %q: %s", placed.status, placed.location, again.location, content(placed.body))
	}
	if page := support.get(placed.location); !strings.Contains(page.body, "Olle Nyström") {
		t.Errorf("got order %s, want that of Olle Nyström", content(page.body))
	}
	if page := support.get("/orders/new?customer=c91"); !strings.Contains(page.body, `value="Olle Nyström"`) {
		t.Errorf("got form %s, want the customer's name", content(page.body))
	}
}

// TestCopyOrder_WithAnotherAddress copies an order that has another delivery address
// than the customer. The new order must have the customer's address, and the form must
// say so.
func TestCopyOrder_WithAnotherAddress(t *testing.T) {
	address := store.Address{Street: "Storgatan", City: "Lund " + evil}
	order := func(id, customer string, to store.Address) *store.Order {
		return &store.Order{ID: id, CustomerID: customer, Date: storetest.Now, Status: store.OrderDelivered, ShipTo: to, Version: 1}
	}
	b := open(
		t,
		&store.Customer{ID: "lund", Name: "Kim", Address: address, Version: 1},
		order("same", "lund", address), order("other", "lund", store.Address{City: "Malmö " + evil}), order("unknown", "none", address),
	)
	for id, want := range map[string]string{"same": "", "other": "Malmö", "unknown": ""} {
		page := b.as(t, "support").get("/orders/new?copy=" + id)
		if page.status != http.StatusOK || executable(page.body) != "" {
			t.Errorf("%s: got status %d, want 200, or a page that runs text: %s", id, page.status, content(page.body))
		}
		if says := strings.Contains(page.body, "had another delivery address"); says != (want != "") || !strings.Contains(page.body, want) {
			t.Errorf("%s: got form %s, want the address %q", id, content(page.body), want)
		}
	}
	support := b.as(t, "support")
	page := support.get("/orders/new?copy=other")
	form := formIn(page)
	form.Set("do", "add")
	action := html.UnescapeString(draftForm.FindStringSubmatch(page.body)[1])
	for name, got := range map[string]answer{"with a draft": support.get(support.post(action, form).location), "without a draft": support.post("/orders/new?copy=other", form)} {
		if !strings.Contains(got.body, "Copied from order") || !strings.Contains(got.body, "had another delivery address") {
			t.Errorf("another line, %s: got form %s, want the copied order and its address", name, content(got.body))
		}
	}
	form.Set("customer-id", "c01")
	if got := support.post(action, form).location; strings.Contains(support.get(got).body, "had another delivery address") {
		t.Error("another customer: got the address of the copied order, want none")
	}
}

// TestCopyOrder copies an order with hostile names and an archived product. The form must
// reject the archived product. The copy must have today's prices.
func TestCopyOrder(t *testing.T) {
	line := func(product, name string, quantity int) *store.OrderItem {
		return &store.OrderItem{OrderID: "old", ProductID: product, CustomerID: "c01", Date: storetest.Now.AddDate(-1, 0, 0), Name: name, Price: store.MinorUnits(1), Quantity: quantity, Shipped: quantity, Version: 1}
	}
	b := open(
		t,
		&store.Order{ID: "old", CustomerID: "c01", CustomerName: "Åsa " + evil, Date: storetest.Now.AddDate(-1, 0, 0), Status: store.OrderDelivered, Total: store.MinorUnits(3), ItemCount: 3, Version: 1},
		line("p10", "Lamp "+evil, 2), line("gone", "Gone", 1),
		&store.Product{ID: "gone", Name: "Gone", Price: store.MinorUnits(100), Archived: true, Version: 1},
	)
	support := b.as(t, "support")
	if page := support.get("/orders/old").body; !strings.Contains(page, `href="/orders/new?copy=old"`) {
		t.Errorf("got order %s, want a link to copy it", content(page))
	}
	page := support.get("/orders/new?copy=old")
	if executable(page.body) != "" || !strings.Contains(page.body, "Copied from order") {
		t.Errorf("got a form that runs text, or that does not name the copied order: %s", content(page.body))
	}
	form := url.Values{"do": {"look"}}
	for _, found := range regexp.MustCompile(`<input class="ctl[^"]*"[^>]* name="((?:customer|product|quantity)[^"]*)"[^>]* value="([^"]*)"`).FindAllStringSubmatch(page.body, -1) {
		form.Set(found[1], html.UnescapeString(found[2]))
		if !strings.HasPrefix(found[1], "quantity") {
			form.Set(found[1]+"-was", form.Get(found[1]))
		}
	}
	for name, value := range hidden(page.body) {
		form.Set(name, html.UnescapeString(value))
	}
	for _, found := range regexp.MustCompile(`name="([^"]*-id)" value="([^"]*)" checked`).FindAllStringSubmatch(page.body, -1) {
		form.Set(found[1], found[2])
	}
	if got := support.post("/orders/new", form); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "archived") {
		t.Fatalf("got status %d with %v: %s, want an error at the archived product", got.status, form, content(got.body))
	}
	for name := range form {
		if strings.HasSuffix(name, "-1") && form.Get(name+"-id") == "gone" {
			form.Set(name, "")
			form.Set(strings.Replace(name, "product", "quantity", 1), "")
		}
	}
	if got := support.post("/orders/new", form); got.status != http.StatusOK || !strings.Contains(got.body, `name="total" value="2.2"`) {
		t.Errorf("got status %d with %v: %s, want the price of today", got.status, form, content(got.body))
	}
	if strings.Contains(page.body, "had another delivery address") {
		t.Errorf("got form %s, want no delivery address, because the order has none", content(page.body))
	}
	if got := support.get("/orders/new?copy=none"); got.status != http.StatusNotFound {
		t.Errorf("got status %d for a missing order, want 404", got.status)
	}
	if got := b.as(t, "viewer").get("/orders/new?copy=old"); got.status != http.StatusForbidden {
		t.Errorf("got status %d for a viewer, want 403", got.status)
	}
}
