package handlers

import (
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

const sheetOfW1 = "/warehouses/w1/receive"

var sheetInput = regexp.MustCompile(`<input[^>]*name="((?:product|delivery|seen|confirmed|quantity|bin)-\d+|reason|once|tabs?|more|unread)"[^>]*value="([^"]*)"`)

// sheetForm returns the fields of the delivery sheet on a page, as a browser would submit
// them.
func sheetForm(page string) url.Values {
	_, main, _ := strings.Cut(page, "<main")
	form := url.Values{}
	for _, found := range sheetInput.FindAllStringSubmatch(main, -1) {
		form.Add(found[1], html.UnescapeString(found[2]))
	}
	return form
}

// with returns a copy of the form in which these values are replaced.
func with(form url.Values, values map[string]string) url.Values {
	form = maps.Clone(form)
	for name, value := range values {
		form.Set(name, value)
	}
	return form
}

// TestDeliverySheet_ScannedAndReceived fills in a sheet without JavaScript and submits
// it twice. The sheet already contains a line for the overdue delivery. The test adds
// products by SKU, by name and by ID.
func TestDeliverySheet_ScannedAndReceived(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	page := manager.get(sheetOfW1).body
	if form := sheetForm(page); form.Get("product-1") != "p07" || form.Get("delivery-1") != "d1" || form.Get("quantity-1") != "20" {
		t.Fatalf("got the form %v, want a line for the overdue delivery", form)
	}
	for n, scanned := range []string{"SKU-9", "p09", "e-product 9", "SKU-7", "SKU-2"} {
		got := manager.post(sheetOfW1, with(sheetForm(page), map[string]string{"product": scanned, "do": "add"}))
		if got.status != http.StatusOK {
			t.Fatalf("product %d: got status %d, want 200: %s", n, got.status, got.body)
		}
		page = got.body
		if !strings.Contains(page, `name="product" autofocus`) {
			t.Errorf("product %d: got the focus elsewhere, want it in the field to scan the next product", n)
		}
	}
	form := sheetForm(page)
	want := map[string]string{"product-2": "p09", "quantity-2": "3", "product-3": "p02", "quantity-3": "1", "quantity-1": "20", "product-4": ""}
	for name, value := range want {
		if form.Get(name) != value {
			t.Errorf("got %s %q, want %q", name, form.Get(name), value)
		}
	}
	form = with(form, map[string]string{"quantity-1": "18", "bin-2": "Q-7", "reason": "note <12>", "do": "receive"})
	for range 2 {
		if got := manager.post(sheetOfW1, form); got.status != http.StatusSeeOther || got.location != "/warehouses/w1" {
			t.Fatalf("got status %d to %s, want 303 to %s: %s", got.status, got.location, "/warehouses/w1", got.body)
		}
	}
	if q := fmt.Sprint(b.quantity(t, "p07", "w1"), b.quantity(t, "p09", "w1"), b.quantity(t, "p02", "w1"), b.incoming(t, "p07")); q != "32 21 1 2" {
		t.Errorf("got stock of p07, p09 and p02 and incoming %s; want 32 21 1 2", q)
	}
	page = manager.get("/warehouses/w1").body
	for _, part := range []string{"Received 22 pieces. c-product 7: received 18, expected 20.", "note &lt;12&gt;", "Q-7", "of 20"} {
		if !strings.Contains(page, part) {
			t.Errorf("got no %q on the page of the warehouse", part)
		}
	}
	if history := b.as(t, "admin").get("/admin/events?about=" + url.QueryEscape("w#w1")).body; !strings.Contains(history, "Delivery received") || !strings.Contains(history, "22 pieces of 3 products") {
		t.Error("got no event of the delivery, want one")
	}
}

// TestDeliverySheet_ArchivedProducts receives a delivery while others of archived products
// are due. Their lines must be empty at first. If the user fills them in, each of them must
// get an error.
func TestDeliverySheet_ArchivedProducts(t *testing.T) {
	entities := openOrder()
	for _, id := range []string{"gone1", "gone2"} {
		entities = append(entities, &store.Product{ID: id, Name: id, Archived: true, Version: 1},
			&store.ExpectedDelivery{ID: id, ProductID: id, WarehouseID: "w1", Due: storetest.Now.AddDate(0, 0, -1), Quantity: 9, Version: 1})
	}
	b := open(t, entities...)
	manager := b.as(t, "manager")
	page := manager.get(sheetOfW1).body
	form := sheetForm(page)
	if form.Get("quantity-1") != "20" || form.Get("product-2") != "gone1" || form.Get("quantity-2") != "" || form.Get("quantity-3") != "" || !strings.Contains(page, "Archived") {
		t.Errorf("got the form %v, want empty lines with the mark Archived", form)
	}
	got := manager.post(sheetOfW1, with(form, map[string]string{"quantity-2": "9", "quantity-3": "9", "do": "receive"}))
	if n := strings.Count(got.body, "This product is archived. Clear its quantity, or ask an admin to restore it."); got.status != http.StatusUnprocessableEntity || n < 2 {
		t.Errorf("archived products: got status %d and the error %d times, want 422 and an error of each line", got.status, n)
	}
	if got := manager.post(sheetOfW1, with(form, map[string]string{"do": "receive"})); got.status != http.StatusSeeOther || b.quantity(t, "p07", "w1") != 34 {
		t.Errorf("got status %d and %d on hand, want 303 and 34: %s", got.status, b.quantity(t, "p07", "w1"), got.body)
	}
}

// TestDeliverySheet_LargeDifference enters ten times the expected quantity. The sheet must ask
// for a confirmation of exactly this quantity before it receives the goods.
func TestDeliverySheet_LargeDifference(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	receive := func(form url.Values, quantity string) answer {
		return manager.post(sheetOfW1, with(form, map[string]string{"quantity-1": quantity, "do": "receive"}))
	}
	asked := receive(sheetForm(manager.get(sheetOfW1).body), "200")
	if asked.status != http.StatusUnprocessableEntity || !strings.Contains(asked.body, "200 pieces are 180 more than expected. Nothing was received yet.") {
		t.Fatalf("got status %d, want 422 with a question: %s", asked.status, asked.body)
	}
	if got := receive(sheetForm(asked.body), "2000"); got.status != http.StatusUnprocessableEntity || b.quantity(t, "p07", "w1") != 14 {
		t.Errorf("another quantity: got status %d, want 422", got.status)
	}
	if got := receive(sheetForm(asked.body), "200"); got.status != http.StatusSeeOther || b.quantity(t, "p07", "w1") != 214 {
		t.Errorf("confirmed: got status %d and %d on hand, want 303 and 214: %s", got.status, b.quantity(t, "p07", "w1"), got.body)
	}
	if page := manager.get("/warehouses/w1").body; !strings.Contains(page, "Received 200 pieces. c-product 7: received 200, expected 20.") {
		t.Error("got no message about the difference, want one")
	}
}

// TestDeliverySheet_KeepsInputAfterErrors submits invalid sheets. The page must show
// the error, and all fields must keep what was entered.
func TestDeliverySheet_KeepsInputAfterErrors(t *testing.T) {
	b := open(t, openOrder()...)
	manager := b.as(t, "manager")
	valid := with(sheetForm(manager.get(sheetOfW1+"?product=SKU-9").body), map[string]string{"bin-2": "<Q>", "reason": "<r>", "do": "receive"})
	if valid.Get("product-2") != "p09" {
		t.Fatalf("got the form %v, want a line for p09", valid)
	}
	for name, tt := range map[string]struct {
		values map[string]string
		want   string
	}{
		"no number":       {map[string]string{"quantity-2": "many"}, "Enter a whole number"},
		"negative":        {map[string]string{"quantity-2": "-2"}, "Enter a whole number from 1"},
		"nothing":         {map[string]string{"quantity-1": "", "quantity-2": "0"}, "Enter the quantity of at least one product."},
		"no reason":       {map[string]string{"reason": " "}, "Enter a reason."},
		"pending product": {map[string]string{"product": "SKU-8"}, "Add this product, or clear the field."},
		"unknown product": {map[string]string{"product": "nothing <i>", "do": "add"}, "No product found"},
		"several":         {map[string]string{"product": "product", "do": "add"}, "Choose the product below"},
		"unknown line":    {map[string]string{"product-2": "none"}, "No product has the ID none."},
		"long bin":        {map[string]string{"bin-2": strings.Repeat("b", 41)}, "Enter at most 40 characters."},
	} {
		form := with(valid, tt.values)
		got := manager.post(sheetOfW1, form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, tt.want) {
			t.Errorf("%s: got status %d, want 422 and %q: %s", name, got.status, tt.want, got.body)
			continue
		}
		shown := sheetForm(got.body)
		for field := range shown {
			if field != "once" && shown.Get(field) != form.Get(field) {
				t.Errorf("%s: got %q in %s, want %q", name, shown.Get(field), field, form.Get(field))
			}
		}
		if len(shown) < 8 || shown.Get("once") == form.Get("once") {
			t.Errorf("%s: got the form %v, want all fields and a new token", name, shown)
		}
	}
	if n := b.quantity(t, "p07", "w1"); n != 14 {
		t.Errorf("got %d on hand after rejected sheets, want 14", n)
	}
}

// TestDeliverySheet_Conflict receives one expected delivery with two sheets. The second
// submission must show that a part of the delivery has already arrived. Its corrected form
// must receive the rest.
func TestDeliverySheet_Conflict(t *testing.T) {
	b := open(t, openOrder()...)
	manager, admin := b.as(t, "manager"), b.as(t, "admin")
	mine, theirs := sheetForm(manager.get(sheetOfW1).body), sheetForm(admin.get(sheetOfW1).body)
	receive := map[string]string{"do": "receive", "quantity-1": "15"}
	if got := manager.post(sheetOfW1, with(mine, receive)); got.status != http.StatusSeeOther {
		t.Fatal(got.status)
	}
	got := admin.post(sheetOfW1, with(theirs, receive))
	if got.status != http.StatusConflict || !strings.Contains(got.body, "Someone else changed the expected delivery of c-product 7 first.") || !strings.Contains(got.body, "5 expected") {
		t.Fatalf("got status %d, want 409 with what is expected now: %s", got.status, got.body)
	}
	again := sheetForm(got.body)
	if again.Get("quantity-1") != "15" {
		t.Errorf("got quantity %q, want the entered one", again.Get("quantity-1"))
	}
	if got := admin.post(sheetOfW1, with(again, map[string]string{"do": "receive", "quantity-1": "5"})); got.status != http.StatusSeeOther || b.quantity(t, "p07", "w1") != 34 || b.incoming(t, "p07") != 0 {
		t.Errorf("corrected sheet: got status %d, %d on hand, %d incoming; want 303, 34, 0", got.status, b.quantity(t, "p07", "w1"), b.incoming(t, "p07"))
	}
}

// TestDeliverySheet_FilledBySupplier checks the lines of a new sheet for the
// deliveries of one supplier, and for more deliveries than fit on a sheet.
func TestDeliverySheet_FilledBySupplier(t *testing.T) {
	entities := openOrder()
	for n := range store.MaxSheetLines {
		entities = append(entities, &store.ExpectedDelivery{ID: fmt.Sprintf("m%02d", n), ProductID: fmt.Sprintf("p%02d", n), WarehouseID: "w1", Due: storetest.Now.AddDate(0, 0, -1), Supplier: "Many & more", Quantity: 2, Version: 1})
	}
	b := open(t, entities...)
	manager := b.as(t, "manager")
	if form := sheetForm(manager.get(sheetOfW1 + "?supplier=Acme").body); form.Get("product-1") != "p07" || form.Get("product-2") != "" || form.Get("reason") != "Delivery from Acme" {
		t.Errorf("got the form %v, want one line of Acme", form)
	}
	page := manager.get(sheetOfW1).body
	if form := sheetForm(page); form.Get(store.SheetField("product", store.MaxSheetLines)) == "" || !strings.Contains(page, "1 expected delivery does not fit on this sheet.") {
		t.Errorf("got the form %v, want a full sheet", form)
	}
	full := with(sheetForm(page), map[string]string{"product": "SKU-25", "do": "add"})
	if got := manager.post(sheetOfW1, full); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "at most 16 lines") {
		t.Errorf("another product: got status %d, want 422: %s", got.status, got.body)
	}
	if got := b.as(t, "outsider").post(sheetOfW1, with(full, map[string]string{"product": "", "do": "receive", "once": ""})); got.status != http.StatusNotFound {
		t.Errorf("manager of another warehouse: got status %d, want 404", got.status)
	}
}

// TestDeliverySheet_ReadsFurtherPages fills sheets at a warehouse that expects more deliveries
// than fit on one page of the list. Those of Birch are on the second page.
func TestDeliverySheet_ReadsFurtherPages(t *testing.T) {
	entities := openOrder()
	add := func(supplier string, n, days int) {
		for i := range n {
			entities = append(entities, &store.ExpectedDelivery{ID: fmt.Sprintf("%s%04d", supplier, i), ProductID: fmt.Sprintf("p%02d", i%20), WarehouseID: "w1", Due: storetest.Now.AddDate(0, 0, days), Supplier: supplier, Quantity: 2, Version: 1})
		}
	}
	add("Late", 240, -1)
	add("Birch", 3, 5)
	add("Future", 1000, 6)
	add("Unread", 1, 9)
	manager := open(t, entities...).as(t, "manager")
	page := manager.get(sheetOfW1).body
	for _, part := range []string{"?supplier=Birch", "225 expected deliveries do not fit on this sheet."} { // one more is from openOrder
		if !strings.Contains(page, part) {
			t.Errorf("due now: got no %q on the page, want it", part)
		}
	}
	form := sheetForm(page)
	for name, change := range map[string]map[string]string{"scan": {"product": "SKU-5", "do": "add"}, "rejection": {"quantity-1": "many", "do": "receive"}} {
		again := manager.post(sheetOfW1, with(form, change)).body
		for _, part := range []string{"?supplier=Birch", "225 expected deliveries do not fit on this sheet."} {
			if !strings.Contains(again, part) {
				t.Errorf("after a %s: got no %q on the page, want it", name, part)
			}
		}
	}
	page = manager.get(sheetOfW1 + "?supplier=Birch").body
	if form := sheetForm(page); form.Get("delivery-3") != "Birch0002" || form.Get("delivery-4") != "" {
		t.Errorf("Birch: got the form %v, want its three deliveries", form)
	}
	for supplier, want := range map[string]string{"Birch": "may be missing", "Unread": "may be missing", "Future": "At least"} {
		page := manager.get(sheetOfW1 + "?supplier=" + supplier).body
		again := manager.post(sheetOfW1, with(sheetForm(page), map[string]string{"quantity-1": "many", "product": "SKU-5", "do": "receive"})).body
		for when, page := range map[string]string{"": page, ", rejected": again} {
			if !strings.Contains(page, want) {
				t.Errorf("%s%s: got no %q on the page, want it, because not all deliveries are read", supplier, when, want)
			}
		}
	}
}

// TestDeliverySheet_FillsDueQuantities fills a sheet with the deliveries of one supplier. Only
// the deliveries that are due and not partly received may have a quantity.
func TestDeliverySheet_FillsDueQuantities(t *testing.T) {
	entities := openOrder()
	for id, d := range map[string]struct{ days, received int }{"later": {3, 0}, "today": {0, 0}, "partly": {-1, 4}} {
		entities = append(entities, &store.ExpectedDelivery{ID: id, ProductID: "p02", WarehouseID: "w1", Due: storetest.Day(2026, time.November, 21+d.days), Supplier: "Acme", Quantity: 9, Received: d.received, Version: 1})
	}
	manager := open(t, entities...).as(t, "manager")
	page := manager.get(sheetOfW1 + "?supplier=Acme").body
	form := sheetForm(page)
	for n, want := range []string{"d1 20", "partly ", "today 9", "later "} {
		if got := form.Get(store.SheetField("delivery", n+1)) + " " + form.Get(store.SheetField("quantity", n+1)); got != want {
			t.Errorf("line %d: got %q, want %q", n+1, got, want)
		}
	}
	for _, part := range []string{"18 Nov 2026", "24 Nov 2026", "3 days late", "Due today", "Due later", "5 expected", "4 of 9 received", "Quantities are filled in only for deliveries that are due and not partly received."} {
		if !strings.Contains(page, part) {
			t.Errorf("got no %q on the page, want it", part)
		}
	}
}
