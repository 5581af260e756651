package handlers

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// longOrder returns an unpaid order with 20 lines of one piece each, and the stock of
// these products in w1.
func longOrder() []store.Entity {
	all := []store.Entity{
		&store.Order{
			ID: "long", CustomerID: "c01", ShipTo: store.Address{City: "Kalmar"}, Date: storetest.Now, Status: store.OrderOpen, ItemCount: 20, Total: store.MinorUnits(20_00),
			PaymentState: store.InvoiceUnpaid, ShipmentState: store.NothingShipped, Version: 1,
		},
		&store.Invoice{ID: "ilong", OrderID: "long", CustomerID: "c01", Date: storetest.Now, Amount: store.MinorUnits(20_00), Status: store.InvoiceUnpaid, Version: 1},
		&store.Product{ID: "new", Name: "New <lamp>", SKU: "NEW", Price: store.MinorUnits(5_00), Version: 1},
	}
	for n := 1; n <= 20; n++ {
		id := fmt.Sprintf("l%02d", n)
		all = append(all, &store.Product{ID: id, Name: "Lamp " + id, Price: store.MinorUnits(9_00), Version: 1},
			&store.WarehouseItem{ProductID: id, WarehouseID: "w1", Name: "Lamp " + id, Quantity: 5, Version: 1},
			&store.OrderItem{OrderID: "long", ProductID: id, CustomerID: "c01", Date: storetest.Now, Name: "Lamp " + id, Price: store.MinorUnits(1_00), Quantity: 1, Version: 1})
	}
	return all
}

// editForm returns a form that orders two pieces of the first product, removes the second
// product, and adds one piece of a new one.
func editForm(button string, fields map[string]string) url.Values {
	return url.Values{
		"product-1": {"l01"}, "quantity-1": {"2"}, "product-2": {"l02"}, "quantity-2": {"0"},
		"product-21": {"NEW"}, "quantity-21": {"1"}, "do": {button}, "version": {fields["version"]}, "once": {fields["once"]},
	}
}

// TestOrder_ShowsEarlierCustomerName renames the customer of an order. The page of the order
// must also show the name that was copied to the order, but not if both names are equal.
func TestOrder_ShowsEarlierCustomerName(t *testing.T) {
	admin := open(t, openOrder()...).as(t, "admin")
	for name, want := range map[string]bool{"Åsa Renamed": true, "Åsa 1": false} {
		form := formIn(admin.get("/customers/c01/edit"))
		form.Set("name", name)
		if got := admin.post("/customers/c01/edit", form); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
		page := admin.get("/orders/open").body
		if got := strings.Contains(page, "Name when the order was placed: <bdi>Åsa 1</bdi>"); got != want || !strings.Contains(page, name) {
			t.Errorf("customer %s: got the earlier name %v, want %v: %s", name, got, want, content(page))
		}
	}
}

// TestEditOrder_ReviewsAndSaves checks that an order can be edited without
// JavaScript, and that the last form changes it once, even if it is submitted twice.
func TestEditOrder_ReviewsAndSaves(t *testing.T) {
	b := open(t, longOrder()...)
	support := b.as(t, "support")
	page := support.get("/orders/long")
	if !strings.Contains(page.body, "/orders/long/edit") || !strings.Contains(page.body, "/orders/long/address/edit") {
		t.Error("got no links to edit the order, want them")
	}
	form := editForm("look", hidden(support.get("/orders/long/edit").body))
	review := support.post("/orders/long/edit", form)
	for _, want := range []string{"New &lt;lamp&gt;", "25.00", "Balance due", "Save changes", "1 more ordered, 0 available"} {
		if review.status != http.StatusOK || !strings.Contains(review.body, want) {
			t.Errorf("review: got status %d, want %q: %s", review.status, want, review.body)
		}
	}
	form = editForm("take", hidden(review.body))
	form.Set("total", "25")
	for range 2 {
		if got := support.post("/orders/long/edit", form); got.status != http.StatusSeeOther || got.location != "/orders/long" {
			t.Fatalf("got status %d to %s, want 303 to %s: %s", got.status, got.location, "/orders/long", got.body)
		}
	}
	page = support.get("/orders/long")
	for _, want := range []string{"Order edited", "total from €20.00 to €25.00, from Lamp l01 1, Lamp l02 1, New &lt;lamp&gt; –", "to Lamp l01 2, Lamp l02 –, New &lt;lamp&gt; 1"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("got no %q on the page of the order: %s", want, page.body)
		}
	}
	if n := strings.Count(page.body, "Order edited"); n != 1 {
		t.Errorf("got %d history entries, want 1", n)
	}
}

// TestEditOrder_KeepsDraft adds a line and reviews an edited order. The address of the form
// must then show the entered values and the version, until the order is saved.
func TestEditOrder_KeepsDraft(t *testing.T) {
	b := open(t, longOrder()...)
	support := b.as(t, "support")
	page := support.get("/orders/long/edit")
	found := draftForm.FindStringSubmatch(page.body)
	if found == nil {
		t.Fatalf("got no form: %s", content(page.body))
	}
	action := html.UnescapeString(found[1])
	if got := support.post(action, editForm("add", hidden(page.body))); got.status != http.StatusSeeOther || got.location != action {
		t.Fatalf("another line: got status %d to %q, want 303 to %q: %s", got.status, got.location, action, content(got.body))
	}
	added := support.get(action)
	if got := formIn(added); got.Get("quantity-1") != "2" || got.Get("quantity-2") != "0" || got.Get("product-21") != "NEW" || !got.Has("product-22") {
		t.Errorf("another line: got %v, want the entered values and another line", got)
	}
	review := support.post(action, editForm("look", hidden(added.body)))
	back := formIn(support.get(action))
	if back.Get("quantity-1") != "2" || back.Get("product-21") != "NEW" || back.Get("version") != "1" {
		t.Errorf("after the review: got %v, want the entered values", back)
	}
	form := editForm("take", hidden(review.body))
	form.Set("total", "25")
	if got := support.post(action, form); got.status != http.StatusSeeOther {
		t.Fatalf("save: got status %d, want 303: %s", got.status, content(got.body))
	}
	if got := formIn(support.get(action)); got.Get("version") != "2" {
		t.Errorf("after the order was saved: got %v, want the saved order", got)
	}
}

// TestEditOrder_ShipsMeanwhile edits an order of 20 lines while a shipment is created
// from the same version. The form that is submitted second must be rejected with a
// conflict. The page of the edit must show both changes. The page of the shipment must show
// the edited lines.
func TestEditOrder_ShipsMeanwhile(t *testing.T) {
	ship := func(b *browser, fields map[string]string) answer {
		return b.post("/orders/long/ship", url.Values{
			"product-1": {"l01"}, "quantity-1": {"1"}, "product-2": {"l02"}, "quantity-2": {"1"}, "warehouse": {"w1"},
			"version": {fields["version"]}, "once": {fields["once"]},
		})
	}
	t.Run("shipped first", func(t *testing.T) {
		b := open(t, longOrder()...)
		support, admin := b.as(t, "support"), b.as(t, "admin")
		fields := hidden(support.post("/orders/long/edit", editForm("look", hidden(support.get("/orders/long/edit").body))).body)
		if got := ship(admin, hidden(admin.get("/orders/long/ship").body)); got.status != http.StatusSeeOther {
			t.Fatal(got.status, got.body)
		}
		form := editForm("take", fields)
		form.Set("total", "25")
		got := support.post("/orders/long/edit", form)
		for _, want := range []string{`role="alert"`, "1 ordered, 1 in shipments", `value="2"`, `value="0"`, `value="NEW"`, `name="version" value="2"`} {
			if got.status != http.StatusConflict || !strings.Contains(got.body, want) {
				t.Errorf("got status %d, want %q on the page: %s", got.status, want, got.body)
			}
		}
		again := support.post("/orders/long/edit", editForm("look", hidden(got.body)))
		if want := "Enter 1 or more. Already in shipments: 1."; again.status != http.StatusUnprocessableEntity || !strings.Contains(again.body, want) {
			t.Errorf("got status %d, want %q: %s", again.status, want, again.body)
		}
	})
	t.Run("edited first", func(t *testing.T) {
		b := open(t, longOrder()...)
		support, admin := b.as(t, "support"), b.as(t, "admin")
		fields := hidden(admin.get("/orders/long/ship").body)
		form := editForm("take", hidden(support.get("/orders/long/edit").body))
		form.Set("total", "25")
		if got := support.post("/orders/long/edit", form); got.status != http.StatusSeeOther {
			t.Fatal(got.status, got.body)
		}
		got := ship(admin, fields)
		_, page, _ := strings.Cut(got.body, "<main")
		page, _, _ = strings.Cut(page, "</main>")
		if got.status != http.StatusConflict || strings.Contains(page, "Lamp l02") || !strings.Contains(page, "New &lt;lamp&gt;") {
			t.Errorf("got status %d, want a conflict with the current items: %s", got.status, page)
		}
	})
}

// TestEditOrder_Refuses submits forms of an order, most of them invalid or outdated. No
// form may change the order. The responses must not contain a submitted script.
func TestEditOrder_Refuses(t *testing.T) {
	b := open(t, longOrder()...)
	support := b.as(t, "support")
	for what, tt := range map[string]struct {
		product, quantity, button, want string
		status                          int
	}{
		"no number":        {"l01", "two", "look", "Enter a whole number from 0", 422},
		"no change":        {"l01", "1", "look", "Change a quantity or add a product.", 422},
		"unknown product":  {evil, "1", "look", "No product found.", 422},
		"too many":         {"l01", "99999999", "take", "Enter a whole number from 0", 422},
		"an earlier total": {"l01", "2", "take", "Prices have changed", 409},
		"one more line":    {"l01", "2", "add", "quantity-22", 200},
		"back":             {"l01", "7", "edit", `value="7"`, 200},
		"unknown button":   {"l01", "2", "jump", "Unknown button.", 400},
	} {
		form := url.Values{"product-1": {tt.product}, "quantity-1": {tt.quantity}, "do": {tt.button}, "total": {"1"}, "version": {"1"}, "once": {tokenFor(what)}}
		if got := support.post("/orders/long/edit", form); got.status != tt.status || !strings.Contains(got.body, tt.want) || strings.Contains(got.body, evil) {
			t.Errorf("%s: got status %d, want %d and %q: %s", what, got.status, tt.status, tt.want, got.body)
		}
	}
	if got := support.get("/orders/long"); strings.Contains(got.body, "Order edited") {
		t.Error("got a changed order, want no change")
	}
}

// TestEditOrder_FindsNames adds products by name, without JavaScript. If several
// products match, the form must show them as choices. It must reject a product that is
// already in the order.
func TestEditOrder_FindsNames(t *testing.T) {
	b := open(t, append(longOrder(), &store.Product{ID: "p90", Name: "Classic bar stool " + evil, Price: store.MinorUnits(49_50), Version: 1})...)
	support := b.as(t, "support")
	form := url.Values{
		"product-1": {"l01"}, "quantity-1": {"1"}, "product-21": {"stool bar"}, "quantity-21": {"2"}, "product-22": {"lamp new"}, "quantity-22": {"1"},
		"do": {"look"}, "version": {"1"}, "once": {tokenFor("names")},
	}
	send := func(status int, wants ...string) answer {
		t.Helper()
		got := support.post("/orders/long/edit", form)
		for _, want := range wants {
			if got.status != status || !strings.Contains(got.body, want) || executable(got.body) != "" {
				t.Errorf("got status %d, want %d and %q: %s", got.status, status, want, content(got.body))
			}
		}
		return got
	}
	send(http.StatusUnprocessableEntity, "Choose the product below", `name="product-21-id" value="p90"`, `name="product-22-id" value="new"`)
	form.Set("product-21-was", "stool bar")
	form.Set("product-21-id", "p90")
	form.Set("product-22", "Lamp l01") // a product that is already in the order
	send(http.StatusUnprocessableEntity, `name="product-21-id" value="p90" checked`, "This product is already on another line. Change the quantity there.", `value="Lamp l01"`)
	form.Set("product-22", "New <lamp>")
	review := send(http.StatusOK, "Classic bar stool", "New &lt;lamp&gt;", `name="product-22-id" value="new"`, "Save changes")
	form = hiddenFields(content(review.body))
	form.Set("do", "take")
	for range 2 {
		if got := support.post("/orders/long/edit", form); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", got.status, content(got.body))
		}
	}
	if page := support.get("/orders/long"); !strings.Contains(page.body, "Classic bar stool") || strings.Count(page.body, "Order edited") != 1 {
		t.Errorf("got no new item, or several history entries: %s", content(page.body))
	}
}

// TestEditOrderAddress submits a form for the delivery address twice, which must change
// the address once. Another user then submits the form with the same version. The page
// must show both addresses. A form without a street and a city must be rejected, and keep
// the other values.
func TestEditOrderAddress(t *testing.T) {
	b := open(t, longOrder()...)
	support, admin := b.as(t, "support"), b.as(t, "admin")
	first, second := hidden(support.get("/orders/long/address/edit").body), hidden(admin.get("/orders/long/address/edit").body)
	save := func(b *browser, city string, fields map[string]string) answer {
		return b.post("/orders/long/address/edit", url.Values{"city": {city}, "version": {fields["version"]}, "once": {fields["once"]}})
	}
	for range 2 {
		if got := save(support, "Malmö "+evil, first); got.status != http.StatusSeeOther || got.location != "/orders/long" {
			t.Fatalf("got status %d, want 303: %s", got.status, got.body)
		}
	}
	if got := save(admin, "Lund", second); got.status != http.StatusConflict || !strings.Contains(got.body, "Lund") || !strings.Contains(got.body, "Malmö") || strings.Contains(got.body, evil) {
		t.Errorf("got status %d, want a conflict that shows both: %s", got.status, got.body)
	}
	third := hidden(support.get("/orders/long/address/edit").body)
	empty := support.post("/orders/long/address/edit", url.Values{"country": {"Sweden"}, "version": {third["version"]}, "once": {third["once"]}})
	if empty.status != http.StatusUnprocessableEntity || !strings.Contains(empty.body, "Enter a street or a city.") || !strings.Contains(empty.body, `value="Sweden"`) {
		t.Errorf("got status %d, want 422 with an error and the entered country: %s", empty.status, content(empty.body))
	}
	if got := support.get("/orders/long"); strings.Count(got.body, ">Delivery address edited<") != 1 {
		t.Errorf("got no history entry of the edit, or several, want one: %s", got.body)
	}
}

// TestEditOrder_TimelineTotals edits an order twice. The timeline must show the total
// when the order was placed, and the totals before and after each edit.
func TestEditOrder_TimelineTotals(t *testing.T) {
	b := open(t, openOrder()...)
	shop := b.store.As(&store.User{Name: "admin", Role: store.Admin})
	for _, quantity := range []int{3, 4} {
		o, err := shop.Order(t.Context(), "open")
		if err != nil {
			t.Fatal(err)
		}
		e := store.OrderEdit{OrderID: "open", Version: o.Version, Lines: []store.BasketLine{{Product: "p08", Quantity: quantity}}, Total: o.Total.Plus(store.MinorUnits(108))}
		if err := shop.EditOrder(t.Context(), e, b.store.NewToken()); err != nil {
			t.Fatal(err)
		}
	}
	page := content(b.as(t, "viewer").get("/orders/open").body)
	for _, want := range []string{"total from €5.46 to €6.54, from p08 2 to p08 3", "total from €6.54 to €7.62, from p08 3 to p08 4", "Order placed"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the timeline", want)
		}
	}
	if _, placed, _ := strings.Cut(page, "Order placed"); !strings.Contains(placed[:min(len(placed), 200)], "€5.46") {
		t.Errorf("got the entry %.200q, want the total before the edits", placed)
	}
}
